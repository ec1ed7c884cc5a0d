import type { MemoryRecord } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askedDates, dateLikeness } from './asked-dates.ts';
import { type Candidate, DEFAULT_WEIGHTS, rank } from './ranking.ts';
import { DEFAULT_FACTORS, DIALOGUE_FACTORS, factorFaults, type RankingFactors } from './ranking-factors.ts';
import { memoryFor } from './testing/setup.ts';

const NONE: RankingFactors = { session: 0, following: 0, vicinity: 0, date: 0, answer: 0, speaker: 0, question: 0 };
/** Two conversations of people who do not exist. */
const TURNS: readonly (readonly [session: string, day: string, speaker: string, text: string])[] = [
  ['one', '2025-03-04', 'Ida', 'I have bought a kayak at last!'],
  ['one', '2025-03-04', 'Ben', 'Which colour did you take?'],
  ['one', '2025-03-04', 'Ida', 'The yellow one, it was the cheapest.'],
  ['one', '2025-03-04', 'Ben', 'My boat is in the shed since winter.'],
  ['two', '2025-05-20', 'Ben', 'I paddled to the island with the club.'],
  ['two', '2025-05-20', 'Ida', 'How long did the island trip take?'],
  ['two', '2025-05-20', 'Ben', 'Six hours, with a rest at noon.'],
  ['two', '2025-05-20', 'Ida', 'I repaired the seat of mine meanwhile.'],
  ['three', '2025-06-11', 'Ida', 'The seat broke again on the river.'],
  ['three', '2025-06-11', 'Ben', 'Take the spare seat from my shed.'],
];
const ASKED: readonly (readonly [query: string, gold: number])[] = [
  ['What did Ida say about her seat in May?', 7],
  ['How long was the trip to the island?', 6],
  ['What did Ben offer when the seat broke?', 9],
  ['Which colour did Ida take?', 2],
  ['What did Ida buy?', 0],
];

async function conversation(factors: Partial<RankingFactors>) {
  const { memory } = memoryFor({ factors });
  const agent = memory.agent('a');
  await agent.writeMany(
    TURNS.map(([session, day, speaker, value], index) => ({
      key: `memory/episodic/turn-${index}`,
      value,
      session,
      speaker,
      sequence: index,
      validFrom: `${day}T12:00:00Z`,
    })),
  );
  return agent;
}

async function placeOf(agent: Awaited<ReturnType<typeof conversation>>, query: string, gold: number): Promise<number> {
  const { items } = await agent.retrieve({ query });
  const place = items.findIndex(({ record }) => record.sequence === gold);
  return place < 0 ? TURNS.length : place;
}

function candidate(own: number, record: Partial<MemoryRecord>, index: number): Candidate {
  const id = `r${index}`;
  const base = { id, key: `memory/${id}`, value: 'x', entities: [], directories: [], confidence: 1, retrievals: 0 };
  const times = {
    recordedAt: '2025-01-01T00:00:00.000Z',
    validFrom: '2025-01-01T00:00:00.000Z',
    lastRetrievedAt: null,
  };
  const whose = { agent: 'a', subject: null, session: null, speaker: null, sequence: null };
  const label = { trust: 'agent', sources: [] };
  return {
    record: { ...base, ...times, ...whose, label, ...record } as unknown as MemoryRecord,
    own,
    context: own,
    cosine: null,
    entities: 0,
  };
}

describe('factors of dialogue', () => {
  test('find together what was said in conversations better than words alone', async () => {
    const places = async (factors: Partial<RankingFactors>): Promise<number> => {
      const agent = await conversation(factors);
      let sum = 0;
      for (const [query, gold] of ASKED) sum += await placeOf(agent, query, gold);
      return sum;
    };
    const plain = await places(NONE);
    expect(await places(DIALOGUE_FACTORS)).toBeLessThan(plain);
  });

  test('each explains its part, and the parts come to the score', async () => {
    const agent = await conversation(DIALOGUE_FACTORS);
    const { items } = await agent.retrieve({ query: 'What did Ida say about her seat in May?' });
    const of = (sequence: number) => items.find(({ record }) => record.sequence === sequence)?.signals;
    expect(of(7)?.date).toMatchObject({ value: 1 });
    expect(of(7)?.speaker).toEqual({ value: 0, part: 0 });
    expect(of(8)?.date.value).toBeCloseTo(0.4);
    expect(of(9)?.speaker).toMatchObject({
      value: 1,
      part: expect.closeTo(-DIALOGUE_FACTORS.speaker * relevanceOf(of(9)), 9),
    });
    for (const { score, signals } of items)
      expect(Object.values(signals).reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(score, 9);
    const island = await agent.retrieve({ query: 'How long was the island trip?' });
    const answer = island.items.find(({ record }) => record.sequence === 6);
    expect(answer?.signals.answer.value).toBe(1);
    const question = island.items.find(({ record }) => record.sequence === 5);
    expect(question?.signals.question.part).toBeLessThan(0);
    expect(question?.signals.following.value).toBe(0);
    expect(island.items.find(({ record }) => record.sequence === 4)?.signals.following.value).toBe(1);
    expect(question?.signals.session.value).toBe(1);
  });

  test('by default only the speaker counts, and with all off the order is that of the words', () => {
    const { speaker, ...others } = DEFAULT_FACTORS;
    expect(speaker).toBeGreaterThan(0);
    expect(new Set(Object.values(others))).toEqual(new Set([0]));
    const weights = {
      ...DEFAULT_WEIGHTS,
      text: 1,
      context: 0,
      vector: 0,
      entities: 0,
      trust: 0,
      recency: 0,
      confidence: 0,
      usefulness: 0,
      workspace: 0,
    };
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            own: fc.integer({ min: 1, max: 50 }),
            session: fc.constantFrom('s', 't', null),
            speaker: fc.constantFrom('Ida', 'Ben', null),
            sequence: fc.option(fc.nat(9)),
            value: fc.constantFrom('a?', 'a'),
          }),
          { maxLength: 30 },
        ),
        (rows) => {
          const candidates = rows.map(({ own, ...record }, index) => candidate(own, record, index));
          const ranked = rank(candidates, {
            now: '2025-02-01T00:00:00Z',
            directories: [],
            weights,
            factors: NONE,
            query: 'Ida in January 2025?',
          });
          const byWords = [...candidates].sort((a, b) => b.own - a.own || (a.record.id < b.record.id ? -1 : 1));
          expect(ranked.map(({ record }) => record.id)).toEqual(byWords.map(({ record }) => record.id));
        },
      ),
    );
  });

  test('scores stay from 0 to 1 under any factors, and relevance keeps its share', () => {
    const one = fc.record({
      own: fc.nat(9),
      session: fc.constantFrom('s', 't', null),
      speaker: fc.constantFrom('Ida', 'Ben', null),
      sequence: fc.option(fc.nat(9)),
      value: fc.constantFrom('a?', 'a'),
      cosine: fc.option(fc.double({ min: -1, max: 1, noNaN: true })),
    });
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const factors = fc.record({
      session: share,
      following: share,
      vicinity: share,
      date: share,
      answer: share,
      speaker: share,
      question: share,
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 20 }), factors, (rows, some) => {
        const candidates = rows.map(({ own, cosine, ...record }, index) => ({
          ...candidate(own, record, index),
          cosine,
        }));
        for (const { score } of rank(candidates, {
          now: '2025-02-01T00:00:00Z',
          directories: [],
          weights: DEFAULT_WEIGHTS,
          factors: some,
          query: 'what did Ida say in January?',
        })) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });

  test('the speaker counts only where exactly one is named, and records of nobody lose nothing', () => {
    const candidates = [
      candidate(5, { speaker: 'Ida Berg' }, 0),
      candidate(5, { speaker: 'Ben' }, 1),
      candidate(5, {}, 2),
    ];
    const lost = (query: string) => {
      const ranked = rank(candidates, {
        now: '2025-02-01T00:00:00Z',
        directories: [],
        weights: DEFAULT_WEIGHTS,
        query,
      });
      return ranked.filter(({ signals }) => signals.speaker.part < 0).map(({ record }) => record.id);
    };
    expect(lost('what does IDA BERG like?')).toEqual(['r1']);
    expect(lost('what does ben like?')).toEqual(['r0']);
    expect(lost('Ida Berg and Ben')).toEqual([]);
    expect(lost('what about Benjamin?')).toEqual([]);
  });

  test('what is said around a record tells its meaning, within its session', () => {
    const cosines = [0.1, 0.9, 0.4, 0.1, 0.1, 0.4];
    const candidates = cosines.map((cosine, index) => ({
      ...candidate(1, { session: index < 5 ? 's' : 't', sequence: index }, index),
      cosine,
    }));
    const ranked = (some: readonly Candidate[]) =>
      rank(some, {
        now: '2025-02-01T00:00:00Z',
        directories: [],
        weights: { ...DEFAULT_WEIGHTS, text: 0.6, context: 0, vector: 0 },
        factors: { ...NONE, vicinity: 1 },
        query: 'x',
      });
    const values = new Map(ranked(candidates).map(({ record, signals }) => [record.id, signals.vicinity.value]));
    // Less their mean: 0.371, 0.522, 0.38, 0.256, 0.143 and 0.4, each with its neighbours by their distance.
    const expected = [0.147, 1, 0.196, 0, 0, 0.309];
    for (const [index, value] of expected.entries()) expect(values.get(`r${index}`)).toBeCloseTo(value, 2);
    const blind = ranked(candidates.map((one) => ({ ...one, cosine: null })));
    expect(new Set(blind.map(({ signals }) => signals.vicinity.value))).toEqual(new Set([0]));
  });

  test('factors out of range are refused', () => {
    expect(factorFaults({ ...NONE, date: 2 })).toHaveLength(1);
    expect(() => memoryFor({ factors: { speaker: Number.NaN } })).toThrow(
      expect.objectContaining({ code: 'MEMORY_INVALID_ARGUMENT' }),
    );
  });
});

function relevanceOf(signals: ReturnType<typeof rank>[number]['signals'] | undefined): number {
  const names = [
    'text',
    'context',
    'vector',
    'entities',
    'session',
    'following',
    'vicinity',
    'date',
    'answer',
  ] as const;
  return names.reduce((sum, name) => sum + (signals?.[name].part ?? 0), 0);
}

describe('dates that a query names', () => {
  test.each([
    ['what happened in May 2023?', { years: [2023], months: [5], days: [] }],
    ['on 8 May, 2023', { years: [2023], months: [5], days: [8] }],
    ['on March 3rd', { years: [], months: [3], days: [3] }],
    ['since sept 2022', { years: [2022], months: [9], days: [] }],
    ['before 2024-02-29', { years: [2024], months: [2], days: [29] }],
    ['between June and July', { years: [], months: [6, 7], days: [] }],
    ['in 2021', { years: [2021], months: [], days: [] }],
  ])('%s', (query, asked) => {
    expect(askedDates(query)).toEqual(asked);
  });

  test.each(['may I march on?', 'who was it', '12 apples', 'room 1850', 'the marching band', ''])(
    '%s names none',
    (query) => {
      expect(askedDates(query)).toBeNull();
    },
  );

  test('a time in the month after counts less, over the end of a year too', () => {
    const december = askedDates('in December 2022');
    if (december === null) throw new Error('no date');
    expect(dateLikeness(december, '2022-12-24T00:00:00Z')).toBe(1);
    expect(dateLikeness(december, '2023-01-10T00:00:00Z')).toBe(0.4);
    expect(dateLikeness(december, '2022-11-10T00:00:00Z')).toBe(0);
    expect(dateLikeness(december, '2023-12-10T00:00:00Z')).toBe(0);
    const day = askedDates('8 May 2023');
    expect(day === null ? 0 : dateLikeness(day, '2023-05-08T12:00:00Z')).toBe(1.5);
  });
});
