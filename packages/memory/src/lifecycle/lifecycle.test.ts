import type { MemoryRecord } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import type { MemoryEvent } from '../events.ts';
import { parseConfig } from '../files/profile-file.ts';
import type { MemoryPermissions } from '../permissions.ts';
import { queueReviewer, vote } from '../testing/reviewer.ts';
import { memoryFor } from '../testing/setup.ts';
import { isConsolidationDue } from './settings.ts';

const DAY = 86_400_000;
const open: MemoryPermissions = { defaultPolicy: 'allow', protectedPrefixes: [], agents: {} };

const texts = (records: readonly MemoryRecord[]) => records.map(({ value }) => value);

async function threeAboutKim(options: Parameters<typeof memoryFor>[0] = {}) {
  const made = memoryFor({ consolidation: { sinceHours: 0 }, ...options });
  const agent = made.memory.agent('a');
  await agent.write({ key: 'memory/org/kim/tea', value: 'kim drinks green tea', subject: 'kim', confidence: 0.5 });
  await agent.write({ key: 'memory/org/kim/drink', value: 'kim drinks tea at noon', subject: 'kim', confidence: 0.9 });
  await agent.write({ key: 'memory/org/kim/not', value: 'kim never drinks green tea', subject: 'kim' });
  await agent.write({ key: 'memory/org/lee/tea', value: 'lee drinks green tea', subject: 'lee' });
  await made.memory
    .human('h', { onBehalfOf: 'a' })
    .write({ key: 'memory/org/kim/human', value: 'kim drinks green tea daily', subject: 'kim' });
  made.clock.advance(DAY);
  return { ...made, agent };
}

describe('a consolidation', () => {
  test('joins what one subject is said to be, leaves contradictions and people’s records, and can be taken back', async () => {
    const { memory, agent, store } = await threeAboutKim();
    const before = texts(await agent.list());
    const report = await agent.consolidate();
    expect(report).toMatchObject({ clusters: 1, merged: 1, candidates: 0 });
    const [merged] = await store.records(report.made);
    expect(merged).toMatchObject({
      key: 'memory/org/kim/drink',
      value: 'kim drinks tea at noon\nkim drinks green tea',
      consolidated: true,
      origin: 'agent-inferred',
      subject: 'kim',
    });
    expect(merged?.sources).toHaveLength(2);
    expect((await agent.list()).map(({ key }) => key)).toEqual([
      'memory/org/kim/drink',
      'memory/org/kim/human',
      'memory/org/kim/not',
      'memory/org/lee/tea',
    ]);
    expect((await agent.consolidate()).clusters).toBe(0);
    const id = report.made[0] as string;
    expect(await memory.human('h').undoConsolidation(id)).toHaveLength(2);
    expect(texts(await agent.list())).toEqual(before);
    await expect(memory.human('h').undoConsolidation(id)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
    expect(await memory.check()).toEqual([]);
  });

  test('keeps the least trust of what it joins apart from other trust, and goes with its subject', async () => {
    const { memory, clock, store } = memoryFor({ consolidation: { sinceHours: 0 } });
    const agent = memory.agent('a');
    const web = { trust: 'web', sources: ['https://x'] } as const;
    await agent.write({ key: 'memory/org/k/1', value: 'kim likes green tea', subject: 'kim', label: web });
    await agent.write({ key: 'memory/org/k/2', value: 'kim likes green tea very much', subject: 'kim' });
    await agent.write({ key: 'memory/org/k/3', value: 'kim likes green tea today', subject: 'kim', label: web });
    clock.advance(DAY);
    const { made } = await agent.consolidate();
    const [merged] = await store.records(made);
    expect(merged?.label.trust).toBe('web');
    expect(merged?.sources).toHaveLength(2);
    await memory.human('h').forget('kim');
    expect(await agent.list()).toEqual([]);
    expect(await store.records(made)).toEqual([]);
  });

  test('whose text a model wrote is a proposal on exactly these records', async () => {
    const reviewer = queueReviewer();
    const merge = async (records: readonly MemoryRecord[]) => `model: ${records.length}`;
    const { memory, agent } = await threeAboutKim({ reviewer, consolidation: { sinceHours: 0, merge } });
    const report = await agent.consolidate();
    expect(report).toMatchObject({ merged: 0, made: [] });
    expect(texts(await agent.list())).not.toContain('model: 2');
    const [id] = report.proposed as [string];
    expect((await vote(reviewer, id, 'kim')).type).toBe('approved');
    expect(texts(await agent.list())).toContain('model: 2');
    expect(await memory.human('h').undoConsolidation(id)).toHaveLength(2);
    const second = await agent.consolidate();
    await agent.write({ key: 'memory/org/kim/tea', value: 'moved on', subject: 'kim' });
    expect((await vote(reviewer, second.proposed[0] ?? '', 'kim')).reasons[0]?.code).toBe('memory.merge-moved');
  });

  test('without a reviewer uses no model’s text', async () => {
    const { agent } = await threeAboutKim({ consolidation: { sinceHours: 0, merge: async () => 'x' } });
    expect(await agent.consolidate()).toMatchObject({
      merged: 0,
      proposed: [],
      notes: [{ code: 'memory.no-reviewer' }],
    });
  });

  test('is due after ten starts or seven days, and runs at a session start', async () => {
    const { memory, clock } = memoryFor();
    const agent = memory.agent('a');
    await agent.write({ key: 'memory/org/k/1', value: 'kim likes green tea', subject: 'kim' });
    await agent.write({ key: 'memory/org/k/2', value: 'kim likes green tea very much', subject: 'kim' });
    const start = async () => (await agent.startSession({ session: 's' })).consolidation;
    for (let times = 0; times < 9; times += 1) expect(await start()).toBeNull();
    clock.advance(2 * DAY);
    expect(await start()).toMatchObject({ clusters: 1, merged: 1 });
    expect(await start()).toBeNull();
    clock.advance(7 * DAY);
    expect(await start()).toMatchObject({ clusters: 0 });
  });

  test('waits for both where that is asked', () => {
    const settings = { afterStarts: 10, afterDays: 7, needs: 'both' } as const;
    const at = '2026-01-01T00:00:00.000Z';
    const due = (starts: number, days: number, ranBefore: boolean) =>
      isConsolidationDue(settings, { starts, at, ranBefore }, new Date(Date.parse(at) + days * DAY).toISOString());
    expect([due(10, 0, false), due(10, 6, true), due(10, 7, true), due(9, 30, true)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  test('of many records that no skill covers tells of it and asks for one', async () => {
    const reviewer = queueReviewer();
    const { memory, clock } = memoryFor({ reviewer, consolidation: { sinceHours: 0 } });
    const events: MemoryEvent[] = [];
    memory.subscribe((event) => void events.push(event));
    for (const where of ['north', 'south', 'east', 'west', 'centre'])
      await memory.agent('a').write({ key: `memory/org/billing/${where}`, value: `the ${where} is billed weekly` });
    clock.advance(DAY);
    const report = await memory.agent('a').consolidate({ grouping: 'key-words' });
    expect(report).toMatchObject({ clusters: 1, merged: 4, candidates: 1 });
    const told = events.filter(({ type }) => type === 'untracked-skill-candidate');
    expect(told).toMatchObject([
      { agent: 'a', size: 5, words: ['billing', 'centre', 'east', 'memory', 'north', 'south', 'west'] },
    ]);
    expect(reviewer.proposals).toMatchObject([
      { kind: 'memory.skill', payload: { name: 'Billing', scope: ['a'], base: null } },
    ]);
  });

  test('tells of nothing that a skill covers', async () => {
    const { memory, clock } = memoryFor({ consolidation: { sinceHours: 0 } });
    await memory.human('h').skills.create('billing', { name: 'billing', content: 'weekly' });
    for (const where of ['north', 'south', 'east', 'west', 'centre'])
      await memory.agent('a').write({ key: `memory/org/billing/${where}`, value: `the ${where} is billed weekly` });
    clock.advance(DAY);
    expect(await memory.agent('a').consolidate({ grouping: 'key-words' })).toMatchObject({ merged: 4, candidates: 0 });
  });
});

test('an interrupted sweep is finished by the next, one audit entry a batch', async () => {
  const { memory, store } = memoryFor({ permissions: open });
  const writes = Array.from({ length: 2500 }, (_, index) => ({
    key: `memory/k${index}`,
    value: index,
    confidence: 0.05,
  }));
  await memory.agent('a').writeMany(writes);
  const commit = store.commit.bind(store);
  let commits = 0;
  store.commit = (async (...args: Parameters<typeof commit>) => {
    commits += 1;
    if (commits === 2) throw new Error('power failed');
    return commit(...args);
  }) as typeof store.commit;
  await expect(memory.human('h').sweep()).rejects.toThrow('power failed');
  expect((await memory.human('h').sweep()).archived.decayed).toBe(1500);
  const swept = (await store.outbox.pending(5000)).filter(({ entry }) => entry.type === 'memory.swept');
  expect(swept.map(({ entry }) => (entry.data as { records: unknown[] }).records.length)).toEqual([1000, 1000, 500]);
  expect(await memory.agent('a').list()).toEqual([]);
});

test('a sweep goes by the configuration, and refuses settings out of range', async () => {
  const parsed = parseConfig({
    file: 'm',
    text: 'profile: { name: research, lifecycle: { staleness_days: 2, reinforce_rate: 0.3 } }',
  });
  if (parsed.type !== 'ok') throw new Error('faulty');
  const { memory, clock } = memoryFor({ config: parsed.config });
  const written = await memory.agent('a').write({ key: 'memory/k', value: 1, confidence: 0.5 });
  const id = written.type === 'stored' ? written.record.id : '';
  clock.advance(DAY);
  expect(await memory.agent('a').reinforce(id)).toBe(0.8);
  clock.advance(DAY);
  expect((await memory.human('h').sweep()).archived.stale).toBe(0);
  clock.advance(DAY);
  expect((await memory.human('h').sweep()).archived.stale).toBe(1);
  for (const settings of [
    { decayPerDay: -1 },
    { archivalThreshold: 7.5 },
    { stalenessDays: 1.5 },
    { decayPerSweep: Number.NaN },
  ])
    await expect(memory.human('h').sweep(settings)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
});

test('what each sweep takes is stored, and never from people', async () => {
  const { memory, store } = memoryFor({ permissions: open });
  const weak = await memory.agent('a').write({ key: 'memory/a', value: 1, confidence: 0.5 });
  const human = await memory.human('h').write({ key: 'memory/h', value: 1, confidence: 0.5 });
  const ids = [weak, human].map((one) => (one.type === 'stored' ? one.record.id : ''));
  expect(await memory.human('h').sweep({ decayPerSweep: 0.3 })).toMatchObject({ lowered: 1, archived: { decayed: 0 } });
  expect(await memory.human('h').sweep({ decayPerSweep: 0.3 })).toMatchObject({ lowered: 1, archived: { decayed: 1 } });
  expect((await store.records(ids)).map(({ confidence, archived }) => [confidence, archived])).toEqual([
    [0, true],
    [0.5, false],
  ]);
});

describe('quarantine', () => {
  test('takes a record out of use until a person brings it back', async () => {
    const { memory } = memoryFor();
    const written = await memory.agent('a').write({ key: 'memory/k', value: 'crane' });
    const id = written.type === 'stored' ? written.record.id : '';
    expect((await memory.agent('b').quarantine(id, 'odd')).type).toBe('refused');
    await expect(memory.agent('a').quarantine(id, ' ')).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
    expect((await memory.agent('a').quarantine(id, 'odd')).type).toBe('deleted');
    expect((await memory.agent('a').retrieve({ query: 'crane' })).items).toEqual([]);
    const human = memory.human('h');
    expect((await human.quarantined()).map((record) => record.id)).toEqual([id]);
    expect(await human.restore(id)).toMatchObject({ archived: false });
    expect(await human.quarantined()).toEqual([]);
    expect((await memory.agent('a').retrieve({ query: 'crane' })).items).toHaveLength(1);
  });

  test('of a person’s record is not an agent’s to decide', async () => {
    const { memory } = memoryFor({ permissions: open });
    const written = await memory.human('h', { onBehalfOf: 'a' }).write({ key: 'memory/k', value: 'crane' });
    const id = written.type === 'stored' ? written.record.id : '';
    expect((await memory.agent('a').quarantine(id, 'odd')).type).toBe('refused');
    expect((await memory.human('h').quarantine(id, 'odd')).type).toBe('deleted');
  });
});

describe('promotion', () => {
  test('makes a record a person’s, labelled by where it came from unless the person vouches for it', async () => {
    const { memory } = memoryFor();
    const web = { trust: 'web', sources: ['https://x'] } as const;
    const written = await memory
      .agent('a')
      .write({ key: 'memory/working/k', value: 'crane', label: web, subject: 'kim' });
    const id = written.type === 'stored' ? written.record.id : '';
    const promoted = await memory.human('h').promote(id);
    expect(promoted).toMatchObject({
      type: 'stored',
      record: { origin: 'human-approved', agent: 'a', subject: 'kim', label: { trust: 'web' } },
    });
    expect((await memory.agent('a').write({ key: 'memory/working/k', value: 'otter' })).type).toBe('refused');
    const next = promoted.type === 'stored' ? promoted.record.id : '';
    const vouched = await memory.human('h').promote(next, { key: 'memory/long_term/k', vouch: true });
    expect(vouched).toMatchObject({ record: { label: { trust: 'human' }, tier: 'long-term' } });
    await expect(memory.human('h').promote(id)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
  });

  test('by an agent is a question to people', async () => {
    const reviewer = queueReviewer();
    const { memory } = memoryFor({ reviewer });
    const written = await memory.agent('a').write({ key: 'memory/k', value: 'crane' });
    const id = written.type === 'stored' ? written.record.id : '';
    expect((await memory.agent('b').promote(id)).type).toBe('refused');
    const asked = await memory.agent('a').promote(id);
    if (asked.type !== 'proposed') throw new Error(asked.type);
    expect(await memory.agent('a').read('memory/k')).toMatchObject({ record: { origin: 'agent-inferred' } });
    await vote(reviewer, asked.proposalId, 'kim');
    expect(await memory.agent('a').read('memory/k')).toMatchObject({
      record: { origin: 'human-approved', agent: 'a' },
    });
    expect(
      await memoryFor()
        .memory.agent('a')
        .promote('x')
        .catch((error: unknown) => error),
    ).toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
  });
});
