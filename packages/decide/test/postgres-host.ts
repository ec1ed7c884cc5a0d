// One host among several on one PostgreSQL journal: brings the same messages as the others do, and runs what is due.
import { createPostgresJournal } from '@warrant/journal/postgres';
import { createAgentHost } from '../src/index.ts';
import { countingTool, WORKER } from './worker-agent.ts';

const [url = '', schema = '', name = '', count = '0', marks = ''] = process.argv.slice(2);
const journal = await createPostgresJournal({ url, schema, maxConnections: 2 });
const host = createAgentHost({ journal, host: name, agents: [WORKER], tools: [countingTool(marks)], leaseMs: 600_000 });
await host.spawn('urn:agent:1', 'agent');
let applied = 0;
for (let index = 0; index < Number(count); index += 1) {
  const sent = await host.send('urn:agent:1', { name: 'work', data: index, id: `m${index}` });
  if (sent.type === 'applied') applied += 1;
  await host.settled();
}
console.log(`applied ${applied}`);
await host.close();
await journal.close();
