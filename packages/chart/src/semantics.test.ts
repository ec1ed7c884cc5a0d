import type { Json } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { type CompileOptions, compileChart } from './compile.ts';
import type { Effect } from './state.ts';
import { type ExternalEvent, type Input, initial, step } from './step.ts';
import { readYaml } from './yaml/index.ts';

const at = '2026-01-01T00:00:00.000Z';

type Given = string | ExternalEvent | { readonly timer: string } | { readonly at: string; readonly timer: string };

/** Runs a chart; what it logs is the story, `effects` all the rest. */
function run(text: string, given: readonly Given[], options: CompileOptions = {}) {
  const chart = compileChart(readYaml(`format: warrant.chart/1\n${text}`), {
    dataModel: celDataModel(),
    lenient: true,
    ...options,
  });
  let [state, effects] = initial(chart, { sessionId: 's', at });
  const all: (readonly Effect[])[] = [effects];
  for (const one of given) {
    const input: Input =
      typeof one === 'string' ? { at, event: { name: one } } : 'timer' in one ? { at, ...one } : { at, event: one };
    [state, effects] = step(chart, JSON.parse(JSON.stringify(state)), input);
    all.push(effects);
  }
  const stories = all.map((list) =>
    list.flatMap((effect) => (effect.type === 'log' ? [effect.label ?? ''] : [])).join(' '),
  );
  return { state, effects: all, last: all.at(-1) ?? [], story: stories.at(-1), stories };
}

const log = (name: string) => `entry: [ log: +${name} ], exit: [ log: -${name} ]`;

test('transitions without event are asked when a macrostep goes on, not again when the next event comes', () => {
  const text = `data: { armed: false }
states:
  a: { on: { arm: { do: [ assign: { location: armed, expr: "true" } ] }, noop: {} }, always: { cond: ev == null && ctx.armed, target: b } }
  b: {}
`;
  expect(run(text, ['arm', 'noop']).state.configuration).toEqual(['a']);
});

test('raised events go before sent ones, and those of timers and the outside come last', () => {
  const text = `states:
  a: { on: { go: { do: [ send: { event: far }, raise: near ] }, near: { do: [ log: near, raise: nearer ] }, nearer: { do: [ log: nearer ] }, far: { do: [ log: far ] } } }
`;
  expect(run(text, ['go']).story).toBe('near nearer far');
});

test('a quiet entry beside one that runs something keeps neither from its turn', () => {
  const text = `states:
  p:
    type: parallel
    states:
      a: { states: { a1: { on: { go: a2 } }, a2: {} } }
      b: { states: { b1: { on: { go: b2 } }, b2: { ${log('b2')} } } }
`;
  const { state, story } = run(text, ['go']);
  expect([state.configuration, story]).toEqual([['p', 'a', 'a2', 'b', 'b2'], '+b2']);
});

test('what an invoking chart gives goes to data of the top alone', () => {
  const text = `data: { a: 1, b: 2 }
states: { s: { data: { c: 3 } } }
`;
  const chart = compileChart(readYaml(`format: warrant.chart/1\n${text}`), { dataModel: celDataModel() });
  const [{ data }] = initial(chart, { sessionId: 's', at, input: { a: 7, c: 7, d: 7 } });
  expect(data).toEqual({ a: 7, b: 2, c: 3 });
});

test.each(['', 'entry: [ log: in ], '])('data of a state (%s) that is entered again stays as it is', (entry) => {
  const text = `states:
  a: { ${entry}data: { n: 1 }, on: { add: { do: [ assign: { location: n, expr: ctx.n + 1 } ] }, again: a } }
`;
  expect(run(text, ['add', 'again']).state).toMatchObject({ data: { n: 2 }, bound: [] });
  expect(run(`binding: late\n${text}`, ['add', 'again']).state).toMatchObject({ data: { n: 2 }, bound: ['a'] });
});

test('late data is there before its state, and only states that have some are remembered as entered', () => {
  const text = `binding: late
states:
  a: { on: { go: b } }
  b: { data: { own: 7 } }
`;
  expect(run(text, []).state).toMatchObject({ data: { own: null }, bound: [] });
  expect(run(text.replace('binding: late\n', ''), []).state).toMatchObject({ data: { own: 7 }, bound: [] });
});

test.each(['', 'entry: [ log: in ],'])('a state makes its late data (%s)', (entry) => {
  const text = `binding: late
states:
  a: { on: { go: b } }
  b: { ${entry} data: { own: 7 } }
`;
  expect(run(text, []).state.data).toEqual({ own: null });
  expect(run(text, ['go']).state).toMatchObject({ data: { own: 7 }, bound: ['b'] });
});

test.each(['', 'entry: [ log: in ],'])('a state runs the content of its initial (%s)', (entry) => {
  const text = `data: { seen: 0 }
states:
  a: { on: { go: b } }
  b: { ${entry} initial: { target: c, do: [ assign: { location: seen, expr: "8" } ] }, states: { c: {} } }
`;
  expect(run(text, ['go']).state.data).toEqual({ seen: 8 });
});

test('a history may be named like a member of objects', () => {
  const text = `states:
  s: { states: { a: { on: { next: b } }, b: {}, "__proto__": { type: history, default: a } }, on: { out: t } }
  t: { on: { back: "__proto__" } }
`;
  expect(run(text, ['next', 'out', 'back']).state.configuration).toEqual(['s', 'b']);
});

describe('exits and entries', () => {
  const nested = `states:
  p: { type: parallel, ${log('p')}, states: {
    a: { ${log('a')}, states: { a1: { ${log('a1')}, on: { go: { target: b1, do: [ log: first ] } } } } },
    b: { ${log('b')}, states: { b1: { ${log('b1')}, on: { out: { target: end, do: [ log: gone ] } } } } } } }
  end: { ${log('end')} }
`;
  test('start in document order', () => {
    expect(run(nested, []).story).toBe('+p +a +a1 +b +b1');
  });
  test('leave in reverse document order, then the content, then enter', () => {
    expect(run(nested, ['out']).story).toBe('-b1 -b -a1 -a -p gone +end');
  });
  test('over a region border leave the parallel, for its domain lies above', () => {
    expect(run(nested, ['go']).story).toBe('-b1 -b -a1 -a -p first +p +a +a1 +b +b1');
  });
});

test('several targets in different regions are all entered, whatever their order', () => {
  const text = (targets: string) => `states:
  p: { type: parallel, states: {
    a: { states: { a1: { on: { e: { target: ${targets} } } }, a2: {} } },
    b: { states: { b1: {}, b2: {} } } } }
`;
  for (const targets of ['[a2, b2]', '[b2, a2]'])
    expect(run(text(targets), ['e']).state.configuration).toEqual(['p', 'a', 'a2', 'b', 'b2']);
});

describe('an internal transition', () => {
  const inner = (type: string, target: string) => `states:
  s: { ${log('s')}, states: { x: { ${log('x')} }, y: { ${log('y')} } }, on: { e: { target: ${target}, type: ${type} } } }
  t: { ${log('t')} }
`;
  test.each([
    ['internal', 'y', '-x +y'],
    ['external', 'y', '-x -s +s +y'],
    ['internal', 's', '-x -s +s +x'],
    ['internal', 't', '-x -s +t'],
  ])('%s to %s: %s', (type, target, story) => {
    expect(run(inner(type, target), ['e']).story).toBe(story);
  });
  test('of a parallel is like an external one: only a compound source stays', () => {
    const parallel = `states:
  p: { type: parallel, ${log('p')}, on: { e: { target: a2, type: internal } }, states: {
    a: { states: { a1: {}, a2: { ${log('a2')} } } },
    b: { states: { b1: { ${log('b1')} } } } } }
`;
    expect(run(parallel, ['e']).story).toBe('-b1 -p +p +a2 +b1');
  });
});

describe('conflicts', () => {
  const regions = (first: string, second: string) => `states:
  p: { type: parallel, states: {
    a: { states: { a1: { on: { e: ${first} } }, a2: {} } },
    b: { states: { b1: { on: { e: ${second} } }, b2: {} } } }, on: { e: { do: [ log: parent ] } } }
  out1: {}
  out2: {}
`;
  test.each([
    ['a2', 'b2', ['p', 'a', 'a2', 'b', 'b2']],
    ['out1', 'out2', ['out1']],
    ['out1', 'b2', ['out1']],
    ['a2', 'out2', ['p', 'a', 'a2', 'b', 'b1']],
  ])('%s and %s end in %j', (first, second, configuration) => {
    const { state, story } = run(regions(first, second), ['e']);
    expect(state.configuration).toEqual(configuration);
    expect(story).toBe('');
  });
  test('are won by the deeper source, also when it comes later', () => {
    const deeper = `states:
  p: { type: parallel, on: { e: { target: out1 } }, states: {
    a: { states: { a1: {} } },
    b: { states: { b1: { on: { e: out2 } } } } } }
  out1: {}
  out2: {}
`;
    expect(run(deeper, ['e']).state.configuration).toEqual(['out2']);
  });
  test('are none between transitions without target', () => {
    const both = `states:
  p: { type: parallel, states: {
    a: { states: { a1: { on: { e: { do: [ log: one ] } } } } },
    b: { states: { b1: { on: { e: { do: [ log: two ] } } } } } } }
`;
    expect(run(both, ['e']).story).toBe('one two');
  });
  test('are none when only an ancestor of the other region reacts to other events', () => {
    const wrapped = (w: string) => `states:
  p: { type: parallel, states: {
    s1: { states: { s11: { on: { e: s12 } }, s12: {} } },
    s2: { states: { ${w} s23: {} } } } }
`;
    const once = 'w: { on: { x: s23 }, states: { s21: { on: { e: s22 } }, s22: {} } },';
    const twice = 'v: { states: { w: { on: { x: s23 }, states: { s21: { on: { e: s22 } }, s22: {} } } } },';
    expect(run(wrapped(once), ['e']).state.configuration).toEqual(['p', 's1', 's12', 's2', 'w', 's22']);
    expect(run(wrapped(twice), ['e']).state.configuration).toEqual(['p', 's1', 's12', 's2', 'v', 'w', 's22']);
  });
});

describe('a history', () => {
  const chart = (depth: string) => `states:
  s:
    exit: [ assign: { location: seen, expr: "In('b2')" } ]
    states:
      a: { on: { next: b } }
      b: { states: { b1: { on: { next: b2 } }, b2: {} } }
      h: { type: history, history: ${depth}, default: { target: b, do: [ log: default ] } }
    entry: [ log: +s ]
    on: { out: t }
  t: { on: { back: h } }
data: { seen: null }
`;
  test.each([
    ['shallow', ['s', 'b', 'b1']],
    ['deep', ['s', 'b', 'b2']],
  ])('%s brings back %j', (depth, configuration) => {
    const { state } = run(chart(depth), ['next', 'next', 'out', 'back']);
    expect(state.configuration).toEqual(configuration);
  });
  test('remembers what was active before any exit ran, and its children are left before its parent', () => {
    const { state } = run(chart('deep'), ['next', 'next', 'out']);
    expect(state.history).toEqual({ h: ['b2'] });
    expect(state.data).toEqual({ seen: false });
  });
  test('without anything to remember goes its default way, after its parent was entered', () => {
    const first = `initial: t\n${chart('shallow')}`;
    expect(run(first, ['back']).story).toBe('+s default');
    expect(run(first, ['back', 'out', 'back']).story).toBe('+s');
  });
  test('decides the domain by what it remembers', () => {
    const inside = `states:
  s: { ${log('s')}, initial: a, on: { again: { target: h, type: internal } }, states: {
    a: { ${log('a')} }, h: { type: history, default: a } } }
`;
    expect(run(inside, ['again']).story).toBe('-a +a');
  });
});

describe('done events', () => {
  const done = `states:
  q: { type: parallel, states: { p: { type: parallel, states: {
    a: { states: { a1: { on: { go: fa } }, fa: { type: final, donedata: { params: [ { name: x, expr: "1" } ] } } } },
    b: { states: { b1: { on: { stop: fb } }, fb: { type: final } } } } } },
    on: { done.state.a: { do: [ log: a, log: { label: data, expr: ev.data } ] }, done.state.b: { do: [ log: b ] },
          done.state.p: { do: [ log: p ] } } }
`;
  test('of a parallel comes once, when every region is in its final', () => {
    expect(run(done, ['go']).story).toBe('a data');
    expect(run(done, ['go', 'stop']).story).toBe('b p');
    expect(run(done, ['stop', 'go', 'go']).stories).toEqual(['', 'b', 'a data p', '']);
    expect(run(done, ['go']).last).toContainEqual({ type: 'log', label: 'data', value: { x: 1 } });
  });
  test('of the chart stops it at once, leaves everything and gives its data', () => {
    const { state, last, story } = run(
      `states:
  s: { ${log('s')}, entry: [ send: { event: late, delay: 1s } ], on: { e: { target: f, do: [ raise: never ] } } }
  f: { type: final, ${log('f')}, donedata: { content: { value: { ok: true } } } }
`.replace('entry: [ log: +s ], ', ''),
      ['e'],
    );
    expect(story).toBe('-s +f -f');
    expect(state).toMatchObject({ status: 'done', configuration: [], timers: [] });
    expect(last.slice(-2)).toEqual([
      { type: 'cancel-timer', timer: '0.2' },
      { type: 'done', data: { ok: true } },
    ]);
  });
});

describe('timers', () => {
  const later = `states:
  a: { entry: [ send: { event: ring, id: t, delay: 90s } ], on: { off: { do: [ cancel: t ] }, ring: b, noop: {} } }
  b: {}
`;
  test('are due at the time of their input plus the delay, whatever comes between', () => {
    const { state, effects } = run(later, ['noop', 'noop']);
    expect(effects[0]).toEqual([{ type: 'schedule', timer: '0.1', due: '2026-01-01T00:01:30.000Z' }]);
    expect(state.timers).toMatchObject([{ id: '0.1', sendid: 't', due: '2026-01-01T00:01:30.000Z' }]);
    expect(run(later, ['noop', { timer: '0.1' }]).state).toMatchObject({ configuration: ['b'], timers: [] });
  });
  test('are taken back by their send id, and then fire nothing', () => {
    expect(run(later, ['off']).last).toEqual([{ type: 'cancel-timer', timer: '0.1' }]);
    expect(run(later, ['off', { timer: '0.1' }]).state.configuration).toEqual(['a']);
  });
});

describe('invokes', () => {
  const invoking = `data: { got: 0 }
states:
  a: { always: b, invoke: { type: "u:x", id: never } }
  b:
    invoke: { type: "u:x", id: one, autoforward: true, finalize: [ assign: { location: got, expr: ev.data.n } ] }
    on: { reply: { cond: ctx.got == 7, target: c } }
  c: {}
`;
  test('start at the end of the macrostep, for states that are still active', () => {
    const { effects } = run(invoking, []);
    expect(effects[0]?.map((one) => ('id' in one ? one.id : one.type))).toEqual(['one']);
  });
  test('finalize before the event is looked at, forward, and are cancelled when left', () => {
    const { state, last } = run(invoking, [{ name: 'reply', data: { n: 7 }, invokeid: 'one' }]);
    expect(state.configuration).toEqual(['c']);
    expect(last.map(({ type }) => type)).toEqual(['forward', 'cancel-invoke']);
    expect(run(invoking, [{ name: 'reply', data: { n: 7 }, invokeid: 'other' }]).state.configuration).toEqual(['b']);
  });
  test.each<[unknown, unknown]>([
    [
      { length: 7, more: 1 },
      { length: 7, other: 0 },
    ],
    [{ other: null }, { length: 0, other: null }],
    [{ more: 1 }, { length: 0, other: 0 }],
    [{}, { length: 0, other: 0 }],
    [[1, 2, 3], { length: 0, other: 0 }],
    ['text', { length: 0, other: 0 }],
    [5, { length: 0, other: 0 }],
    [null, { length: 0, other: 0 }],
  ])('with an empty finalize take from %j what the namelist names', (data, expected) => {
    const text = `data: { length: 0, other: 0 }
states:
  a: { invoke: { type: "u:x", id: one, namelist: length other, finalize: [] }, on: { error.execution: b } }
  b: {}
`;
    const { state } = run(text, [{ name: 'reply', data: data as Json, invokeid: 'one' }]);
    expect([state.data, state.configuration]).toEqual([expected, ['a']]);
  });
  test.each([
    ['an id with no place to go', 'idlocation: no.where'],
    ['content that cannot be had', 'content: { expr: ctx.nowhere }'],
  ])('with %s do not start, and an error says so', (_, part) => {
    const text = `states: { a: { invoke: { type: "u:x", ${part} }, on: { error.execution: b } }, b: {} }\n`;
    const { state, last } = run(text, []);
    expect([state.configuration, state.invokes, last]).toEqual([['b'], [], []]);
  });
  test('whose answer has no place to go raise an error', () => {
    const text = `data: { o: { n: 0 } }
states:
  a:
    invoke: { type: "u:x", id: one, params: [ { name: n, location: o.n } ], finalize: [] }
    on: { drop: { do: [ assign: { location: o, expr: "null" } ] }, error.execution: b }
  b: {}
`;
    const reply = { name: 'reply', data: { n: 1 }, invokeid: 'one' };
    expect(run(text, [reply]).state).toMatchObject({ configuration: ['a'], data: { o: { n: 1 } } });
    expect(run(text, ['drop', reply]).state).toMatchObject({ configuration: ['b'], data: { o: null } });
  });
});

describe('errors', () => {
  test('end their own block only', () => {
    const blocks = `states:
  a: { entry: [ [ log: one, assign: { location: no.where, expr: "1" }, log: two ], [ log: three ] ], on: { error.execution: { do: [ log: error ] } } }
`;
    expect(run(blocks, []).story).toBe('one three error');
  });
  test('of a condition are raised once and the next transition is looked at', () => {
    const text = `states:
  a: { on: { e: [ { cond: ctx.x == 1, target: b }, { target: c } ] } }
  b: {}
  c: { on: { error.execution: { do: [ log: error ] } } }
`;
    const { state, story } = run(text, ['e']);
    expect([state.configuration, story]).toEqual([['c'], 'error']);
  });
  test('carry no values, only codes', () => {
    const text = `data: { secret: hunter2 }
states:
  a: { on: { e: { do: [ assign: { location: x, expr: "ctx.secret + 1" } ] }, error.execution: { do: [ log: { label: l, expr: ev.data } ] } } }
`;
    expect(JSON.stringify(run(text, ['e']).last)).not.toContain('hunter2');
  });
  test.each([
    ['of a namelist keep the event back', 'namelist: nowhere', 'error', ''],
    ['of a param leave the param out', 'params: [ { name: x, expr: ctx.nowhere } ]', 'error', 'sent'],
  ])('%s', (_, payload, error, sent) => {
    const text = `states:
  a: { on: { e: { do: [ send: { event: sent, ${payload} }, log: after ] }, error.execution: { do: [ log: error ] }, sent: { do: [ log: sent ] } } }
`;
    expect(
      run(text, ['e'])
        .story?.split(' ')
        .filter((word) => word !== 'after'),
    ).toEqual([error, sent].filter(Boolean));
    expect(run(text, ['e']).story?.includes('after')).toBe(sent === 'sent');
  });
  test('a message for a web server goes nowhere without a target', () => {
    const text = (more: string) => `states:
  a: { on: { e: { do: [ send: { event: x, type: "http://www.w3.org/TR/scxml/#BasicHTTPEventProcessor"${more} } ] }, error.communication: { do: [ log: error ] } } }
`;
    expect(run(text(''), ['e']).story).toBe('error');
    expect(run(text(', target: "https://example.org/"'), ['e']).last).toMatchObject([{ type: 'send' }]);
  });
  test.each([
    ['a delay that no calendar holds', 'send: { event: x, delayexpr: "\'99999999999999d\'" }', 'chart.delay'],
    ['a target that is none', 'send: { event: x, target: baz }', 'chart.send-target'],
    ['a system variable', 'assign: { location: _name, expr: "1" }', 'chart.location'],
    ['a foreach over no list', 'foreach: { array: "7", item: i }', 'chart.foreach'],
  ])('name %s by code', (_, action, reason) => {
    const text = `data: { r: null }\nstates: { a: { on: { e: { do: [ ${action} ] }, error.execution: { do: [ assign: { location: r, expr: ev.data.reason } ] } } } }`;
    expect(run(text, ['e']).state.data).toEqual({ r: reason });
  });
});

test.each([
  ['foo', 'foo', true],
  ['foo', 'foo.bar', true],
  ['foo', 'foobar', false],
  ['foo.*', 'foo.bar.baz', true],
  ['foo.', 'foo', true],
  ['*', 'anything', true],
  ['foo.bar', 'foo', false],
])('the descriptor %s and the event %s', (descriptor, name, matches) => {
  expect(run(`states: { a: { on: { "${descriptor}": b } }, b: {} }`, [name]).state.configuration).toEqual([
    matches ? 'b' : 'a',
  ]);
});

test('a state of another chart is refused', () => {
  const options = { dataModel: celDataModel() };
  const [one, two] = ['a', 'b'].map((name) => compileChart(readYaml(`vertep: 1\nstates: { ${name}: {} }`), options));
  if (one === undefined || two === undefined) throw new Error('two charts');
  const [state] = initial(one, { sessionId: 's', at });
  expect(() => step(two, state, { at, event: { name: 'x' } })).toThrow(
    expect.objectContaining({ code: 'CHART_MISMATCH' }),
  );
});

test('an input without a time is refused', () => {
  const chart = compileChart(readYaml('vertep: 1\nstates: { a: {} }'), { dataModel: celDataModel() });
  expect(() => initial(chart, { sessionId: 's', at: 'soon' })).toThrow(
    expect.objectContaining({ code: 'CHART_INPUT' }),
  );
});
