import { describe, expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import type { Limits } from './limits.ts';
import { type Input, initial, step } from './step.ts';
import { readYaml } from './yaml/index.ts';

const at = '2026-01-01T00:00:00.000Z';

/** The state after the inputs, and what the last of them asked for. */
function run(text: string, limits: Partial<Limits>, ...inputs: readonly (string | { readonly timer: string })[]) {
  const ir = readYaml(`format: warrant.chart/1\n${text}`);
  const chart = compileChart(ir, { dataModel: celDataModel(), limits });
  let [state, effects] = initial(chart, { sessionId: 's', at });
  for (const one of inputs) {
    const input: Input = typeof one === 'string' ? { at, event: { name: one } } : { at, ...one };
    [state, effects] = step(chart, state, input);
  }
  return { state, effects };
}

const counting = (raised: string) => `data: { left: 3 }
states:
  a: { on: { go: { do: [ ${raised} ] }, next: { cond: ctx.left > 0, do: [ assign: { location: left, expr: ctx.left - 1 }, ${raised} ] } } }
`;
const always = `data: { left: 3 }
states:
  a: { on: { go: b } }
  b: { always: { cond: ctx.left > 0, do: [ assign: { location: left, expr: ctx.left - 1 } ] } }
`;

describe('a limit lets its number pass, and one more ends the run:', () => {
  test.each([
    // The event itself and three that it sends.
    ['macrosteps', counting('send: { event: next }'), 5, 4],
    ['microsteps', always, 3, 2],
    ['queueLength', 'states: { a: { on: { go: { do: [ raise: x, raise: x, raise: x ] } } } }\n', 3, 2],
    ['queueLength', 'states: { a: { on: { go: { do: [ send: { event: x }, send: { event: x } ] } } } }\n', 2, 1],
    ['foreachItems', 'states: { a: { on: { go: { do: [ foreach: { array: "[1, 2]", item: i } ] } } } }\n', 2, 1],
  ])('%s', (name, text, enough, tooFew) => {
    expect(run(text, { [name]: enough }, 'go').state).toMatchObject({ status: 'running' });
    expect(run(text, { [name]: tooFew }, 'go').state).toMatchObject({
      status: 'stopped',
      stopped: { code: 'chart.limit', data: { bound: tooFew } },
    });
  });

  test('the size of all data, also when each value is small', () => {
    const text = `data: { a: "", b: "" }
states:
  s: { on: { one: { do: [ assign: { location: a, expr: "'12345678901234567890'" } ] }, two: { do: [ assign: { location: b, expr: "'12345678901234567890'" } ] } } }
`;
    expect(run(text, { dataSize: 50 }, 'one').state).toMatchObject({ status: 'running' });
    expect(run(text, { dataSize: 50 }, 'one', 'two').state).toMatchObject({ status: 'stopped' });
    expect(run(text, { dataSize: 80 }, 'one', 'two').state).toMatchObject({ status: 'running' });
  });
});

test('a timer that fires into a full queue ends the run', () => {
  const text = 'states: { a: { entry: [ send: { event: x, id: t, delay: 1s } ], on: { x: b } }, b: {} }\n';
  expect(run(text, { queueLength: 1 }, { timer: '0.1' }).state.configuration).toEqual(['b']);
  expect(run(text, { queueLength: 0 }, { timer: '0.1' }).state.status).toBe('stopped');
});

test('a timer whose receiver is gone when it fires is an error that the chart hears of at once', () => {
  const text = `states:
  a: { invoke: { type: "u:x", id: child }, entry: [ send: { event: x, id: t, target: "#_child", delay: 1s } ], on: { leave: b } }
  b: { on: { error.communication: c } }
  c: {}
`;
  const { state, effects } = run(text, {}, 'leave', { timer: '0.1' });
  expect([state.configuration, effects]).toEqual([['c'], []]);
  expect(run(text, {}, { timer: '0.1' }).effects).toMatchObject([{ type: 'send', target: '#_child' }]);
});
