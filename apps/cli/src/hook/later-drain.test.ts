import type { Entry, Journal, Outbox } from '@warrant/core';
import { expect, test } from 'vitest';
import { createLaterDrain } from './later-drain.ts';

test('answers wait only for records that could not be moved, until they can be', async () => {
  const waiting: { stream: string; entry: Entry }[] = [];
  const moved: string[] = [];
  let broken = true;
  const outbox = {
    pending: async (most: number) => waiting.slice(0, most),
    remove: async (ids: readonly string[]) => {
      moved.push(...ids);
      waiting.splice(0, ids.length);
    },
  } as unknown as Outbox;
  const journal = {
    append: async () => {
      if (broken) throw new Error('the disk is full');
      return { type: 'appended' };
    },
  } as unknown as Journal;
  const records = createLaterDrain({ file: { outbox }, journal } as never);
  const leave = (id: string): Promise<void> => {
    waiting.push({ stream: 'claude', entry: { id, type: 't', schemaVersion: 1, data: null } });
    return records.left();
  };
  await records.run();
  await leave('a');
  await records.ready();
  await records.run();
  await expect(records.ready()).rejects.toThrow('the disk is full');
  await expect(records.ready()).rejects.toThrow('the disk is full');
  expect(moved).toEqual([]);
  broken = false;
  await records.ready();
  expect(moved).toEqual(['a']);
  await leave('b');
  await Promise.all([records.run(), records.run(), records.ready()]);
  expect(moved).toEqual(['a', 'b']);
});
