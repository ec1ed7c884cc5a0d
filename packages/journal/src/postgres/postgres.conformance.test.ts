import { describeJournalConformance } from '@warrant/conformance';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { createPostgresJournal } from './index.ts';

const url = process.env['WARRANT_POSTGRES_URL'];
let count = 0;

if (url === undefined) {
  describe('the PostgreSQL journal', () => {
    test('is tested where a server is: always in CI', () => expect(process.env['CI'] ?? '').toBe(''));
  });
} else {
  describeJournalConformance({
    name: 'the PostgreSQL journal',
    modelRuns: 20,
    open: async () => {
      count += 1;
      const schema = `conformance_${process.pid}_${count}`;
      const open = () => createPostgresJournal({ url, schema, maxConnections: 4 });
      let journal = await open();
      const others: (typeof journal)[] = [];
      return {
        journal,
        reopen: async () => {
          await journal.close();
          journal = await open();
          return journal;
        },
        another: async () => {
          const other = await open();
          others.push(other);
          return other;
        },
        dispose: async () => {
          for (const one of [journal, ...others]) await one.close();
          const client = new pg.Client(url);
          await client.connect();
          await client.query(`DROP SCHEMA "${schema}" CASCADE`);
          await client.end();
        },
      };
    },
  });
}
