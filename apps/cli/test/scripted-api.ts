import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the scripted model says next: a text, or a call of a tool; `first` happens before it is said. */
export type Saying = ({ readonly text: string } | { readonly tool: string; readonly input: object }) & {
  readonly first?: () => void;
};

/** The part of a request that a script may look at. */
export type Asked = {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
};

export type ScriptedApi = { readonly url: string; readonly asked: Asked[]; readonly close: () => void };

/** A Messages API on this machine that says what a script says: no model, no network. */
export async function startScriptedApi(script: readonly Saying[]): Promise<ScriptedApi> {
  const asked: Asked[] = [];
  let at = 0;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const path = (request.url ?? '').split('?')[0];
      if (path === '/v1/messages/count_tokens') return json(response, 200, { input_tokens: 100 });
      if (path !== '/v1/messages')
        return json(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'no' } });
      const asks = JSON.parse(body) as Asked & { readonly model: string; readonly stream?: boolean };
      // Titles and the like are asked for without tools.
      const main = (asks.tools?.length ?? 0) > 0;
      if (main) asked.push(asks);
      const saying = main ? (script[at++] ?? { text: 'The script is over.' }) : { text: 'title' };
      saying.first?.();
      answer(response, asks, saying, at);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, close: () => void server.close() };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

function answer(
  response: ServerResponse,
  { model, stream }: { readonly model: string; readonly stream?: boolean },
  saying: Saying,
  at: number,
): void {
  const calls = 'tool' in saying;
  const block = calls
    ? { type: 'tool_use', id: `toolu_${at}`, name: saying.tool, input: saying.input }
    : { type: 'text', text: saying.text };
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = { id: `msg_${at}`, type: 'message', role: 'assistant', model, stop_sequence: null, usage };
  const stop_reason = calls ? 'tool_use' : 'end_turn';
  if (stream !== true) return json(response, 200, { ...message, content: [block], stop_reason });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (type: string, data: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send('message_start', { message: { ...message, content: [], stop_reason: null } });
  send('content_block_start', {
    index: 0,
    content_block: calls ? { ...block, input: {} } : { type: 'text', text: '' },
  });
  const delta = calls
    ? { type: 'input_json_delta', partial_json: JSON.stringify(saying.input) }
    : { type: 'text_delta', text: saying.text };
  send('content_block_delta', { index: 0, delta });
  send('content_block_stop', { index: 0 });
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  send('message_stop', {});
  response.end();
}

/** What the model was told about its calls, in order. */
export function toolResults(asked: Asked | undefined): readonly string[] {
  return (asked?.messages ?? []).flatMap(({ role, content }) =>
    role === 'user' && Array.isArray(content)
      ? (content as readonly { readonly type?: string }[])
          .filter((block) => block.type === 'tool_result')
          .map((block) => JSON.stringify(block))
      : [],
  );
}
