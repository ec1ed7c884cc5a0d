import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { openSqlite } from '@warrant/core/sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyJournal } from '../src/index.ts';
import type { ProvenJournal } from '../src/journal.ts';
import { createPostgresJournal } from '../src/postgres/index.ts';
import { createSqliteJournal } from '../src/sqlite/index.ts';
import { bundleWriter, removeWriter, startWriter, untilSaid } from './processes.ts';
import { temporaryFolder } from './support.ts';

const isSoak = process.env['WARRANT_SOAK'] !== undefined;
const KILLS = isSoak ? 200 : 6;
const LIMIT_MS = isSoak ? 3_600_000 : 300_000;
const url = process.env['WARRANT_POSTGRES_URL'] ?? '';

type Said = { readonly sent?: readonly string[]; readonly acked?: readonly string[] };
type Opened = { readonly journal: ProvenJournal; readonly close: () => Promise<void> };

async function idsOf(journal: ProvenJournal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const stream of await journal.streams()) {
    for await (const entry of journal.read(stream)) ids.add(entry.id);
  }
  return ids;
}

/** Everything acknowledged is there, nothing else is there by half. */
function expectWhole(stored: ReadonlySet<string>, said: readonly Said[]): void {
  for (const { acked } of said) for (const id of acked ?? []) expect(stored.has(id)).toBe(true);
  for (const { sent } of said) {
    if (sent === undefined) continue;
    const there = sent.filter((id) => stored.has(id)).length;
    expect([0, sent.length]).toContain(there);
  }
}

async function killMany(target: string, open: () => Promise<Opened>): Promise<void> {
  let acked = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const writer = startWriter(['crash', target, `w${kill}`]);
    await untilSaid(writer, (value) => (value as Said).acked !== undefined);
    await new Promise((resolve) => setTimeout(resolve, randomInt(0, 120)));
    writer.process.kill('SIGKILL');
    const said = (await writer.ended) as readonly Said[];
    acked += said.filter((one) => one.acked !== undefined).length;
    const { journal, close } = await open();
    expectWhole(await idsOf(journal), said);
    expect((await verifyJournal(journal)).type).toBe('intact');
    const next = await journal.append('s0', [{ id: `next-${kill}`, type: 't', data: 0, schemaVersion: 1 }], {
      expected: 'any',
    });
    expect(next.type).toBe('appended');
    await close();
  }
  expect(acked).toBeGreaterThanOrEqual(KILLS);
}

beforeAll(bundleWriter);
afterAll(removeWriter);

describe('a writer that is killed', () => {
  test('leaves every acknowledged append and no half one in SQLite', { timeout: LIMIT_MS }, async () => {
    const path = join(temporaryFolder(), 'workspace.db');
    await killMany(path, async () => {
      const file = openSqlite(path);
      return { journal: createSqliteJournal(file), close: async () => file.close() };
    });
  });

  test.skipIf(url === '')(
    'leaves every acknowledged append and no half one in PostgreSQL',
    { timeout: LIMIT_MS },
    async () => {
      const schema = `crash_${process.pid}`;
      try {
        await killMany(`${url}?schema=${schema}`, async () => {
          const journal = await createPostgresJournal({ url, schema });
          return { journal, close: () => journal.close() };
        });
      } finally {
        const client = new pg.Client(url);
        await client.connect();
        await client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
        await client.end();
      }
    },
  );
});
