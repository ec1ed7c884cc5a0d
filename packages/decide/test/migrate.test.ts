import { initial, step } from '@warrant/chart';
import { WarrantError } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { isLegal, migrateState } from '../src/machine/migrate.ts';
import { compileProgram } from '../src/machine/program.ts';
import { AT, definitionOf } from './support.ts';

const chartOf = (yaml: string) => {
  const { chart, ...options } = definitionOf(yaml);
  return compileProgram(chart, options).chart;
};
const CHART = chartOf(`
data: { n: 1, old: 2 }
states:
  a:
    on: { next: p, single: s, deep: hp }
    states: { a1: { on: { go: a2 } }, a2: {}, h: { type: history, default: a1 } }
  p:
    type: parallel
    on: { back: h }
    states: { hp: { type: history, default: r1 }, r1: { states: { x: { on: { go: y } }, y: {} } }, r2: {} }
  s: {}
`);

describe('states can be active together', () => {
  test.each([[['s']], [['a', 'a1']], [['a2', 'a']], [['p', 'r1', 'x', 'r2']], [['r2', 'y', 'r1', 'p']]])(
    'as %j',
    (configuration) => expect(isLegal(CHART, configuration)).toBe(true),
  );
  test.each([
    [[]],
    [['s', 's']],
    [['nowhere']],
    [['s', 'nowhere']],
    [['a']],
    [['a1']],
    [['a', 'a1', 'a2']],
    [['a', 'a1', 's']],
    [['s', 'a1']],
    [['s', 'x']],
    [['a', 'h']],
    [['a', 'a1', 'h']],
    [['p']],
    [['p', 'r1', 'x']],
    [['p', 'r2']],
    [['p', 'r1', 'r2']],
    [['p', 'r1', 'x', 'y', 'r2']],
    [['p', 'x', 'r2']],
    [['r1', 'x', 'r2']],
    [['a', 'a1', 'p', 'r1', 'x', 'r2']],
    [[CHART.nodes[0]?.id ?? '', 's']],
  ])('not as %j', (configuration) => expect(isLegal(CHART, configuration)).toBe(false));
});

describe('a stored state under another version', () => {
  const at = { at: AT, variables: {}, reachable: [] };
  const [first] = initial(CHART, { sessionId: 'root', input: {}, ...at });
  const after = (...names: readonly string[]) =>
    names.reduce((state, name) => step(CHART, state, { event: { name, data: null }, ...at })[0], first);
  const NEXT = chartOf(`
data: { n: 7, fresh: [1], later: null, an: 0 }
states:
  b:
    on: { next: q, back: k }
    states: { a1: { on: { go: b2 } }, b2: {}, k: { type: history, default: a1 } }
  q: {}
`);
  const FRESH = { fresh: [1], later: null, an: 0 };
  const states = { a: 'b', a2: 'b2', h: 'k', s: 'q', p: 'q' };

  test('has its states by their new names, in the order of the new chart', () => {
    expect(migrateState(after('go'), NEXT, { states })).toMatchObject({
      chart: NEXT.digest,
      configuration: ['b', 'b2'],
    });
    expect(migrateState(after(), NEXT, { states: { ...states, a: 'nowhere' } })).toBe('illegal-configuration');
    expect(migrateState(after('next'), NEXT, { states })).toBe('illegal-configuration');
    expect(migrateState(after(), NEXT, {})).toBe('illegal-configuration');
  });

  test('keeps its data, has new items as they are written, and sets what it is told from the old data', () => {
    const data = (more: object) => (migrateState(after(), NEXT, { states, ...more }) as { data: object }).data;
    expect(data({})).toEqual({ n: 1, old: 2, ...FRESH });
    expect(data({ drop: ['old'] })).toEqual({ n: 1, ...FRESH });
    expect(data({ drop: ['n'] })).toEqual({ n: 7, old: 2, ...FRESH });
    expect(
      data({
        drop: ['old'],
        assign: [
          { location: 'ctx.n', expr: 'ctx.old + 1' },
          { location: 'later', expr: 'ctx.n + ctx.old' },
        ],
      }),
    ).toEqual({ ...FRESH, n: 3, later: 3 });
    const inOld = "[In('a'), In('b'), In('s')]";
    expect(data({ assign: [{ location: 'n', expr: inOld }] })).toMatchObject({ n: [true, false, false] });
  });

  test.each(['nothing', 'ctx.nothing', 'n.x', 'actx.n', 'ctx.fresh[0]'])('has no item %s to set', (location) => {
    expect(migrateState(after(), NEXT, { states, assign: [{ location, expr: '1' }] })).toBe('unknown-data');
  });

  test('computes what a new item begins with, from the data that it has by then', () => {
    const computed = (expr: string) => {
      const { chart, ...options } = definitionOf('data: { n: 7, sum: 0 }\nstates: { s: {} }');
      const data = [{ id: 'n', value: 7 }, { id: 'sum', expr }, { id: 'bare' }];
      return compileProgram({ ...chart, data }, options).chart;
    };
    const migrate = (expr: string, more = {}) =>
      migrateState(after('single'), computed(expr), { states: {}, ...more }) as { data: object };
    expect(migrate('ctx.n + 1').data).toEqual({ n: 1, old: 2, sum: 2, bare: null });
    expect(migrate('ctx.n + 1', { drop: ['n'] }).data).toEqual({ n: 7, old: 2, sum: 8, bare: null });
    expect(() => migrate("ctx.n + ctx.n['x']")).toThrow(WarrantError);
  });

  test('begins with items of states as they are written, where the chart makes them late too', () => {
    const old = chartOf('binding: late\nstates: { a: { data: { x: 1 }, on: { go: c } }, c: { data: { y: 2 } } }');
    const late = chartOf(
      'binding: late\nstates: { b: { data: { x: 5, z: 6 }, on: { go: c } }, c: { data: { y: 7 } } }',
    );
    const [begun] = initial(old, { sessionId: 'root', input: {}, ...at });
    const next = migrateState(begun, late, { states: { a: 'b' } }) as typeof begun;
    expect(next).toMatchObject({ data: { x: 1, z: 6 }, bound: ['b'] });
    const [moved] = step(late, next, { event: { name: 'go', data: null }, ...at });
    expect(moved).toMatchObject({ data: { x: 1, y: 7, z: 6 }, bound: ['b', 'c'] });
  });

  test('remembers where it was, as far as that is still there', () => {
    const left = after('go', 'single');
    expect(left.history).toEqual({ h: ['a2'] });
    const history = (more: object) =>
      (migrateState(left, NEXT, { states: { ...states, ...more } }) as { history: object }).history;
    expect(history({})).toEqual({ k: ['b2'] });
    expect(history({ a2: 'gone' })).toEqual({});
    expect(history({ h: 'gone' })).toEqual({});
    const deep = chartOf(`
states:
  p:
    type: parallel
    on: { out: s }
    states: { hp: { type: history, history: deep, default: r1 }, r1: { states: { x: { on: { go: y } }, y: {} } }, r2: {} }
  s: { on: { back: hp } }
`);
    const [inside] = initial(deep, { sessionId: 'root', input: {}, ...at });
    const [outside] = step(deep, inside, { event: { name: 'out', data: null }, ...at });
    expect(outside.history['hp']?.length).toBeGreaterThan(1);
    const kept = (more: Record<string, string>) =>
      (migrateState(outside, deep, { states: more }) as { history: object }).history;
    expect(kept({})).toEqual(outside.history);
    expect(kept({ r2: 'gone' })).toEqual({});
  });

  describe.each([
    ['shallow', ['w1']],
    ['deep', ['w1', 'x1']],
  ])('remembers by a %s history only what can be active together below it', (kind, inner) => {
    const old = chartOf(`
initial: q
states:
  q:
    initial: v
    on: { out: s }
    states:
      v:
        initial: w1
        states:
          w1: { states: { x1: { on: { x: x2 } }, x2: {} } }
          w2: {}
          h: { type: history, history: ${kind}, default: w1 }
      o1: {}
  o2: { states: { o3: { on: { x: o4 } }, o4: {} } }
  s: { on: { back: h, a: o1, b: o2, c: w2 } }
`);
    const [inside] = initial(old, { sessionId: 'root', input: {}, ...at });
    const [outside] = step(old, inside, { event: { name: 'out', data: null }, ...at });
    const kept = (states: Record<string, string>) =>
      (migrateState(outside, old, { states }) as { history: object }).history;
    const last = inner.at(-1) ?? '';

    test('and leads back there', () => {
      expect(outside.history).toEqual({ h: [last] });
      expect(kept({})).toEqual(outside.history);
      expect(kept({ [last]: 'w2' })).toEqual({ h: ['w2'] });
    });

    test.each(['o1', 'o2', 'o3', 's', 'v', 'q', 'h'])('not what lies elsewhere: %s', (name) => {
      expect(kept({ [last]: name })).toEqual({});
    });

    test('nor by what is no history any more', () => {
      expect(kept({ h: 'w2' })).toEqual({});
    });
  });

  test('remembers all regions or none', () => {
    const chart = (kind: string, w2: string) =>
      chartOf(`
states:
  p: { type: parallel, on: { out: s }, states: { w1: {}, w2: ${w2}, h: { type: history, history: ${kind}, default: w1 } } }
  s: { on: { back: h } }
`);
    for (const kind of ['shallow', 'deep']) {
      const old = chart(kind, '{}');
      const [inside] = initial(old, { sessionId: 'root', input: {}, ...at });
      const [outside] = step(old, inside, { event: { name: 'out', data: null }, ...at });
      const kept = (next: typeof old, states = {}) =>
        (migrateState(outside, next, { states }) as { history: object }).history;
      expect(kept(old)).toEqual({ h: ['w1', 'w2'] });
      expect(kept(old, { w2: 'w1' })).toEqual({});
      // A region that has states of its own now: a deep history would have to say which.
      expect(kept(chart(kind, '{ states: { x: {} } }'))).toEqual(kind === 'deep' ? {} : { h: ['w1', 'w2'] });
      // No regions any more: two states at once lie nowhere below it.
      const single = chartOf(`
initial: p
states:
  before: {}
  p: { initial: w1, on: { out: s }, states: { w1: { states: { x: {} } }, h: { type: history, history: ${kind}, default: w1 } } }
  s: { on: { back: h, go: before } }
`);
      for (const w2 of ['gone', 'x', 's', 'p', 'before']) {
        expect(kept(single, { w2 })).toEqual({});
        expect(kept(single, { w1: 'x', w2 })).toEqual({});
        expect(kept(single, { w1: w2, w2: 'x' })).toEqual({});
      }
    }
  });

  test('is none where the new version has come to its end', () => {
    const next = chartOf(
      'states: { s: { on: { x: end }, states: { a: { on: { y: z } }, z: { type: final } } }, end: { type: final } }',
    );
    expect(migrateState(after('single'), next, { states: { s: 'end' } })).toBe('illegal-configuration');
    expect(migrateState(after('go'), next, { states: { a: 's', a2: 'z' } })).toMatchObject({
      configuration: ['s', 'z'],
    });
  });
});
