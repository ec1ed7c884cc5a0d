// Sends the same messages as other processes do, and says how many it was the first to bring.
import type { Decider } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { createAgentHost } from '../src/index.ts';
import { COUNTER } from './counter.ts';

const [path = '', name = '', count = '0'] = process.argv.slice(2);
const file = openSqlite(path);
const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };
const host = createAgentHost({
  journal: createSqliteJournal(file),
  host: name,
  agents: [COUNTER],
  deciders: { d: silent },
});
await host.spawn('urn:agent:1', 'agent');
let applied = 0;
for (let index = 0; index < Number(count); index += 1) {
  const sent = await host.send('urn:agent:1', { name: 'add', id: `m${index}` });
  if (sent.type === 'applied') applied += 1;
}
console.log(`applied ${applied}`);
await host.close();
file.close();
