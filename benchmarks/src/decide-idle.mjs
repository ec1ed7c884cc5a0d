// Ten thousand idle agents with pending deadlines in one host; prints what the process holds of the machine's memory. Plain JavaScript, so that nothing is measured but the packages.
import { readYaml } from '@warrant/chart/yaml';
import { createVirtualClock } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createAgentHost, firstEnabled } from '@warrant/decide';
import { agentDataModel } from '@warrant/decide/cel';
import { createMemoryJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';

const [path] = process.argv.slice(2);
const file = path === undefined ? undefined : openSqlite(path, { synchronous: 'normal' });
const journal = file === undefined ? createMemoryJournal() : createSqliteJournal(file);
const chart = readYaml(`format: warrant.chart/1
states:
  a: { extensions: [{ local: decide, attribute: none }, { local: deadline, attribute: 1h }], on: { go: b, error.decide.timeout: b } }
  b: { type: final }
`);
const host = createAgentHost({
  journal,
  clock: createVirtualClock(),
  agents: [{ name: 'idle', chart, dataModel: agentDataModel() }],
  deciders: { none: { kind: 'human', decide: () => new Promise(() => undefined) }, rule: firstEnabled('go') },
});
for (let index = 0; index < 10_000; index += 1) await host.spawn(`urn:idle:${index}`, 'idle');
await host.pump();
globalThis.gc?.();
console.log(JSON.stringify({ rss: process.memoryUsage().rss }));
await host.close();
file?.close();
