import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { describeMemoryStoreConformance } from '@warrant/conformance';
import type { PostgresPool } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { createPostgresMemoryStore } from './index.ts';
import type { PostgresMemoryStore } from './store.ts';

const url = process.env['WARRANT_POSTGRES_URL'];
let count = 0;

/** PGlite has one connection, which all its users take in turn. */
function poolOf(database: PGlite): () => PostgresPool {
  let tail: Promise<unknown> = Promise.resolve();
  return () => ({
    connect: () =>
      new Promise((resolve) => {
        tail = tail.then(
          () =>
            new Promise<void>((release) =>
              resolve({
                query: async (text: string, parameters: readonly unknown[] = []) => {
                  const { rows, affectedRows } = await database.query(text, [...parameters]);
                  return { command: 'SELECT', rowCount: affectedRows ?? 0, rows };
                },
                release,
              } as unknown as Awaited<ReturnType<PostgresPool['connect']>>),
            ),
        );
      }),
    end: async () => undefined,
  });
}

function describeOn(
  name: string,
  on: { readonly connect: () => string | PostgresPool; readonly drop: (schema: string) => Promise<unknown> },
): void {
  describeMemoryStoreConformance({
    name,
    modelRuns: 8,
    open: async () => {
      count += 1;
      const schema = `memory_conformance_${process.pid}_${count}`;
      const opened: PostgresMemoryStore[] = [];
      const open = async (): Promise<PostgresMemoryStore> => {
        const store = await createPostgresMemoryStore({ url: on.connect(), schema, maxConnections: 3 });
        opened.push(store);
        return store;
      };
      const store = await open();
      return {
        store,
        outbox: store.outbox,
        another: open,
        reopen: async () => {
          for (const one of opened.splice(0)) await one.close();
          return open();
        },
        dispose: async () => {
          for (const one of opened) await one.close();
          await on.drop(schema);
        },
      };
    },
  });
}

for (const extensions of [{}, { vector }]) {
  const database = new PGlite({ extensions });
  afterAll(() => database.close());
  describeOn(`PGlite ${'vector' in extensions ? 'with' : 'without'} pgvector`, {
    connect: poolOf(database),
    drop: (schema) => database.exec(`DROP SCHEMA "${schema}" CASCADE`),
  });
}

if (url === undefined) {
  describe('the PostgreSQL store', () => {
    test('is tested where a server is: always in CI', () => expect(process.env['CI'] ?? '').toBe(''));
  });
} else {
  describeOn('the PostgreSQL store', {
    connect: () => url,
    drop: async (schema) => {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`DROP SCHEMA "${schema}" CASCADE`);
      await client.end();
    },
  });
}
