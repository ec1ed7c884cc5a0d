import { expect, test } from 'vitest';
import { confidenceAfter } from './outcomes.ts';
import type { MemoryPermissions } from './permissions.ts';
import { decideSweep } from './sweep.ts';
import { memoryFor } from './testing/setup.ts';

const open: MemoryPermissions = { defaultPolicy: 'allow', protectedPrefixes: [], agents: {} };
const DAY = 86_400_000;

test('a sweep archives by expiry, decay over time and staleness, never what a person approved', async () => {
  const { memory, clock } = memoryFor({ permissions: open });
  const agent = memory.agent('a');
  await agent.write({ key: 'memory/expired', value: 1, expiresAt: '2026-01-02T00:00:00Z' });
  await agent.write({ key: 'memory/weak', value: 1, confidence: 0.3 });
  await agent.write({ key: 'memory/strong', value: 1 });
  await memory.human('h').write({ key: 'memory/human', value: 1, confidence: 0.01 });
  clock.advance(30 * DAY);
  const settings = { decayPerDay: 0.01 };
  expect((await memory.human('h').sweep(settings)).archived).toEqual({ expired: 1, decayed: 1, stale: 0 });
  for (let times = 0; times < 3; times += 1)
    expect((await memory.human('h').sweep(settings)).archived).toEqual({ expired: 0, decayed: 0, stale: 0 });
  clock.advance(59 * DAY);
  expect((await memory.human('h').sweep()).archived.stale).toBe(0);
  clock.advance(DAY);
  expect((await memory.human('h').sweep()).archived.stale).toBe(1);
  expect((await agent.list()).map(({ key }) => key)).toEqual(['memory/human']);
});

test('decay goes by time, not by how often it is looked at', async () => {
  const { memory, clock } = memoryFor();
  const written = await memory.agent('a').write({ key: 'memory/k', value: 1, confidence: 0.5 });
  if (written.type !== 'stored') throw new Error('not stored');
  const at = (days: number): string => new Date(clock.now() + days * DAY).toISOString();
  expect(decideSweep(written.record, { decayPerDay: 0.01 }, at(39.9))).toBeNull();
  expect(decideSweep(written.record, { decayPerDay: 0.01 }, at(40.1))).toBe('decayed');
});

test("outcomes move the agent's own records of that session, within bounds", async () => {
  expect(confidenceAfter({ origin: 'agent-inferred', confidence: 0.5 }, 1)).toBe(0.55);
  expect(confidenceAfter({ origin: 'agent-inferred', confidence: 0.99 }, 1)).toBe(1);
  expect(confidenceAfter({ origin: 'agent-inferred', confidence: 0.01 }, 0)).toBe(0);
  expect(confidenceAfter({ origin: 'provider-ingested', confidence: 0.5 }, 1)).toBe(0.5);
  expect(confidenceAfter({ origin: 'provider-ingested', confidence: 0.5 }, 0)).toBe(0.48);
  expect(confidenceAfter({ origin: 'human-approved', confidence: 0.5 }, 0)).toBe(0.5);
});

test("another agent's outcome moves nothing of the session, and values out of range are refused", async () => {
  const { memory } = memoryFor({ permissions: open });
  await memory.agent('a').write({ key: 'memory/k', value: 'crane', confidence: 0.5 });
  await memory.agent('a').retrieve({ query: 'crane', session: 's' });
  expect(await memory.agent('b').recordOutcome({ session: 's', value: 0 })).toEqual([]);
  for (const value of [-1000, 100, Number.NaN])
    await expect(memory.agent('a').recordOutcome({ session: 's', value })).rejects.toMatchObject({
      code: 'MEMORY_INVALID_ARGUMENT',
    });
  expect(await memory.agent('a').recordOutcome({ session: 's', value: 1 })).toHaveLength(1);
  for (let times = 0; times < 3; times += 1)
    expect(await memory.agent('a').recordOutcome({ session: 's', value: 1 })).toEqual([]);
  expect(await memory.agent('a').read('memory/k')).toMatchObject({ record: { confidence: 0.55 } });
  await expect(memory.agent('a').recordOutcome({ session: '', value: 1 })).rejects.toMatchObject({
    code: 'MEMORY_INVALID_ARGUMENT',
  });
});

test('an archived record takes no part in outcomes and cannot be reinforced', async () => {
  const { memory } = memoryFor();
  const written = await memory.agent('a').write({ key: 'memory/k', value: 'crane', confidence: 0.5 });
  const id = written.type === 'stored' ? written.record.id : '';
  expect(await memory.agent('a').reinforce(id)).toBe(0.6);
  await expect(memory.agent('b').reinforce(id)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
  await memory.agent('a').retrieve({ query: 'crane', session: 's' });
  await memory.agent('a').delete('memory/k');
  expect(await memory.agent('a').recordOutcome({ session: 's', value: 1 })).toEqual([]);
  await expect(memory.agent('a').reinforce(id)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
});

test('forgetting one person leaves the others as they were; nobody is not everybody', async () => {
  const { memory, store } = memoryFor();
  const agent = memory.agent('a');
  for (let index = 0; index < 5; index += 1) {
    await agent.write({
      key: index === 0 ? 'memory/shared' : `memory/u1/${index}`,
      value: `u1 ${index}`,
      subject: 'u1',
      entities: ['x'],
    });
    await agent.write({ key: `memory/u2/${index}`, value: `u2 ${index}`, subject: 'u2', entities: ['x'] });
  }
  const of = async (subject: string) => {
    const rows = [];
    for await (const row of store.scan({ subject })) rows.push(row);
    return rows;
  };
  const before = await of('u2');
  const erased: string[] = [];
  const eraser = {
    erase: async (subject: string) => {
      erased.push(subject);
      return { subject, keyDestroyed: true, covered: [{ place: 'journal', count: 7 }], notCovered: [] };
    },
  };
  const forgotten = await memory.human('h').forget('u1', eraser);
  expect(forgotten.covered.map(({ count }) => count)).toEqual([5, 7]);
  expect(erased).toEqual(['u1']);
  expect(await of('u1')).toEqual([]);
  expect(await of('u2')).toEqual(before);
  for (const subject of ['', '  '])
    await expect(memory.human('h').forget(subject)).rejects.toMatchObject({ code: 'MEMORY_SUBJECT_EMPTY' });
  expect(await of('u2')).toEqual(before);
});
