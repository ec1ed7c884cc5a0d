import type { Json } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { explain } from './explain.ts';
import { faultsOf } from './fault.ts';
import { enabledEvents } from './offer.ts';
import { initial, step } from './step.ts';
import { readYaml } from './yaml/index.ts';

const at = '2026-01-01T00:00:00.000Z';

function chartOf(text: string, lenient = true) {
  return compileChart(readYaml(`format: warrant.chart/1\n${text}`), { dataModel: celDataModel(), lenient });
}

/** What each input logs, and the last state and effects. */
function run(text: string, names: readonly string[]) {
  const chart = chartOf(text);
  let [state, effects] = initial(chart, { sessionId: 's', at });
  const stories: string[] = [];
  const tell = () =>
    stories.push(effects.flatMap((one) => (one.type === 'log' && one.label !== null ? [one.label] : [])).join(' '));
  tell();
  for (const name of names) {
    [state, effects] = step(chart, JSON.parse(JSON.stringify(state)), { at, event: { name } });
    tell();
  }
  return { state, effects, stories };
}

const heard = (...ids: readonly string[]) => ids.map((id) => `done.state.${id}: { do: [ log: ${id} ] }`).join(', ');

describe('a parallel in a parallel', () => {
  const region = (id: string, event: string) =>
    `${id}: { states: { ${id}1: { on: { ${event}: ${id}2 } }, ${id}2: { type: final } } }`;
  const text = `states:
  top:
    on: { ${heard('p', 'a', 'q', 'x', 'y', 'top')} }
    states:
      p:
        type: parallel
        states: { h: { type: history, default: a }, ${region('a', 'go.a')}, q: { type: parallel, states: { g: { type: history, default: x }, ${region('x', 'go.x')}, ${region('y', 'go.y')} } } }
`;
  test('is done with its own regions, and the outer one with the last of its own children', () => {
    expect(run(text, ['go.x', 'go.y', 'go.a']).stories).toEqual(['', 'x', 'y q', 'a p']);
  });
  test('keeps the outer one from being done while a region of it is not', () => {
    expect(run(text, ['go.x', 'go.a', 'go.y']).stories).toEqual(['', 'x', 'a', 'y q']);
    expect(run(text, ['go.y', 'go.a']).stories).toEqual(['', 'y', 'a']);
  });
  test('with a region that has no final is never done, and neither is a state around a done one', () => {
    const atom = `states:
  top: { on: { ${heard('top', 'p', 'a')} }, states: { p: { type: parallel, states: { ${region('a', 'go')}, b: {} } } } }
`;
    expect(run(atom, ['go']).stories).toEqual(['', 'a']);
    const nested = `states:
  top: { on: { ${heard('top', 'mid', 'a')} }, states: { mid: { states: { ${region('a', 'go')} } } } }
`;
    expect(run(nested, ['go']).stories).toEqual(['', 'a']);
  });
});

test('a deeper transition takes the place of one around it and leaves a third alone', () => {
  const text = `states:
  p:
    type: parallel
    states:
      b: { states: { b1: { on: { e: { target: b2, do: [ log: b ] } } }, b2: {} } }
      a:
        states:
          q:
            type: parallel
            on: { e: { target: z, do: [ log: q ] } }
            states: { q1: {}, q2: { states: { q3: { on: { e: { target: q4, do: [ log: q3 ] } } }, q4: {} } } }
          z: {}
`;
  const { state, stories } = run(text, ['e']);
  expect(stories).toEqual(['', 'b q3']);
  expect(state.configuration).toEqual(['p', 'b', 'b2', 'a', 'q', 'q1', 'q2', 'q4']);
});

test('an internal transition that also leads out of its state is external', () => {
  const text = `states:
  p:
    type: parallel
    exit: [ log: -p ]
    states:
      a: { states: { s: { exit: [ log: -s ], on: { e: { type: internal, target: s2 b2 }, f: { type: internal, target: s1 } }, states: { s1: { exit: [ log: -s1 ] }, s2: { exit: [ log: -s2 ] } } } } }
      b: { states: { b1: { exit: [ log: -b1 ] }, b2: {} } }
`;
  const { state, stories } = run(text, ['e', 'f']);
  expect(stories).toEqual(['', '-b1 -s1 -s -p', '-s2']);
  expect(state.configuration).toEqual(['p', 'a', 's', 's1', 'b', 'b2']);
});

test('a state that is entered takes its place in document order among those that stay', () => {
  const text = `states:
  p:
    type: parallel
    states: { a: { states: { a1: { on: { e: a2 } }, a2: { entry: [ log: a2 ] } } }, b: { states: { b1: {} } } }
`;
  const { state, stories } = run(text, ['e']);
  expect(stories).toEqual(['', 'a2']);
  expect(state.configuration).toEqual(['p', 'a', 'a2', 'b', 'b1']);
});

test('a state that a history leads to from inside of it runs its entry again, is active once and keeps its invokes', () => {
  const text = `states:
  p:
    on: { out: r }
    states:
      h: { type: history, history: deep, default: q }
      q: { entry: [ log: +q ], invoke: { id: i, type: x }, states: { a: { on: { n: b, e: h } }, b: { entry: [ log: +b ] } } }
  r: { on: { in: q } }
`;
  const { state, effects, stories } = run(text, ['n', 'out', 'in', 'e']);
  expect(stories).toEqual(['+q', '+b', '', '+q', '+q +b']);
  expect(state.configuration).toEqual(['p', 'q', 'b']);
  expect(effects.filter(({ type }) => type === 'invoke')).toEqual([]);
});

test('content runs in document order of the transitions, not of the states that asked for them', () => {
  const text = `states:
  p: { type: parallel, on: { e: { do: [ log: outer ] } }, states: { a: { on: { e: { do: [ log: inner ] } } }, b: {} } }
`;
  expect(run(text, ['e']).stories).toEqual(['', 'outer inner']);
});

test.each(['sendid', 'origin', 'origintype', 'invokeid'] as const)('an event from outside keeps its %s', (part) => {
  const names = ['sendid', 'origin', 'origintype', 'invokeid'];
  const keep = names.map((name) => `assign: { location: ${name}, expr: ev.${name} }`).join(', ');
  const chart = chartOf(`data: { ${names.map((name) => `${name}: 0`).join(', ')} }
states: { s: { on: { e: { do: [ ${keep} ] } } } }
`);
  const [state] = initial(chart, { sessionId: 's', at });
  const [after] = step(chart, state, { at, event: { name: 'e', [part]: 'x' } });
  expect(after.data).toEqual({ ...Object.fromEntries(names.map((name) => [name, null])), [part]: 'x' });
});

test('of several timers the one that is due fires', () => {
  const chart = chartOf(
    'states: { s: { entry: [ send: { event: a, delay: 1s }, send: { event: b, delay: 2s } ], on: { a: x, b: y } }, x: {}, y: {} }\n',
  );
  const [state] = initial(chart, { sessionId: 's', at });
  const [after] = step(chart, state, { at, timer: state.timers[1]?.id ?? '' });
  expect(after).toMatchObject({ configuration: ['y'], timers: [{ event: { name: 'a' } }] });
});

test('a chart that a limit stops keeps neither timers nor invokes', () => {
  const chart = chartOf(
    'states: { s: { entry: [ send: { event: a, delay: 1s } ], invoke: { id: i, type: x }, on: { e: { target: t } } }, t: { always: t } }\n',
  );
  const [state] = initial(chart, { sessionId: 's', at });
  expect(state).toMatchObject({ timers: [{}], invokes: [{ id: 'i' }] });
  const [after, effects] = step(chart, state, { at, event: { name: 'e' } });
  expect(after).toMatchObject({ status: 'stopped', timers: [], invokes: [] });
  expect(effects.map(({ type }) => type)).toEqual(['cancel-invoke', 'cancel-timer', 'stopped']);
});

describe('an invoke', () => {
  const invoked = (text: string, ...events: readonly { name: string; invokeid?: string; data?: Json }[]) => {
    const chart = chartOf(text);
    let [state, effects] = initial(chart, { sessionId: 's', at });
    const all = [...effects];
    for (const event of events) {
      [state, effects] = step(chart, state, { at, event });
      all.push(...effects);
    }
    return { data: state.data, effects: all };
  };
  test('is told with its kind, source and content, and its id is kept where it is asked for', () => {
    const text = `data: { place: null }
states: { a: { invoke: [ { type: x, src: y, idlocation: place }, { id: own, content: { expr: 1 + 1 } } ] } }
`;
    const { data, effects } = invoked(text);
    expect(effects).toMatchObject([
      { type: 'invoke', id: data['place'], processor: 'x', src: 'y', content: null },
      { type: 'invoke', id: 'own', processor: 'http://www.w3.org/TR/scxml/', src: null, content: 2 },
    ]);
  });
  test('is told of events only where it asks for them', () => {
    const text = 'states: { a: { invoke: [ { id: deaf, type: x }, { id: all, type: x, autoforward: true } ] } }\n';
    const { effects } = invoked(text, { name: 'e' });
    expect(effects.filter(({ type }) => type === 'forward')).toMatchObject([{ invoke: 'all' }]);
  });
  test('with an empty finalize gives what its namelist names', () => {
    const text = `data: { n: 1 }
states: { a: { invoke: { id: i, type: x, namelist: n, finalize: [] } } }
`;
    expect(invoked(text, { name: 'e', data: { n: 2 } }).data).toEqual({ n: 1 });
    expect(invoked(text, { name: 'e', invokeid: 'i', data: { n: 2 } }).data).toEqual({ n: 2 });
  });
  test('starts although another state of the macrostep was left before its own did', () => {
    const text = `states:
  p:
    type: parallel
    states:
      a: { states: { a1: { invoke: { id: gone, type: x }, always: a2 }, a2: {} } }
      b: { invoke: { id: stays, type: x } }
`;
    expect(invoked(text).effects).toMatchObject([{ type: 'invoke', id: 'stays' }]);
  });
});

test('a deep history remembers finals too', () => {
  const text = `states:
  p:
    states:
      h: { type: history, history: deep, default: q }
      q: { type: parallel, states: { a: { states: { a1: { on: { e: a2 } }, a2: { type: final } } }, b: {} } }
    on: { out: r }
  r: { on: { back: h } }
`;
  expect(run(text, ['e', 'out', 'back']).state.configuration).toEqual(['p', 'q', 'a', 'a2', 'b']);
});

test('what breaks in a data model is no error of the chart', () => {
  const broken = {
    ...celDataModel(),
    condition: (source: string) => ({ source, readsPayload: false, evaluate: fail }),
  };
  const chart = compileChart(readYaml('vertep: 1\nstates: { a: { on: { e: { cond: x, target: a } } } }\n'), {
    dataModel: broken,
  });
  const [state] = initial(chart, { sessionId: 's', at });
  expect(() => step(chart, state, { at, event: { name: 'e' } })).toThrow('broken');
});

function fail(): never {
  throw new Error('broken');
}

describe('data', () => {
  test('that come late are made once, however often their state is entered', () => {
    const text = `binding: late
states:
  a: { on: { go: b } }
  b: { data: { own: 1 }, on: { add: { do: [ assign: { location: own, expr: ctx.own + 1 } ] }, back: a } }
`;
    expect(run(text, ['go', 'add', 'back', 'go']).state).toMatchObject({ data: { own: 2 }, bound: ['b'] });
  });
  test('that come early are made at the start, not again when their state is entered', () => {
    const text = `states:
  a: { on: { e: { do: [ assign: { location: own, expr: "5" } ] }, go: b } }
  b: { data: { own: 1 } }
`;
    expect(run(text, ['e', 'go']).state).toMatchObject({ data: { own: 5 }, bound: [] });
  });
  test('without a value are null, and so are those that fail, with an error', () => {
    const text = `data: [ { id: none }, { id: failed, expr: ctx.missing }, { id: after, expr: "1" } ]
states: { a: { on: { error.execution: { do: [ log: error ] } } } }
`;
    const { state, stories } = run(text, []);
    expect(stories).toEqual(['error']);
    expect(state.data).toEqual({ none: null, failed: null, after: 1 });
  });
});

describe('what a final tells', () => {
  test('lacks params that fail, each with an error', () => {
    const text = `states:
  s:
    on: { done.state.s: { do: [ log: done, assign: { location: told, expr: ev.data } ] }, error.execution: { do: [ log: error ] } }
    states: { f: { type: final, donedata: { params: [ { name: x, expr: ctx.missing }, { name: y, expr: "2" } ] } } }
data: { told: null }
`;
    const { state, stories } = run(text, []);
    expect(stories).toEqual(['error done']);
    expect(state.data).toEqual({ told: { y: 2 } });
  });
  test('at the end of the chart is worked out after its exit content', () => {
    const text = `data: { n: 1 }
states: { f: { type: final, exit: [ assign: { location: n, expr: ctx.n + 1 } ], donedata: { content: { expr: ctx.n } } } }
`;
    expect(run(text, []).effects).toEqual([{ type: 'done', data: 2 }]);
  });
});

test('defaults of histories that go round in a circle are a fault', () => {
  const text = `initial: q
states:
  p: { states: { a: {}, h: { type: history, default: i }, i: { type: history, default: h } } }
  q: { on: { e: h, f: p } }
`;
  expect(() => chartOf(text)).toThrow('leads back to itself');
});

function faultsIn(text: string) {
  try {
    chartOf(text);
    return [];
  } catch (error) {
    return faultsOf(error as never);
  }
}

test('only histories on a circle are named, however many lead to it or past it', () => {
  const chain = Array.from(
    { length: 3000 },
    (_, at) => `c${at}: { type: history, default: ${at < 2999 ? `c${at + 1}` : 'a'} }`,
  );
  const text = `states:
  p:
    type: parallel
    states: { a: {}, b: {}, to: { type: history, default: i c0 }, own: { type: history, default: own a }, i: { type: history, default: j k }, j: { type: history, default: i }, k: { type: history, default: c0 }, ${chain.join(', ')} }
`;
  const named = faultsIn(text).filter(({ message }) => message === 'a history default leads back to itself');
  expect(named.map(({ path }) => path)).toEqual([3, 4, 5].map((at) => `/states/0/states/${at}`));
});

test.each([
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+01:00',
  '2026-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  'Thu, 01 Jan 2026 00:00:00 GMT',
  '1',
])('%s is no time of an input: it would depend on where it is read', (time) => {
  expect(() => initial(chartOf('states: { a: {} }\n'), { sessionId: 's', at: time })).toThrow('ISO-8601 time');
});

test.each(['2028-02-29T00:00:00Z', '2026-01-31T23:59:59.123456Z'])('%s is a time', (time) => {
  expect(initial(chartOf('states: { a: {} }\n'), { sessionId: 's', at: time })[0].status).toBe('running');
});

test('data whose ids are no names are read and assigned through ctx', () => {
  const text = `data: { a-b: 1 }
states: { s: { on: { e: { cond: 'ctx["a-b"] == 1', do: [ assign: { location: 'ctx["a-b"]', expr: "2" } ] } } } }
`;
  expect(run(text, ['e']).state.data).toEqual({ 'a-b': 2 });
});

test('an explanation reaches the values that an expression reads, also inside of sums, choices and comprehensions', () => {
  const cond = '(ctx.a + ctx.b > 3 ? ctx.c : ctx.d == 1) && ctx.list.exists(x, x > ctx.a)';
  const chart = chartOf(`data: { a: 1, b: 2, c: true, d: 1, list: [ 1 ] }
states: { s: { on: { e: { cond: "${cond}", target: s } } } }
`);
  const [state] = initial(chart, { sessionId: 's', at });
  const parts = explain(chart, state, { name: 'e' }).considered[0]?.guard?.parts ?? [];
  const values = Object.fromEntries(parts.map((part) => [part.source, 'value' in part ? part.value : part.error]));
  expect(values).toMatchObject({
    'ctx.a + ctx.b > 3': false,
    'ctx.d == 1': true,
    'ctx.list.exists(x, x > ctx.a)': false,
    'ctx.a': 1,
    'ctx.b': 2,
    'ctx.list': [1],
  });
});

test('names of the platform are never offered, names that only hold one of its words are', () => {
  const events = ['my.error', 'undone', 'vtx', 'a.cancel.invoke', 'error.x', 'done.y', 'vt.z', 'cancel.invoke.i'];
  const on = events.map((event) => `${event}: b`).join(', ');
  const chart = chartOf(`states: { a: { on: { ${on} } }, b: {} }\n`);
  const [state] = initial(chart, { sessionId: 's', at });
  expect(enabledEvents(chart, state).map(({ event }) => event)).toEqual(events.slice(0, 4));
});
