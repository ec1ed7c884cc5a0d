import { appendFileSync } from 'node:fs';
import { readYaml } from '@warrant/chart/yaml';
import { agentDataModel } from '../src/cel/index.ts';
import { type AgentDefinition, type AgentTool, createTool } from '../src/index.ts';

const TOOL = 'urn:tool:count';

/** Calls a tool for every message; also for processes of their own, so without anything of the test runner. */
export const WORKER: AgentDefinition = {
  name: 'agent',
  dataModel: agentDataModel(),
  chart: readYaml(`format: warrant.chart/1
data: { taken: 0, done: 0 }
states:
  a:
    on:
      work:
        do:
          - assign: { location: taken, expr: ctx.taken + 1 }
          - send: { event: call, target: '${TOOL}', content: { expr: '{"n": ev.data}' } }
      vt:reply: { do: [{ assign: { location: done, expr: ctx.done + 1 } }] }
`),
};

/** Leaves a line in a file for each time that it is called. */
export function countingTool(marks: string): AgentTool {
  return createTool({
    iri: TOOL,
    call: (_, { key }) => {
      appendFileSync(marks, `${key}\n`);
      return { key };
    },
  });
}
