// Started by neo4j.faults.test.ts: waits for a word, then opens a graph that is not there yet and imports into it.
import type { GraphChange } from '@warrant/core';
import { createNeo4jGraphStore } from '../src/neo4j/index.ts';

const [graph, name, batches, size] = process.argv.slice(2) as [string, string, string, string];
const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;

/** Each concept leans on the one before it, the first on what all share. */
function changes(of: string, batch: number): readonly GraphChange[] {
  return Array.from({ length: Number(size) }, (_, index): GraphChange => {
    const id = `${of}-${batch}-${index}`;
    const target = index > 0 ? `${of}-${batch}-${index - 1}` : of === 'shared' ? undefined : `shared-${batch}-0`;
    const relata =
      target === undefined ? [] : [{ relation: 'requires' as const, target, targetDepth: 0 as const, provenance }];
    const depths = [{ level: 0 as const, properties: { text: id }, relata, provenance }];
    return { type: 'put-primitive', primitive: { id, name: id, depths, provenance } };
  });
}

process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
const store = await createNeo4jGraphStore({ graph, connectMs: 60_000, retryMs: 120_000 });
const outcomes: string[] = [];
for (let batch = 0; batch < Number(batches); batch += 1) {
  const shared = await store.apply(changes('shared', batch), { id: `shared-${batch}`, expected: 'any' });
  const own = await store.apply(changes(name, batch), { id: `${name}-${batch}`, expected: 'any' });
  outcomes.push(`shared ${shared.type}`, `own ${own.type}`);
}
await store.close();
process.stdout.write(`done ${JSON.stringify(outcomes)}\n`);
process.exit(0);
