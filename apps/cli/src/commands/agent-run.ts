import type { Inbox, Json, JsonObject } from '@warrant/core';
import { type AgentHost, type AgentState, correlationIri } from '@warrant/decide';
import { openAgent } from '../agent/open-agent.ts';
import { agentStatus, statusText } from '../agent/status.ts';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { parseJson } from '../cli/parse-json.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly actor?: string; readonly event?: readonly string[]; readonly input?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<chart>', 'a chart as .scxml, .yaml or .json')
      .argument(
        '<kit>',
        'a module whose default export is a kit, or a function ({ inbox, journal, decide, dataModel }) that makes one',
      )
      .option('--actor <iri>', 'name of the run; one that exists goes on', 'urn:agent:1')
      .option('--input <json>', 'values for the data of the chart')
      .option('--event <events...>', 'events to send, as name or name=json'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const { directory } = call.terminal;
      const { actor = 'urn:agent:1', event = [], input = '{}' } = call.options;
      const events = event.map(parseEvent);
      const given = parseJson(input);
      if (!isObject(given) || events.includes(undefined))
        return refuse(
          call,
          exitCodes.usage,
          'CLI_USAGE',
          'events are a name, or a name with = and JSON; the input is one JSON object',
        );
      const { journal, inbox } = workspace;
      const [chart = '', kit = ''] = call.words;
      const host = await openAgent(workspace, directory, { chart, kit });
      try {
        await host.spawn(actor, 'agent', given);
        for (const one of events) if (one !== undefined) await host.send(actor, one);
        await host.pump();
        const state = await settled(host, inbox, actor);
        const status = await agentStatus(journal, actor, await host.machineOf(actor));
        print(
          call,
          { ...status, status: state.status, result: state.result },
          `${status === undefined ? '' : statusText(status)}${endOf(state)}`,
        );
        if (state.status === 'stopped') return exitCodes.no;
        return state.status === 'done' ? exitCodes.ok : exitCodes.pending;
      } finally {
        await host.close();
      }
    }),
};

function endOf({ status, result, stopped }: AgentState): string {
  if (status === 'done') return `\ndone: ${JSON.stringify(result)}`;
  return status === 'stopped' ? `\nstopped: ${stopped?.message ?? ''}` : '';
}

function parseEvent(text: string): { readonly name: string; readonly data: Json } | undefined {
  const at = text.indexOf('=');
  if (at === -1) return { name: text, data: null };
  const data = parseJson(text.slice(at + 1));
  return at === 0 || data === undefined ? undefined : { name: text.slice(0, at), data };
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LOOK_AGAIN_MS = 20;
const LOOKS = 500;

/** Until nothing goes on but what waits for people; an answer that lies in the inbox already is taken first. */
async function settled(host: AgentHost, inbox: Inbox, actor: string): Promise<AgentState> {
  for (let look = 0; ; look += 1) {
    await host.settled();
    const state = await host.state(actor);
    const waits = (await inbox.pending({ kind: 'decision' })).map(({ id }) => id);
    const open = state.slots
      .filter(({ status }) => status === 'open')
      .map(({ correlation }) => correlationIri(actor, correlation));
    const isAnswered = open.some((id) => !waits.some((question) => question === id || question.startsWith(`${id}/`)));
    if (!isAnswered || look >= LOOKS) return state;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
