import { describe, expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { explain } from './explain.ts';
import { lintChart } from './lint.ts';
import { select } from './look.ts';
import { renderExplanation } from './render-explanation.ts';
import { initial, step } from './step.ts';
import { readYamlDocument } from './yaml/index.ts';

const at = '2026-01-01T00:00:00.000Z';

function chartOf(states: string, lenient = false) {
  const { chart, placeOf } = readYamlDocument(`format: warrant.chart/1\n${states}`);
  return { chart: compileChart(chart, { dataModel: celDataModel(), placeOf, lenient }), placeOf };
}

function explained(states: string, event: string, data: null | { readonly amount: number } = null) {
  const { chart } = chartOf(states, true);
  const [state] = initial(chart, { sessionId: 's', at });
  const explanation = explain(chart, state, { name: event, data });
  expect(explanation.taken).toEqual(select(chart, state, { name: event, data }).transitions);
  return explanation;
}

const refund = `data: { limit: 100 }
states:
  review:
    on:
      approve:
        - { target: done, cond: "ev.data.amount <= ctx.limit && In('review')" }
        - { target: review, cond: ctx.nothing == 1 }
  done: { type: final }
`;

describe('an explanation', () => {
  test('shows why a condition is false, with the values of its parts', () => {
    const { considered, taken } = explained(refund, 'approve', { amount: 250 });
    expect(taken).toEqual([]);
    expect(considered).toMatchObject([
      {
        transition: 'review#0',
        outcome: 'guard-false',
        guard: {
          parts: [
            { source: 'ev.data.amount <= ctx.limit', value: false },
            { source: 'ev.data.amount', value: 250 },
            { source: 'ctx.limit', value: 100 },
            { source: "In('review')", value: true },
          ],
        },
      },
      { transition: 'review#1', outcome: 'guard-error', guard: { parts: [{ source: 'ctx.nothing' }] } },
    ]);
  });
  test('reads well', () => {
    expect(renderExplanation(explained(refund, 'approve', { amount: 250 }))).toContain(
      "'approve' moves nothing. Active: review.\n  review#0 to done is not taken: its condition is false.\n    if ev.data.amount <= ctx.limit && In('review')\n      ev.data.amount <= ctx.limit is false\n      ev.data.amount is 250",
    );
    expect(renderExplanation(explained(refund, 'aprove'))).toContain('They wait for approve.');
  });
  test('names what pre-empts a transition, its domain and what it leaves', () => {
    const conflict = `states:
  p:
    type: parallel
    states:
      a: { states: { a1: { on: { e: out } } } }
      b: { states: { b1: { on: { e: b2 } }, b2: {} } }
    on: { e: p }
  out: {}
`;
    expect(explained(conflict, 'e').considered).toMatchObject([
      { transition: 'a1#0', outcome: 'taken', domain: '', exits: ['p', 'a', 'a1', 'b', 'b1'] },
      { transition: 'p#0', outcome: 'not-reached', by: 'a1#0' },
      { transition: 'b1#0', outcome: 'pre-empted', by: 'a1#0', domain: 'b', exits: ['b1'] },
    ]);
  });
  test('of a chart that has ended says so', () => {
    const { chart } = chartOf(refund);
    const [state] = initial(chart, { sessionId: 's', at });
    const [ended] = step(chart, state, { at, event: { name: 'approve', data: { amount: 1 } } });
    expect(renderExplanation(explain(chart, ended, { name: 'approve' }))).toBe(
      'The chart is done: nothing moves it.\n',
    );
  });
});

const region = (type: string) => `states:
  p:
    type: parallel
    states:
      a: { states: { a1: {} }, on: { R: { target: a1, type: ${type} } } }
      b: { data: [], entry: [ assign: { location: n, expr: ctx.n + 1.0 } ], states: { b1: {} } }
data: { n: 0 }
`;

describe('a region that is entered anew', () => {
  test.each([
    ['internal', 1, []],
    ['external', 2, ['resets-siblings 6']],
  ])('by an %s transition leaves its neighbour entered %i times', (type, count, findings) => {
    const { chart, placeOf } = chartOf(region(type));
    const [state] = initial(chart, { sessionId: 's', at });
    const [after] = step(chart, state, { at, event: { name: 'R' } });
    expect(after.data).toEqual({ n: count });
    expect(lintChart(chart, { placeOf }).map(({ code, line }) => `${code} ${line}`)).toEqual(findings);
    expect(explain(chart, state, { name: 'R' }).considered[0]).toMatchObject({
      domain: type === 'internal' ? 'a' : '',
      exits: type === 'internal' ? ['a1'] : ['p', 'a', 'a1', 'b', 'b1'],
    });
  });
});

test.each([
  ['never-taken', 'states: { a: { on: { x: b, "*": b, y: b } }, b: { type: final } }', '/states/0/transitions/2'],
  [
    'endless',
    'states: { a: { always: { cond: "true", target: b }, on: { x: a } }, b: { always: b } }',
    '/states/1/transitions/0',
  ],
  ['dead-end', 'states: { a: { on: { x: b } }, b: {} }', '/states/1'],
  [
    'unknown-in-state',
    `states: { a: { on: { x: { target: b, cond: "In('c')" } } }, b: { type: final } }`,
    '/states/0/transitions/0/cond',
  ],
  ['unheard-event', 'states: { a: { entry: [ raise: nobody ], on: { x: b } }, b: { type: final } }', '/states/0'],
])('lint finds %s', (code, states, path) => {
  expect(lintChart(chartOf(states).chart)).toMatchObject([{ code, path }]);
});
