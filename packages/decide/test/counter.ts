import { readYaml } from '@warrant/chart/yaml';
import { agentDataModel } from '../src/cel/index.ts';
import type { AgentDefinition } from '../src/index.ts';

/** Counts what it is sent; also for processes of their own, so without anything of the test runner. */
export const COUNTER: AgentDefinition = {
  name: 'agent',
  dataModel: agentDataModel(),
  chart: readYaml(`format: warrant.chart/1
data: { n: 0, text: '' }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    on:
      add: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      say: { do: [{ assign: { location: text, expr: ev.data.text } }] }
`),
};
