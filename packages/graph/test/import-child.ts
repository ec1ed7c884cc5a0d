// Started by faults.test.ts: imports `count` concepts under a name prefix, in one batch, and says when it begins.
import { openSqlite } from '@warrant/core/sqlite';
import { createSqliteGraphStore } from '../src/sqlite/index.ts';

const [path, prefix, count, hold] = process.argv.slice(2) as [string, string, string, string | undefined];
const provenance = { source: 'authored', at: '2026-01-01T00:00:00Z' } as const;
const primitives = Array.from({ length: Number(count) }, (_, index) => ({
  id: `${prefix}-${index}`,
  name: `${prefix} ${index}`,
  depths: [0, 1, 2].map((level) => ({
    level: level as 0,
    properties: { text: `level ${level} of ${index}` },
    relata:
      index > 0 && level > 0
        ? [
            {
              relation: 'requires' as const,
              target: `${prefix}-${(index * 7) % index}`,
              targetDepth: 0 as const,
              provenance,
            },
          ]
        : [],
    provenance,
  })),
  provenance,
}));
const file = openSqlite(path, { busyTimeoutMs: 30_000 });
const store = createSqliteGraphStore({ file });
process.stdout.write('ready\n');
if (hold !== undefined) await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdout.write('begun\n');
const changes = primitives.map((primitive) => ({ type: 'put-primitive' as const, primitive }));
const result = await store.apply(changes, { id: prefix, expected: 'any' });
process.stdout.write(`${result.type}\n`);
file.close();
process.exit(0);
