import { describe, expect, test } from 'vitest';
import { decision, event, type Machine, start, type Wanted } from './support.ts';

const closed = ({ facts }: Machine) => facts.filter(({ type }) => type === 'closed');
const late = (correlation: string): Wanted => ({
  type: 'timer',
  at: '2026-01-01T01:00:00.000Z',
  data: { timer: `deadline:${correlation}` },
});
const SEEN = "{ do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.name]' } }] }";

describe('that an offer is closed is written down', () => {
  const CHART = `
data: { n: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1m }]
    on:
      go: z
      more: { cond: ctx.n > 0, target: z }
      again: a
      up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      error.decide.*: {}
  z: {}
`;
  test.each([
    ['left', event('go')],
    ['entered-again', event('again')],
    ['changed', event('up')],
    ['deadline', late('1.0')],
  ])('when it is %s', (why, input) => {
    const one = start(CHART);
    one.take(input);
    expect(closed(one)).toEqual([{ type: 'closed', correlation: '1.0', why }]);
  });

  test.each([
    ['left', event('go')],
    ['again', event('again')],
    ['changed', event('up')],
  ])('but not when it was answered, and then %s', (_, input) => {
    const one = start(CHART);
    one.take(decision('1.0', 'nothing'));
    one.take(input);
    expect(closed(one)).toEqual([]);
  });
});

describe('a deadline', () => {
  const chart = (more: string) => `
data: { seen: [] }
states:
  p:
    type: parallel
    states:
      a:
        extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1m }${more}]
        on: { go: {}, error.decide.timeout: ${SEEN}, vt.agent.budget-exhausted: ${SEEN} }
      b: { extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1m }], on: { go: {} } }
`;
  const FALLBACK = ', { local: fallback, attribute: f }';

  test('that passes tells the chart, and leaves other offers open', () => {
    const one = start(chart(''));
    one.take(late('1.0'));
    expect(one.data('seen')).toEqual(['error.decide.timeout']);
    expect(one.state.slots.map(({ key, status, due }) => [key, status, due])).toEqual([
      ['b', 'open', '2026-01-01T00:01:00.000Z'],
      ['a', 'closed', null],
    ]);
    one.take(late('1.0'));
    one.take(late('9.9'));
    expect(one.data('seen')).toHaveLength(1);
  });

  test('is that of its own state, where another one has a fallback', () => {
    const one = start(chart(FALLBACK));
    one.take(late('1.1'));
    expect(one.facts).toContainEqual({ type: 'raised', event: 'error.decide.timeout', state: 'b' });
    expect(one.state.slots.map(({ key, status }) => [key, status])).toEqual([
      ['a', 'open'],
      ['b', 'closed'],
    ]);
  });

  test('with a fallback asks it under another id, without a deadline of its own', () => {
    const one = start(chart(FALLBACK));
    one.take(late('1.0'));
    expect(one.data('seen')).toEqual([]);
    expect(one.state.slots.at(-1)).toMatchObject({
      key: 'a',
      status: 'open',
      correlation: '2.0',
      binding: 'f',
      fallback: true,
      due: null,
    });
  });

  test('with a fallback that may not be asked any more ends the asking', () => {
    const one = start(chart(FALLBACK), { maxAsks: 1 });
    one.take(late('1.0'));
    expect(one.data('seen')).toEqual(['vt.agent.budget-exhausted']);
    expect(one.state.slots.at(-1)).toMatchObject({ key: 'a', status: 'exhausted', due: null });
  });

  test('without a fallback is a timeout, also when nobody may be asked any more', () => {
    const one = start(chart(''), { maxAsks: 1 });
    one.take(late('1.0'));
    expect(one.data('seen')).toEqual(['error.decide.timeout']);
    expect(one.state.slots.at(-1)).toMatchObject({ key: 'a', status: 'closed' });
  });
});

test.each(['constructor', '__proto__'])('a state may have any name, such as %s', (name) => {
  const one = start(`
states:
  ${name}:
    extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "1" }]
    on: { again: ${name}, vt.agent.budget-exhausted: z }
  z: { type: final }
`);
  expect(one.state.asks).toEqual(Object.fromEntries([[name, 1]]));
  one.take(decision('1.0', 'again'));
  expect(one.state.accepted).toEqual(Object.fromEntries([[name, 1]]));
  expect(one.state.status).toBe('done');
});

test.each([
  [', { local: maxDecisions, attribute: "2" }', null, 6],
  ['', null, 100],
  [', { local: maxDecisions, attribute: "2" }', 4, 4],
])('with %s and a bound of %s it is asked %i times', (more, maxAsks, times) => {
  const one = start(
    `
states:
  a:
    extensions: [{ local: decide, attribute: d }${more}]
    on: { go: z, error.decide.invalid: a, vt.agent.budget-exhausted: z }
  z: { type: final }
`,
    { maxAsks },
  );
  let asked = 0;
  for (; one.state.status === 'running'; asked += 1) one.take(decision(one.state.slots[0]?.correlation ?? '', 'x'));
  expect(asked).toBe(times);
});

describe('an invoked chart', () => {
  const chart = (grant: string, more = '') => `
data: { seen: [] }
states:
  a:
    invoke:
      id: c
      extensions: [{ local: grant, attributes: { ${grant} } }]
      content:
        chart:
          states:
            s: { extensions: [{ local: decide, attribute: d }${more}], on: { go: t, error.decide.timeout: t } }
            t: { type: final }
    on: { vt.grant.denied: ${SEEN}, done.invoke.c: ${SEEN} }
`;
  const grant = { targets: [], tools: [], deciders: ['d'], functions: [] };

  test('asks only deciders that it was granted', () => {
    const one = start(chart("tools: '*'"), { grant });
    expect(one.data('seen')).toEqual(['vt.grant.denied']);
    expect(one.state.slots).toMatchObject([{ key: '1.0/s', status: 'closed', correlation: '', candidates: [] }]);
    expect(one.facts).toContainEqual(expect.objectContaining({ type: 'not-granted', what: 'deciders', name: 'd' }));
  });

  test.each([
    ["deciders: 'd'", ['vt.grant.denied', 'done.invoke.c']],
    ["deciders: 'd f'", []],
  ])('with %s asks a fallback only where it was granted that too', (granted, seen) => {
    const fallback = ', { local: deadline, attribute: 1m }, { local: fallback, attribute: f }';
    const one = start(chart(granted, fallback), {
      grant: { ...grant, deciders: ['d', 'f'] },
    });
    one.take(late('1.0'));
    expect(one.data('seen')).toEqual(seen);
    expect(one.state.slots.map(({ binding, fallback: asked }) => [binding, asked])).toEqual(
      seen.length === 0 ? [['f', true]] : [],
    );
    const denied = one.facts.filter(({ type }) => type === 'not-granted');
    expect(denied).toMatchObject(
      seen.length === 0 ? [] : [{ what: 'deciders', name: 'f', event: 'vt.decide.request' }],
    );
  });

  test('decides as its parent does, once it was granted whom to ask', () => {
    const one = start(chart('deciders: d'), { grant });
    expect(one.open()).toEqual(['1.0/s 1.0']);
    one.take(decision('1.0', 'go'));
    expect(one.data('seen')).toEqual(['done.invoke.c']);
    expect(one.state.slots).toEqual([]);
  });
});

describe('an offer', () => {
  test('is made to the first decider, and without a deadline it waits', () => {
    const one = start('states: { a: { extensions: [{ local: decide, attribute: d }], on: { go: z } }, z: {} }');
    expect(one.state.slots).toMatchObject([{ binding: 'd', fallback: false, due: null }]);
    expect(one.facts).toContainEqual(expect.objectContaining({ type: 'offered', binding: 'd', fallback: false }));
  });

  test('beside another one of other events stays as it is', () => {
    const region = (name: string) => `{ extensions: [{ local: decide, attribute: d }], on: { ${name}: {} } }`;
    const one = start(`states: { p: { type: parallel, states: { a: ${region('go')}, b: ${region('stay')} } } }`);
    one.take(event('nothing'));
    expect(one.open()).toEqual(['a 1.0', 'b 1.1']);
    expect(closed(one)).toEqual([]);
  });

  test('is not made where another one, before it, has moved the chart on', () => {
    const region = (on: string) => `{ extensions: [{ local: decide, attribute: d }], on: { ${on} } }`;
    const one = start(`
states:
  p: { type: parallel, on: { vt.decide.none: z }, states: { a: ${region('error.x: {}')}, b: ${region('go: {}')} } }
  z: {}
`);
    expect(one.active()).toEqual(['z']);
    expect(one.facts.filter(({ type }) => type === 'offered')).toEqual([]);
  });

  test('is not made once the agent has stopped', () => {
    const one = start(`
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    entry: [{ send: { event: x } }]
    on: { go: {}, x: { do: [{ send: { event: x } }] } }
`);
    expect(one.state).toMatchObject({ status: 'stopped', slots: [] });
  });

  test('is not made once two charts have kept each other busy for too long', () => {
    const pong = "[{ send: { event: pong, target: '#_parent' } }]";
    const one = start(`
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    invoke:
      id: c
      extensions: [{ local: grant, attributes: { targets: '#_parent' } }]
      content: { chart: { states: { s: { entry: ${pong}, on: { ping: { do: ${pong} } } } } } }
    on: { go: {}, pong: { do: [{ send: { event: ping, target: '#_c' } }] } }
`);
    expect(one.state).toMatchObject({ status: 'stopped', stopped: { code: 'agent.steps' }, slots: [] });
  });

  test('is looked for a thousand times in a turn and no more', () => {
    const one = start(`
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { vt.decide.none: b } }
  b: { extensions: [{ local: decide, attribute: d }], on: { vt.decide.none: a } }
`);
    expect(one.facts.filter(({ type }) => type === 'raised')).toHaveLength(1000);
    expect(one.state.stopped?.code).toBe('agent.offers');
  });

  test('that nobody may be asked for any more is told once for each entry, whatever is on offer then', () => {
    const one = start(
      `
data: { n: 0, seen: [] }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    on:
      go: { cond: ctx.n == 0, target: a }
      up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      back: a
      vt.agent.budget-exhausted: ${SEEN}
`,
      { maxAsks: 1 },
    );
    one.take(decision('1.0', 'go'));
    expect(one.state.slots).toMatchObject([{ status: 'exhausted', candidates: [], due: null }]);
    one.take(event('up'));
    expect(one.data('seen')).toHaveLength(1);
    one.take(event('back'));
    expect(one.data('seen')).toHaveLength(2);
  });
});
