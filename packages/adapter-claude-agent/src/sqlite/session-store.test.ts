import { digest, type Entry } from '@warrant/core';
import { openSqlite } from '@warrant/core/sqlite';
import { afterEach, expect, it } from 'vitest';
import type { SessionState } from '../session-state.ts';
import { createSqliteSessionStore } from './session-store.ts';

const file = openSqlite(':memory:');
afterEach(() => file.close());

it('says which content was kept, from the moment that its event was', async () => {
  const store = createSqliteSessionStore(file);
  const data = ['shared'];
  const content: Entry = { id: digest(data), type: 'graph.view', schemaVersion: 1, data };
  const holds = async (): Promise<boolean | undefined> => store.holds?.(digest(data));
  const told = { content: '', sources: [], mode: 'enforce' } as const;
  const key = { session: 's', agent: null };
  const done = { type: 'done', told, state: {} as SessionState, value: null } as const;
  const refused = store.update(key, () => {
    throw new Error('refused');
  });
  await expect(refused).rejects.toThrow('refused');
  await store.update(key, () => ({ ...done, event: 'one', records: [{ ...content, id: 'not a digest' }] }));
  expect(await holds()).toBe(false);
  await store.update(key, () => ({ ...done, event: 'two', records: [content] }));
  expect([await holds(), await store.holds?.(digest(['other']))]).toEqual([true, false]);
});
