// Started by neo4j.faults.test.ts: says the version it sees, waits for a word, and applies one batch at that version.
import { createNeo4jGraphStore } from '../src/neo4j/index.ts';

const [graph, id] = process.argv.slice(2) as [string, string];
const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const store = await createNeo4jGraphStore({ graph, connectMs: 60_000 });
const expected = await store.version();
process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const primitive = { id, name: id, depths: [], provenance };
const applied = await store.apply([{ type: 'put-primitive', primitive }], { id, expected });
await store.close();
process.stdout.write(`${applied.type}\n`);
process.exit(0);
