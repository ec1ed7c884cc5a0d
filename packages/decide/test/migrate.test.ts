import { initial, step } from '@warrant/chart';
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
data: { n: 7, fresh: [1], later: null }
states:
  b:
    on: { next: q, back: k }
    states: { a1: { on: { go: b2 } }, b2: {}, k: { type: history, default: a1 } }
  q: {}
`);
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
    expect(data({})).toEqual({ n: 1, old: 2, fresh: [1], later: null });
    expect(data({ drop: ['old'] })).toEqual({ n: 1, fresh: [1], later: null });
    expect(
      data({
        drop: ['old'],
        assign: [
          { location: 'ctx.n', expr: 'ctx.old + 1' },
          { location: 'later', expr: 'ctx.n + ctx.old' },
        ],
      }),
    ).toEqual({ n: 3, fresh: [1], later: 3 });
  });

  test('remembers where it was, as far as that is still there', () => {
    const left = after('go', 'single');
    expect(left.history).toEqual({ h: ['a2'] });
    const history = (more: object) =>
      (migrateState(left, NEXT, { states: { ...states, ...more } }) as { history: object }).history;
    expect(history({})).toEqual({ k: ['b2'] });
    expect(history({ a2: 'gone' })).toEqual({});
    expect(history({ h: 'gone' })).toEqual({});
  });
});
