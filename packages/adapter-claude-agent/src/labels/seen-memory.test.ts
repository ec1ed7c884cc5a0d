import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite, type SqliteDb } from '@warrant/core/sqlite';
import { afterAll, describe, expect, it } from 'vitest';
import { createMemorySessionStore } from '../session-store.ts';
import { createSqliteSessionStore } from '../sqlite/session-store.ts';
import { conversation } from '../testing/conversation.ts';
import { warrantHooks } from '../warrant-hooks.ts';
import { labelCall } from './label-call.ts';

const folder = mkdtempSync(join(tmpdir(), 'warrant-seen-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bytesKept(db: SqliteDb): number {
  return db.get<{ readonly bytes: number }>('SELECT sum(length(hashes)) AS bytes FROM claude_seen')?.bytes ?? 0;
}

let opened = 0;
for (const kind of ['memory', 'sqlite'] as const) {
  const open = () => {
    if (kind === 'memory') return { store: createMemorySessionStore(), weight: () => 0 };
    opened += 1;
    const file = openSqlite(join(folder, `${opened}.db`), { synchronous: 'normal' });
    return { store: createSqliteSessionStore(file), weight: () => file.read((db) => bytesKept(db)) };
  };
  const start = () => {
    const { store, weight } = open();
    const talking = conversation(warrantHooks({ store }));
    const trust = async (to: string) => labelCall({ to }, await store.seen('s'), (text) => text)['/to']?.trust;
    const page = (number: number, more = ''): Promise<unknown> => {
      const words = Array.from({ length: 15_000 }, (_, at) => `w${number}-${at}`).join(' ');
      return talking.run('WebFetch', { url: `https://x.example/${number}` }, `${words} ${more}`);
    };
    return { ...talking, trust, page, weight };
  };

  describe(`what a session has seen, in ${kind}`, () => {
    it('is known to the last value of a long page, and takes nothing from what only a person typed', async () => {
      const { prompt, page, trust } = start();
      await prompt('Write to kim@a.org, not to lee@a.org.');
      await page(1, 'lee@a.org');
      expect([await trust('kim@a.org'), await trust('lee@a.org')]).toEqual(['human', 'web']);
      expect([await trust('w1-0'), await trust('w1-14999')]).toEqual(['web', 'web']);
    });

    it('is not forgotten for what comes later, where less trust has seen it', async () => {
      const { prompt, page, trust, weight, run } = start();
      await page(0, 'lee@a.org');
      await run('mcp__desk__list', {}, 'pat@a.org');
      for (let number = 1; number <= 8; number += 1) {
        await page(number);
        await run(
          'mcp__desk__list',
          {},
          Array.from({ length: 6_000 }, (_, at) => `t${number}-${at}`),
        );
      }
      const typed = Array.from({ length: 200 }, (_, at) => `kim${at}@a.org`);
      await prompt(`Write to ${typed.join(', ')}, lee@a.org and pat@a.org.`);
      expect([await trust('lee@a.org'), await trust('pat@a.org'), await trust('w0-14999')]).toEqual([
        'web',
        'tool',
        'web',
      ]);
      const trusts = await Promise.all(typed.map(trust));
      expect(trusts.filter((one) => one === 'human').length).toBeGreaterThan(196);
      expect(await trust('nobody@a.org')).toBeUndefined();
      expect(weight()).toBeLessThan(1_500_000);
    });

    it('stays unsure for good once a page was too long to be remembered', async () => {
      const { prompt, page, trust, run } = start();
      await prompt('Write to kim@a.org.');
      await run('WebFetch', { url: 'https://x.example' }, `${'x '.repeat(600_000)}`);
      expect(await trust('kim@a.org')).toBeUndefined();
      for (let number = 0; number < 4; number += 1) await page(number);
      expect(await trust('kim@a.org')).toBeUndefined();
    });

    it('is unsure of a page of too many parts', async () => {
      const { prompt, trust, run } = start();
      await prompt('Write to kim@a.org.');
      const parts = Array.from({ length: 2_000 }, (_, at) => ({ at, text: 'long '.repeat(300) }));
      await run('WebSearch', { query: 'x' }, { parts });
      expect(await trust('kim@a.org')).toBeUndefined();
    });
  });
}
