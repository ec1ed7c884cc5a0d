import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { disagreements } from '../disagreement.ts';
import type { MemoryPermissions } from '../permissions.ts';
import { queueReviewer, vote } from '../testing/reviewer.ts';
import { memoryFor } from '../testing/setup.ts';

const DAY = 86_400_000;
const open: MemoryPermissions = { defaultPolicy: 'allow', protectedPrefixes: [], agents: {} };

describe('disagreement', () => {
  test.each([
    ['revenue is 10', 'revenue is 99, never 10', true],
    ['revenue is 10', 'revenue is 99', true],
    ['The cache is enabled by default.', 'The cache is disabled by default.', true],
    ['Use tabs in Go files', 'Never use tabs in Go files', true],
    ['owner: kim', 'owner: lee', true],
    ['Kim lives in Bern', 'Kim lives in Basel', true],
    ['The orders model is built nightly', 'The orders model joins customers', false],
    ['revenue is 10', 'revenue is 10', false],
    ['revenue is 10', 'costs are 99', false],
    ['Kim likes tea', 'Kim likes green tea', false],
    ['a crane', 'not an otter', false],
    ['Kim drinks tea at noon', 'Kim never drinks green tea', false],
    ['Kim drinks green tea at noon', 'Kim never drinks green tea', true],
    ['', 'anything', false],
  ])('of %j and %j: %j', (a, b, expected) => {
    expect(disagreements(a, b).length > 0).toBe(expected);
    expect(disagreements(b, a).length > 0).toBe(expected);
  });

  const words = fc.array(
    fc.constantFrom('kim', 'tea', 'is', 'not', 'never', '10', '12', 'always', 'on', 'off', ':', 'rate'),
    { maxLength: 8 },
  );

  test('is mutual, and no statement contradicts itself', () => {
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [left, right] = [a.join(' '), b.join(' ')];
        expect(disagreements(left, right).length > 0).toBe(disagreements(right, left).length > 0);
        expect(disagreements(left, left)).toEqual([]);
      }),
    );
  });

  test('is looked for in the beginning of very long texts', () => {
    const long = 'the rate is not 1. '.repeat(20_000);
    expect(disagreements(long, long.replaceAll('1', '2')).length).toBeGreaterThan(0);
  });
});

async function messy() {
  const reviewer = queueReviewer();
  const made = memoryFor({ permissions: open, reviewer });
  const agent = made.memory.agent('a');
  const write = async (key: string, value: string, more: object = {}) => {
    const written = await agent.write({ key, value, ...more });
    return written.type === 'stored' ? written.record.id : '';
  };
  const first = await write('memory/a', 'the crane stands in the northern harbour');
  await write('memory/b', 'the crane stands in the northern harbour', { confidence: 0.4 });
  await write(
    'memory/c',
    'the crane stands in the old northern harbour of the town since spring and the small boats pass it every day',
  );
  await write(
    'memory/d',
    'the crane stands in the old northern harbour of the town since spring and the boats pass it every day',
    { confidence: 0.4 },
  );
  await write('memory/rate', 'the billing rate is 10', { subject: 's' });
  await write('memory/rate2', 'the billing rate is 12', { subject: 's' });
  await write('memory/other', 'the billing rate is 14', { subject: 't' });
  const echo = await write('memory/echo', 'crane northern harbour', { sources: [first] });
  await write('memory/orphan', 'made of nothing', { sources: ['gone'] });
  await made.memory.human('h').write({ key: 'memory/human', value: 'approved twice' });
  await made.memory.human('h').write({ key: 'memory/human2', value: 'approved twice' });
  await made.memory
    .human('h')
    .skills.create('crane', { name: 'crane', content: 'the crane stands in the northern harbour' });
  return { ...made, reviewer, agent, first, echo };
}

test('a report finds what is wrong, and nothing of people or about others is to go', async () => {
  const { memory, clock, agent, first, echo } = await messy();
  await agent.retrieve({ query: 'crane northern harbour', session: 's', limit: 1 });
  clock.advance(40 * DAY);
  const report = await memory.human('h').hygiene();
  expect(report.counts).toEqual({
    duplicates: 2,
    nearDuplicates: 1,
    contradictions: 1,
    orphans: 1,
    neverRetrieved: 8,
    echoes: 1,
  });
  expect(report.duplicates.map(({ keys }) => keys)).toEqual([
    ['memory/a', 'memory/b'],
    ['memory/human', 'memory/human2'],
  ]);
  expect(report.nearDuplicates[0]?.keys).toEqual(['memory/c', 'memory/d']);
  expect(report.contradictions[0]).toMatchObject({ keys: ['memory/rate', 'memory/rate2'], by: 'number' });
  expect(report.orphans[0]).toMatchObject({ key: 'memory/orphan', missing: ['gone'] });
  expect(report.echoes).toEqual([{ record: echo, key: 'memory/echo', of: [first] }]);
  expect(report.growth).toEqual([
    { agent: 'a', records: 9, lastWeek: 0, lastMonth: 0 },
    { agent: 'h', records: 2, lastWeek: 0, lastMonth: 0 },
  ]);
  const keys = new Map((await agent.list()).map((record) => [record.id, record.key]));
  expect(report.cleanUp.map(({ record, why }) => [keys.get(record), why])).toEqual([
    ['memory/b', 'duplicate'],
    ['memory/d', 'near-duplicate'],
    ['memory/echo', 'echo'],
  ]);
});

test('a clean-up is a proposal that somebody else approves, and comes back', async () => {
  const { memory, reviewer } = await messy();
  const human = memory.human('h');
  const { cleanUp } = await human.hygiene();
  const asked = await human.proposeCleanUp(cleanUp);
  if (asked.type !== 'proposed') throw new Error(asked.type);
  const before = (await human.list('memory/')).length;
  expect((await vote(reviewer, asked.proposalId, 'h')).type).toBe('queued');
  expect((await human.list('memory/')).length).toBe(before);
  expect((await vote(reviewer, asked.proposalId, 'kim')).type).toBe('approved');
  expect((await human.list('memory/')).length).toBe(before - 3);
  await human.restore(cleanUp[0]?.record ?? '');
  expect((await human.list('memory/')).length).toBe(before - 2);
  expect(await human.proposeCleanUp([])).toEqual({ type: 'nothing' });
  expect((await memoryFor().memory.human('h').proposeCleanUp(cleanUp)).type).toBe('refused');
});
