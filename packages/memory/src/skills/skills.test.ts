import type { Digest } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryEvent } from '../events.ts';
import { queueReviewer, vote } from '../testing/reviewer.ts';
import { memoryFor } from '../testing/setup.ts';
import { skillHealth } from './health.ts';
import { EVERYBODY } from './skill.ts';

const DAY = 86_400_000;
const NOTHING = { conflicts: [], files: [], entities: [] };
const input = { name: 'orders guide', content: 'join on customer', scope: ['a'] };

test('versions follow each other, go back, and none is lost', async () => {
  const { memory, clock } = memoryFor();
  const { skills } = memory.human('kim');
  expect(await skills.create('orders', input)).toMatchObject({ type: 'stored', skill: { version: '1.0.0' } });
  expect(await skills.create('orders', input)).toMatchObject({ type: 'refused', reasons: [{ code: 'skill.exists' }] });
  clock.advance(1000);
  for (const content of ['second', 'third']) {
    expect((await skills.update('orders', { content })).type).toBe('stored');
    clock.advance(1000);
  }
  expect((await skills.versions('orders')).map(({ version }) => version)).toEqual(['1.0.0', '2', '3']);
  expect(await skills.update('orders', { content: 'x', version: '2' })).toMatchObject({
    reasons: [{ code: 'skill.version-exists' }],
  });
  expect((await skills.get('orders'))?.skill).toMatchObject({
    version: '3',
    content: 'third',
    name: 'orders guide',
    scope: ['a'],
  });
  expect(await skills.rollback('orders', '1.0.0')).toMatchObject({ type: 'archived', current: { version: '1.0.0' } });
  expect((await skills.get('orders'))?.skill.content).toBe('join on customer');
  expect(await memory.agent('a').skills.list()).toHaveLength(1);
  await skills.archive('orders', '1.0.0');
  expect(await skills.list()).toEqual([]);
  expect(await skills.update('orders', { content: 'x' })).toMatchObject({ reasons: [{ code: 'skill.unknown' }] });
  expect(await memory.check()).toEqual([]);
});

test('an agent gets the skills of its scope and cannot change one by any path', async () => {
  const { memory } = memoryFor();
  const { skills } = memory.human('kim');
  await skills.create('orders', input);
  await skills.create('all', { ...input, content: 'be kind', scope: [EVERYBODY] });
  await skills.create('none', { ...input, scope: [] });
  const ids = async (agent: string) => (await memory.agent(agent).skills.list()).map(({ skill }) => skill.id);
  expect(await ids('a')).toEqual(['all', 'orders']);
  expect(await ids('b')).toEqual(['all']);
  expect(await memory.agent('b').skills.get('orders')).toBeUndefined();
  expect((await memory.agent('b').skills.search('customer')).map(({ skill }) => skill.id)).toEqual([]);
  expect((await memory.agent('a').skills.search('JOINING customers')).map(({ skill }) => skill.id)).toEqual(['orders']);
  expect((await memory.agent('a').write({ key: 'skills/orders', value: 'mine' })).type).toBe('refused');
  expect((await memory.agent('a').delete('skills/orders')).type).toBe('refused');
});

describe('health', () => {
  const now = '2026-06-01T00:00:00.000Z';
  const aged = (days: number, validation: number | null = null) =>
    skillHealth({ updatedAt: new Date(Date.parse(now) - days * DAY).toISOString(), validation }, NOTHING, now);

  test('falls with age after 30 days, and says so', () => {
    expect([0, 30, 30.9, 31, 43, 44, 60, 400].map((days) => aged(days).score)).toEqual([
      1, 1, 1, 0.97, 0.61, 0.58, 0.1, 0.1,
    ]);
    expect(aged(43).stale).toBe(false);
    expect(aged(44)).toMatchObject({ stale: true, reasons: [{ code: 'skill.staleness', data: { days: 44 } }] });
    expect(aged(31, 1).score).toBe(0.982);
    expect(aged(1, 0).score).toBe(0.6);
  });

  test('is from 0 to 1 and never rises with age, conflicts or drift', () => {
    const list = fc.array(fc.string(), { maxLength: 8 });
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 400, noNaN: true }),
        fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
        list,
        list,
        (days, validation, conflicts, files) => {
          const updatedAt = new Date(Date.parse(now) - days * DAY).toISOString();
          const one = skillHealth({ updatedAt, validation }, { conflicts, files, entities: [] }, now);
          expect(one.score).toBeGreaterThanOrEqual(0);
          expect(one.score).toBeLessThanOrEqual(1);
          const worse = [
            skillHealth({ updatedAt, validation }, { conflicts: [...conflicts, 'x'], files, entities: [] }, now),
            skillHealth({ updatedAt, validation }, { conflicts, files: [...files, 'x'], entities: ['y'] }, now),
            skillHealth(
              { updatedAt: new Date(Date.parse(updatedAt) - DAY).toISOString(), validation },
              { conflicts, files, entities: [] },
              now,
            ),
          ];
          for (const other of worse) expect(other.score).toBeLessThanOrEqual(one.score);
        },
      ),
    );
  });

  test('falls when a linked file changes, when what it speaks of changes, and when that is disputed', async () => {
    const digests = new Map<string, Digest | null>([['models/orders.sql', 'sha256:1']]);
    const { memory, clock } = memoryFor({
      fileDigest: async (path) => digests.get(path) ?? null,
      embedder: {
        name: 'same',
        version: '1',
        dimensions: 1,
        embed: async (texts) => texts.map(() => Float32Array.of(1)),
      },
    });
    const { skills } = memory.human('kim');
    await skills.create('orders', { ...input, entities: ['Orders'], files: ['models/orders.sql'] });
    const health = async () => (await skills.get('orders'))?.health;
    const codes = async () => (await health())?.reasons.map(({ code }) => code);
    expect(await codes()).toEqual([]);
    await memory.agent('a').write({ key: 'memory/org/orders', value: 'daily', entities: ['orders'] });
    expect(await codes()).toEqual([]);
    clock.advance(1000);
    await memory.agent('a').write({ key: 'memory/org/orders', value: 'hourly', entities: ['orders'] });
    expect(await health()).toMatchObject({
      score: 0.85,
      reasons: [{ code: 'skill.drift', data: { files: [], entities: ['Orders'] } }],
    });
    digests.set('models/orders.sql', null);
    expect(await health()).toMatchObject({ score: 0.7, reasons: [{ data: { files: ['models/orders.sql'] } }] });
    for (const key of ['memory/org/x', 'memory/org/y'])
      await memory.agent('a').write({ key, value: key, entities: ['orders'], subject: 's' });
    expect(await health()).toMatchObject({ score: 0.6, reasons: [{ code: 'skill.conflicts' }, {}] });
  });

  test('of the version in force is moved by how it did when it was tried, and does not make its text younger', async () => {
    const { memory, clock } = memoryFor();
    const { skills } = memory.human('kim');
    await skills.create('orders', input);
    clock.advance(32 * DAY);
    await skills.validate('orders', 0);
    expect((await skills.get('orders'))?.health.score).toBe(0.564);
    expect((await skills.versions('orders')).map(({ version }) => version)).toEqual(['1.0.0']);
    for (const score of [-1, 1.5, Number.NaN])
      await expect(skills.validate('orders', score)).rejects.toMatchObject({ code: 'MEMORY_INVALID_ARGUMENT' });
  });
});

test('a stale skill is told of once, and warned of before content in every recall', async () => {
  const { memory, clock } = memoryFor();
  const events: MemoryEvent[] = [];
  memory.subscribe((event) => void events.push(event));
  await memory.human('kim').skills.create('orders', input);
  await memory.agent('a').write({ key: 'memory/working/x', value: 'crane' });
  clock.advance(45 * DAY);
  for (let times = 0; times < 2; times += 1) {
    const recall = await memory.agent('a').retrieve({ query: 'crane' });
    expect(recall.skillWarnings).toMatchObject([{ skillId: 'orders', health: 0.55, codes: ['skill.staleness'] }]);
  }
  expect((await memory.agent('b').retrieve({ query: 'crane' })).skillWarnings).toEqual([]);
  expect(events.filter(({ type }) => type === 'skill-stale')).toEqual([
    { type: 'skill-stale', skillId: 'orders', version: '1.0.0', health: 0.55 },
  ]);
});

test('what is remembered about a skill’s subject asks for its review', async () => {
  const { memory } = memoryFor();
  const events: MemoryEvent[] = [];
  memory.subscribe((event) => void events.push(event));
  const { skills } = memory.human('kim');
  await skills.create('orders', { ...input, name: 'guide', entities: ['models/tax.sql'] });
  const keys = async (key: string, entities: readonly string[] = []) => {
    events.length = 0;
    await memory.agent('a').write({ key, value: key, entities });
    return events.filter(({ type }) => type === 'skill-review-needed').length;
  };
  expect(await keys('memory/working/orders/daily')).toBe(1);
  expect(await keys('memory/working/other')).toBe(0);
  expect(await keys('memory/working/another', ['models/TAX.sql'])).toBe(1);
  await skills.archive('orders', '1.0.0');
  expect(await keys('memory/working/orders/weekly')).toBe(0);
});

test('with an embedder, what means the same asks for a review though it shares no word', async () => {
  let embedded = 0;
  const embedder = {
    name: 'test',
    version: '1',
    dimensions: 2,
    embed: async (texts: readonly string[]) => {
      embedded += texts.length;
      return texts.map((text) => Float32Array.from(/revenue|turnover/.test(text) ? [1, 0.1] : [0.1, 1]));
    },
  };
  const { memory } = memoryFor({ embedder });
  const events: MemoryEvent[] = [];
  memory.subscribe((event) => void events.push(event));
  await memory.human('kim').skills.create('finance', { ...input, name: 'ledger', content: 'revenue is net' });
  events.length = 0;
  const agent = memory.agent('a');
  await agent.write({ key: 'memory/working/x', value: 'turnover of May' });
  await agent.write({ key: 'memory/working/y', value: 'the crane is red' });
  await agent.write({ key: 'memory/working/finance', value: 'the crane is red' });
  expect(events.map((event) => (event.type === 'skill-review-needed' ? [event.key, event.by] : event.type))).toEqual([
    ['memory/working/x', 'meaning'],
    ['memory/working/finance', 'words'],
  ]);
  const before = embedded;
  await agent.writeMany([
    { key: 'memory/working/a', value: 'one' },
    { key: 'memory/working/b', value: 'two' },
  ]);
  expect(embedded - before).toBe(2);
});

describe('a draft', () => {
  test('is no skill until somebody else approves it, and names both', async () => {
    const reviewer = queueReviewer();
    const { memory } = memoryFor({ reviewer });
    const draft = await memory.agent('a').skills.propose(input);
    if (draft.type !== 'proposed') throw new Error('not proposed');
    expect(draft).toMatchObject({ skillId: 'orders-guide', rivals: [] });
    expect(await memory.human('kim').skills.list()).toEqual([]);
    expect((await memory.agent('a').retrieve({ query: 'customer join' })).items).toEqual([]);
    expect((await vote(reviewer, draft.proposalId, 'a')).type).toBe('queued');
    expect(await vote(reviewer, draft.proposalId, 'kim')).toMatchObject({ type: 'approved', applied: 'yes' });
    expect((await memory.human('kim').skills.get('orders-guide'))?.skill).toMatchObject({
      content: 'join on customer',
      authoredBy: 'a',
      recordId: draft.proposalId,
      label: { trust: 'human', sources: ['human:kim', 'agent:a'] },
    });
  });

  test('approved by its proposer is refused even by a queue that lets it pass', async () => {
    const reviewer = queueReviewer();
    const { memory } = memoryFor({ reviewer });
    const kinds: Parameters<typeof reviewer.register>[0][] = [];
    const careless = { ...reviewer, register: (kind: (typeof kinds)[number]) => void kinds.push(kind) };
    const other = memoryFor({ reviewer: careless });
    await other.memory.agent('a').skills.propose(input);
    const proposal = reviewer.proposals[0];
    if (proposal === undefined) throw new Error('nothing filed');
    const kind = kinds.find((one) => one.kind === 'memory.skill');
    expect(await kind?.apply(proposal, { by: 'a', at: proposal.proposedAt, auto: false })).toMatchObject({
      type: 'refused',
      reasons: [{ code: 'memory.self-approval' }],
    });
    expect(await other.memory.human('kim').skills.list()).toEqual([]);
    expect(await memory.human('kim').skills.list()).toEqual([]);
  });

  test('is held against the skill it is for and the drafts that wait', async () => {
    const reviewer = queueReviewer();
    const { memory, clock } = memoryFor({ reviewer });
    const { skills } = memory.human('kim');
    await skills.create('orders-guide', input);
    const a = memory.agent('a').skills;
    expect(await a.propose(input)).toMatchObject({ type: 'refused', reasons: [{ code: 'skill.no-change' }] });
    const first = await a.propose({ ...input, content: 'join on id' });
    expect(await a.propose({ ...input, content: 'join on id' })).toMatchObject({ type: 'known' });
    const second = await memory.agent('b').skills.propose({ ...input, content: 'join on mail' });
    if (first.type !== 'proposed' || second.type !== 'proposed') throw new Error('not proposed');
    expect(second.rivals).toEqual([first.proposalId]);
    clock.advance(1000);
    expect((await vote(reviewer, first.proposalId, 'kim')).type).toBe('approved');
    expect(await vote(reviewer, second.proposalId, 'kim')).toMatchObject({
      type: 'queued',
      reasons: [{ code: 'skill.target-moved' }],
    });
    expect((await skills.get('orders-guide'))?.skill).toMatchObject({
      version: '2',
      content: 'join on id',
      authoredBy: 'a',
    });
    await skills.rollback('orders-guide', '1.0.0');
    expect((await skills.get('orders-guide'))?.skill.content).toBe('join on customer');
  });

  test('without a reviewer, under a key that is none, or where proposals are forbidden is refused', async () => {
    const { memory } = memoryFor();
    expect(await memory.agent('a').skills.propose(input)).toMatchObject({ reasons: [{ code: 'memory.no-reviewer' }] });
    const reviewer = queueReviewer();
    const ruled = memoryFor({
      reviewer,
      permissions: {
        defaultPolicy: 'deny',
        protectedPrefixes: [],
        agents: { a: { canWrite: [], canRead: [], canDelete: [], cannotWrite: ['proposal/'] } },
      },
    });
    expect(await ruled.memory.agent('a').skills.propose(input)).toMatchObject({
      reasons: [{ code: 'memory.explicit-deny' }],
    });
    expect((await ruled.memory.agent('b').skills.propose(input)).type).toBe('proposed');
    expect((await ruled.memory.agent('b').skills.propose({ ...input, id: '../x' })).type).toBe('refused');
  });
});
