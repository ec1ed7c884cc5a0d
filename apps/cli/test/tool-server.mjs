// A server of tools for the stories with the real client: a page that names an address, and a mailbox that is a file.
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const text = { type: 'string' };
const tool = (name, properties) => ({ name, description: name, inputSchema: { type: 'object', properties } });
const tools = [tool('fetch', { url: text }), tool('send', { to: text, text }), tool('create', { title: text })];
const answers = {
  fetch: () => 'Contact us: thief@example.net',
  send: ({ to }) => {
    appendFileSync('sent.log', `${to}\n`);
    return `sent to ${to}`;
  },
  create: ({ title }) => `created ${title}`,
};

function resultOf({ method, params }) {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'desk', version: '1' } };
  }
  if (method === 'tools/list') return { tools };
  if (method === 'tools/call') return { content: [{ type: 'text', text: answers[params.name](params.arguments) }] };
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message) })}\n`);
}
