import type { DepthLevel, Json, Primitive } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { known, view } from '../../test/graphs.ts';
import { ground } from '../ground.ts';
import { checkEntries } from '../record.ts';
import {
  type ActOutcome,
  createGuardReader,
  type ExperienceRecord,
  foldExperience,
  graphHealth,
  recordOfTrace,
} from './index.ts';

const day = (at: number) => new Date(Date.UTC(2026, 0, 1) + at * 86_400_000).toISOString();
const one = { concept: 'delete', level: 3 as DepthLevel };
const acted = (at: number, outcome: ActOutcome): ExperienceRecord => ({
  type: 'acted',
  at: day(at),
  outcome,
  exercised: [one],
});
const confidence = (records: readonly ExperienceRecord[], at: number) =>
  foldExperience(records, { at: day(at) }).get('concept:delete/3')?.confidence ?? 0;

describe('confidence', () => {
  it('is reinforced by success, lowered by failure, and decays when nothing uses it', () => {
    const once = confidence([acted(0, 'ok')], 0);
    expect(confidence([acted(0, 'ok'), acted(0, 'ok')], 0)).toBeGreaterThan(once);
    expect(confidence([acted(0, 'ok'), acted(0, 'error')], 0)).toBeLessThan(once);
    expect(confidence([acted(0, 'ok')], 30)).toBeLessThan(once / 1.9);
    expect(foldExperience([acted(0, 'ok')], { at: day(30) }).get('concept:delete/3')?.freshness).toBeCloseTo(0.5);
  });

  const outcome = fc.constantFrom<ActOutcome>('ok', 'error', 'blocked', 'declined', 'ungrounded');
  const records = fc
    .array(fc.tuple(fc.nat(100), outcome), { maxLength: 20 })
    .map((drawn) => drawn.map(([at, end]) => acted(at, end)));

  it('lies between 0 and 1, whatever the order, and only falls with time', () => {
    fc.assert(
      fc.property(records, fc.nat(1000), (drawn, wait) => {
        const now = confidence(drawn, 100);
        expect(now).toBeGreaterThanOrEqual(0);
        expect(now).toBeLessThanOrEqual(1);
        expect(confidence([...drawn].reverse(), 100)).toBeCloseTo(now, 12);
        expect(confidence(drawn, 100 + wait)).toBeLessThanOrEqual(Math.max(now, 0.5) + 1e-12);
      }),
    );
  });

  it('never falls by a success, and never rises by a failure at the same moment', () => {
    fc.assert(
      fc.property(records, (drawn) => {
        const before = confidence([...drawn, acted(100, 'ok')], 100);
        expect(confidence([...drawn, acted(100, 'ok'), acted(100, 'ok')], 100)).toBeGreaterThanOrEqual(before);
        expect(confidence([...drawn, acted(100, 'ok'), acted(100, 'error')], 100)).toBeLessThanOrEqual(before);
      }),
    );
  });

  it('knows nothing of what comes later', () => {
    expect(foldExperience([acted(5, 'ok')], { at: day(4) }).size).toBe(0);
  });

  it.each([
    ['at', { at: 'yesterday' }],
    ['halfLifeDays', { at: day(0), halfLifeDays: 0 }],
    ['halfLifeDays', { at: day(0), halfLifeDays: Number.NaN }],
    ['weights.error', { at: day(0), weights: { error: -1 } }],
  ])('refuses a wrong setting: %s', (setting, settings) => {
    expect(() => foldExperience([], settings)).toThrow(
      expect.objectContaining({ code: 'GROUNDING_SETTINGS_INVALID', data: { setting } }),
    );
  });

  it('goes by the weights and the half-life that it is given', () => {
    const [records, at] = [[acted(0, 'ok'), acted(0, 'error')], day(0)];
    const heavy = foldExperience(records, { at, weights: { error: 10 } }).get('concept:delete/3');
    expect(heavy?.confidence).toBeLessThan(confidence(records, 0));
    const short = foldExperience(records, { at: day(1), halfLifeDays: 1 }).get('concept:delete/3');
    expect(short?.freshness).toBeCloseTo(0.5);
  });
});

describe('records', () => {
  it('of a check hold each concept at the level that was used, and gaps apart', () => {
    const step = { source: 'Delete', sourceDepth: 3, relation: 'requires', target: 'path', targetDepth: 2 } as const;
    const gap = { type: 'depth', concept: 'file', required: 2, current: 1, missing: [2], remedy: {} } as const;
    const trace = { at: day(0), minDepth: 1, resolved: ['Delete', 'file'], steps: [step], gaps: [gap] } as const;
    expect(recordOfTrace(trace)).toEqual({
      type: 'checked',
      at: day(0),
      grounded: [
        { concept: 'delete', level: 3 },
        { concept: 'path', level: 2 },
      ],
      failed: [{ concept: 'file', level: 2 }],
    });
  });

  it('of guards tell how each act ended, by facts, verdict and observation', () => {
    const read = createGuardReader();
    const edge = { source: 'delete', sourceDepth: 3, relation: 'applies-to', target: 'file', targetDepth: 2 };
    const facts = { id: 'f', type: 'guard.facts', time: day(0), data: { resolved: ['delete', 'file'], edges: [edge] } };
    const verdict = (id: string, outcome: string) => ({
      id,
      type: 'guard.verdict',
      time: day(1),
      data: { facts: 'f', outcome },
    });
    expect(read(facts)).toEqual([]);
    expect(read(verdict('v', 'run'))).toEqual([]);
    expect(read(verdict('p', 'pending'))).toEqual([]);
    expect(read(verdict('b', 'blocked'))).toMatchObject([{ type: 'acted', outcome: 'blocked' }]);
    const seen = { id: 'o', type: 'guard.observation', time: day(2), data: { outcome: 'error' }, causationId: 'v' };
    const exercised = [
      { concept: 'delete', level: 3 },
      { concept: 'file', level: 2 },
    ];
    expect(read(seen)).toEqual([{ type: 'acted', at: day(2), outcome: 'error', exercised }]);
    expect(read(seen)).toEqual([]);
    for (const data of [null, 7, 'x', [], { resolved: 7, edges: [7, null] }])
      expect(read({ id: 'x', type: 'guard.facts', time: day(0), data })).toEqual([]);
  });
});

describe('records with a view', () => {
  const graph = view(
    known('delete', 3, { 3: [['constrained-by', 'permission', 2]] }),
    known('permission', 2),
    known('file', 1),
  );
  const recorded = (concepts: readonly string[], outcome: string, minDepth: DepthLevel | null = null) => {
    const result = ground(graph, { concepts });
    const query = { concepts };
    const contents = checkEntries({ id: 'check', at: day(0), view: graph, query, result });
    const read = createGuardReader();
    const entries = [
      ...contents,
      { id: 'f', type: 'guard.facts', data: { resolved: concepts, edges: [] } },
      { id: 'v', type: 'guard.verdict', data: { facts: 'f', outcome, minDepth, inputs: { view: result.view } } },
      { id: 'o', type: 'guard.observation', data: { outcome: 'ok' }, causationId: 'v' },
    ];
    return entries.flatMap((entry) => read({ ...entry, time: day(1) }));
  };

  it('tell every level that an act stood on, also where no policy was asked about it', () => {
    const exercised = [
      { concept: 'delete', level: 3 },
      { concept: 'permission', level: 2 },
    ];
    expect(recorded(['delete'], 'run')).toEqual([{ type: 'acted', at: day(1), outcome: 'ok', exercised }]);
    expect(recorded(['delete'], 'blocked')).toEqual([{ type: 'acted', at: day(1), outcome: 'blocked', exercised }]);
  });

  it('tell the levels that were missing where an act was refused for them', () => {
    const missing = [{ concept: 'file', level: 2 }];
    expect(recorded(['file'], 'ungrounded', 2)).toEqual([
      { type: 'acted', at: day(1), outcome: 'ungrounded', exercised: missing },
    ]);
  });
});

describe('records of a client with hooks', () => {
  const entry = (id: string, type: string, data: Json) => ({ id, type, data, time: day(0), correlationId: 'call' });
  const told = (verdict: string, outcome: string) => {
    const read = createGuardReader();
    return [
      entry('f', 'guard.facts', { resolved: ['delete'], edges: [] }),
      entry('v', 'guard.verdict', { facts: 'f', outcome: verdict }),
      entry('g', 'gate.observed', { event: { callId: 'call', outcome } }),
      entry('h', 'gate.observed', { event: { callId: 'call', outcome } }),
    ].flatMap((one) => read(one));
  };
  const exercised = [{ concept: 'delete', level: 0 }];

  it.each([
    ['run', 'ok', 'ok'],
    ['run', 'error', 'error'],
    ['pending', 'ok', 'ok'],
    ['pending', 'not-run', 'declined'],
  ])('a call with the verdict %s that ended %s is told once, as %s', (verdict, ended, outcome) => {
    expect(told(verdict, ended)).toEqual([{ type: 'acted', at: day(0), outcome, exercised }]);
  });

  it('a call that the client never ran says nothing', () => {
    expect(told('run', 'not-run')).toEqual([]);
  });
});

describe('the health of a graph', () => {
  const by = { source: 'authored', at: day(0) } as const;
  const graph: readonly Primitive[] = [
    {
      id: 'd',
      name: 'Delete',
      depths: ([0, 3, 4] as const).map((level) => ({ level, properties: {}, relata: [], provenance: by })),
      provenance: by,
    },
  ];
  const codes = (records: readonly ExperienceRecord[], at: number) =>
    graphHealth(graph, foldExperience(records, { at: day(at) })).map(({ code, level }) => `${code} ${level}`);

  it.each<[string, readonly ActOutcome[], number, readonly string[]]>([
    ['never used', [], 0, ['never-exercised 0', 'never-exercised 3', 'never-exercised 4']],
    ['used well', ['ok', 'ok', 'ok'], 0, ['never-exercised 4']],
    ['often blocked', ['blocked', 'declined', 'blocked', 'ok'], 0, ['often-blocked 3', 'never-exercised 4']],
    ['seldom blocked', ['blocked', 'blocked'], 0, ['never-exercised 4']],
    ['failing', ['error', 'error', 'error'], 0, ['grounded-but-failing 3', 'never-exercised 4']],
    ['failing less than not', ['error', 'error', 'error', 'ok', 'ok', 'ok', 'ok'], 0, ['never-exercised 4']],
    ['used long ago', ['ok'], 61, ['stale 3', 'never-exercised 4']],
  ])('%s', (_, outcomes, at, expected) => {
    expect(
      codes(
        outcomes.map((outcome) => acted(0, outcome)),
        at,
      ),
    ).toEqual(expected);
  });
});
