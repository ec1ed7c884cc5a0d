import { describe, expect, test } from 'vitest';
import { decision, event, start } from './support.ts';

const SEEN = `error.decide.invalid: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.reason]' } }] }`;
const REVIEW = `
data: { amount: 250, seen: [] }
states:
  review:
    extensions: [{ local: decide, attribute: human/boss }]
    on:
      approve: { cond: ctx.amount <= 100, target: done }
      reject: done
      escalate: done
      raise: { do: [{ assign: { location: amount, expr: '50' } }] }
      ${SEEN}
  done: { type: final }
`;
const TYPED = `
extensions: [{ local: types, attribute: "type Pay = { n: int }; event pay = Pay;" }]
data: { seen: [], paid: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    transitions:
      - { event: pay, cond: ev.data.n <= 10, do: [{ assign: { location: paid, expr: ev.data.n } }] }
      - { event: pay, target: z }
      - { event: error.decide.invalid, do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
  z: { type: final }
`;

describe('an offer', () => {
  test('names what the chart enables now, in document order', () => {
    const { state } = start(REVIEW);
    expect(state.slots[0]?.candidates.map((one) => one.event)).toEqual(['reject', 'escalate', 'raise']);
    expect(state.slots).toMatchObject([{ status: 'open', correlation: '1.0' }]);
  });

  test('moves the chart by one of its events, once', () => {
    const one = start(REVIEW);
    one.take(decision('1.0', 'reject'));
    one.take(decision('1.0', 'escalate'));
    expect(one.state.status).toBe('done');
    expect(one.facts).toContainEqual({
      type: 'accepted',
      correlation: '1.0',
      event: 'reject',
      transitions: ['review#1'],
    });
  });

  test.each([
    ['an event that is not on offer', decision('1.0', 'approve'), 'not-a-candidate'],
    ['a reserved event', decision('1.0', 'error.decide.invalid'), 'not-a-candidate'],
    ['an id that was never given', decision('7.0', 'reject'), 'stale'],
    ['a confidence above 1', decision('1.0', 'reject', null, { confidence: 1.5 }), 'annotation'],
    ['an unknown annotation', decision('1.0', 'reject', null, { mood: 'good' }), 'annotation'],
  ])('takes nothing by %s', (_, input, reason) => {
    const one = start(REVIEW);
    one.take(input);
    expect(one.active()).toEqual(['review']);
    expect(one.data('seen')).toEqual([reason]);
  });

  test('is closed by an answer that is not accepted, and asked again after its fingerprint changed', () => {
    const one = start(REVIEW);
    one.take(decision('1.0', 'approve'));
    one.take(decision('1.0', 'reject'));
    expect(one.open()).toEqual([]);
    one.take(event('raise'));
    expect(one.open()).toEqual(['review 4.0']);
  });

  test('that did not change is not asked twice, and one that changed is asked under a new id', () => {
    const one = start(REVIEW);
    one.take(event('nothing'));
    expect(one.open()).toEqual(['review 1.0']);
    one.take(event('raise'));
    expect(one.open()).toEqual(['review 3.0']);
    one.take(decision('1.0', 'reject'));
    expect(one.data('seen')).toEqual(['stale']);
    expect(one.open()).toEqual(['review 3.0']);
  });

  test('has the payload checked: against its type, then by the guard that the offer could not know', () => {
    const one = start(TYPED);
    expect(one.state.slots[0]?.candidates).toMatchObject([
      { event: 'pay', conditional: true, schema: { $ref: '#/$defs/Pay' }, transitions: ['a#0'] },
    ]);
    one.take(decision('1.0', 'pay', { n: 'x' }));
    one.take(event('other'));
    expect(one.data('seen')).toMatchObject([
      { reason: 'payload-schema', paths: ['/n'], correlation: '1.0', event: 'pay' },
    ]);
    const two = start(TYPED);
    two.take(decision('1.0', 'pay', { n: 50 }));
    expect(two.data('seen')).toMatchObject([{ reason: 'not-enabled' }]);
    const three = start(TYPED);
    three.take(decision('1.0', 'pay', { n: 5 }));
    expect(three.data('paid')).toBe(5);
    expect(three.open()).toEqual(['a 2.0']);
  });
});

const LOOP = (more: string) => `
data: { n: 0, seen: [] }
states:
  a:
    extensions: [{ local: decide, attribute: d }${more}]
    on:
      again: a
      off: b
      vt.agent.budget-exhausted: spent
      vt.decide.refused: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.reason]' } }] }
      error.decide.invalid: a
      error.decide.timeout: late
  b: { on: { back: a } }
  spent: { on: { back: a } }
  late: {}
`;

describe('a decide state', () => {
  test('closes its offer when it is left and asks anew when it is entered again', () => {
    const one = start(LOOP(''));
    one.take(event('off'));
    expect(one.open()).toEqual([]);
    one.take(event('back'));
    expect(one.open()).toEqual(['a 3.0']);
    one.take(event('again'));
    expect(one.open()).toEqual(['a 4.0']);
    one.take(decision('3.0', 'again'));
    expect(one.facts).toContainEqual(expect.objectContaining({ type: 'invalid', reason: 'stale', correlation: '3.0' }));
  });

  test('accepts so many decisions over its life and no more', () => {
    const one = start(LOOP(', { local: maxDecisions, attribute: "2" }'));
    one.take(decision('1.0', 'again'));
    one.take(decision('2.0', 'again'));
    expect(one.active()).toEqual(['spent']);
    one.take(event('back'));
    expect(one.active()).toEqual(['spent']);
    expect(one.state.accepted).toEqual({ a: 2 });
  });

  test('asks at most three times as often as it may accept', () => {
    const one = start(LOOP(', { local: maxDecisions, attribute: "1" }'));
    for (const at of ['1.0', '2.0', '3.0']) one.take(decision(at, 'nonsense'));
    expect(one.active()).toEqual(['spent']);
  });

  test.each([
    [null, 100],
    [7, 7],
  ])('without a bound of its own asks as often as the host lets it (%j)', (maxAsks, asked) => {
    const one = start(LOOP(''), { maxAsks });
    for (let round = 1; one.active()[0] === 'a'; round += 1) one.take(decision(`${round}.0`, 'nonsense'));
    expect(one.state.position).toBe(asked + 1);
  });

  test('hears of a refusal, once', () => {
    const one = start(LOOP(''));
    one.take({ type: 'refusal', data: { correlation: '1.0', reason: 'no idea' } });
    one.take({ type: 'refusal', data: { correlation: '1.0', reason: 'no idea' } });
    expect(one.data('seen')).toEqual(['no idea']);
    expect(one.open()).toEqual([]);
  });

  test('that has nothing to offer says so instead of asking', () => {
    const one = start(`
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { vt.decide.none: z, error.x: z } }
  z: { type: final }
`);
    expect(one.state.status).toBe('done');
  });

  test('asks its fallback when the deadline has passed, under another id, and the late answer is stale', () => {
    const one = start(LOOP(', { local: deadline, attribute: 30s }, { local: fallback, attribute: f }'));
    const timer = { type: 'timer', data: { timer: 'deadline:1.0' } } as const;
    one.take({ ...timer, at: '2026-01-01T00:00:29.999Z' });
    expect(one.open()).toEqual(['a 1.0']);
    one.take({ ...timer, at: '2026-01-01T00:00:30.000Z' });
    expect(one.state.slots).toMatchObject([{ correlation: '3.0', binding: 'f', fallback: true, due: null }]);
    one.take(decision('1.0', 'again'));
    expect(one.facts.at(-1)).not.toMatchObject({ type: 'accepted' });
    expect(one.facts).toContainEqual(expect.objectContaining({ type: 'invalid', reason: 'stale' }));
  });

  test('hears of a deadline that nobody stands in for', () => {
    const one = start(LOOP(', { local: deadline, attribute: 30s }'));
    one.take({ type: 'timer', at: '2026-01-01T01:00:00.000Z', data: { timer: 'deadline:1.0' } });
    expect(one.active()).toEqual(['late']);
  });
});

const NESTED = `
data: { n: 0 }
states:
  p:
    type: parallel
    on: { up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] } }
    states:
      left:
        extensions: [{ local: decide, attribute: outer }]
        on: { leave: left }
        states:
          l1: { extensions: [{ local: decide, attribute: inner }], on: { go: l2 } }
          l2: { on: { back: l1 } }
      right:
        states:
          r1: { extensions: [{ local: decide, attribute: other }], on: { go: r2 } }
          r2: { on: { back: r1 } }
`;

describe('several decide states at once', () => {
  test('each has an offer of what concerns it: its own, those below it and those above it', () => {
    const one = start(NESTED);
    const offers = one.state.slots.map(
      ({ key, candidates }) => `${key}: ${candidates.map(({ event: name }) => name).join(' ')}`,
    );
    expect(offers).toEqual(['left: up leave go', 'l1: up leave go', 'r1: up go']);
    expect(one.open()).toEqual(['left 1.0', 'l1 1.1', 'r1 1.2']);
  });

  test('an answer to one leaves the others as they are, unless it moves them too', () => {
    const one = start(NESTED);
    one.take(decision('1.2', 'up'));
    expect(one.data('n')).toBe(1);
    expect(one.open()).toEqual(['left 1.0', 'l1 1.1', 'r1 2.0']);
    one.take(decision('1.1', 'go'));
    expect(one.active()).toEqual(['p', 'left', 'l2', 'right', 'r2']);
    expect(one.open()).toEqual(['left 3.0']);
  });
});

test('a chart that never settles ends with a reason', () => {
  const one = start(`
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { vt.decide.none: b } }
  b: { extensions: [{ local: decide, attribute: d }], on: { vt.decide.none: a } }
`);
  expect(one.state).toMatchObject({ status: 'stopped', stopped: { code: 'agent.offers' } });
});
