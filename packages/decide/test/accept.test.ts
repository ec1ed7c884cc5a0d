import { initial, step } from '@warrant/chart';
import type { JsonObject } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { judgeDecision } from '../src/accept.ts';
import type { DecisionData } from '../src/input.ts';
import { compileProgram } from '../src/machine/program.ts';
import { isOfferedBy, offerOf } from '../src/offer.ts';
import { NO_USAGE, type Slot } from '../src/state.ts';
import { usageVariables } from '../src/usage.ts';
import { AT, definitionOf } from './support.ts';

const NOTHING_SPENT = usageVariables(NO_USAGE);

/** A chart at its start, what its first decide state offers, and the slot that holds the offer. */
function offered(yaml: string) {
  const { chart: ir, ...options } = definitionOf(yaml);
  const { chart, bindings } = compileProgram(ir, options);
  const [binding] = bindings;
  if (binding === undefined) throw new Error('no decide state');
  const [state] = initial(chart, { sessionId: 'root', at: AT, input: {}, variables: NOTHING_SPENT, reachable: [] });
  const offer = (at = state, variables: JsonObject = NOTHING_SPENT) => offerOf(chart, at, binding, variables);
  const slot: Slot = {
    key: binding.state,
    session: 'root',
    state: binding.state,
    status: 'open',
    correlation: '1.0',
    binding: binding.decider,
    fallback: false,
    due: null,
    ...offer(),
  };
  const after = (name: string) =>
    step(chart, state, { event: { name, data: null }, at: AT, variables: NOTHING_SPENT, reachable: [] })[0];
  const judge = (
    decision: Partial<DecisionData>,
    { at = state, variables = NOTHING_SPENT, of = slot }: { at?: typeof state; variables?: JsonObject; of?: Slot } = {},
  ) => judgeDecision(chart, at, of, { correlation: '1.0', event: '', payload: null, ...decision }, variables);
  return { chart, slot, start: state, after, judge, offer };
}

const CHART = `
data: { n: 1 }
states:
  p:
    type: parallel
    states:
      one:
        on: { up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] } }
        states:
          a:
            extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: 'go pay spend above below idle*' }]
            on:
              go: { cond: ctx.n <= 1, target: z }
              pay: { cond: 'ev.data.sum <= 10', target: z }
              spend: { cond: vt_usage.total_tokens < 10, target: z }
            initial: b
            states: { b: { on: { below: z } } }
          z: {}
      two:
        on: { pay: { do: [{ assign: { location: n, expr: ctx.n + 5 } }] }, go: {} }
  other: { on: { above: p } }
`.replace('p:\n    type: parallel', 'p:\n    type: parallel\n    on: { above: other }');

describe('an answer', () => {
  const { judge, slot, after } = offered(CHART);

  test('is taken when it names the open offer and one of its events, wherever around the state that is handled', () => {
    expect(slot.candidates.map(({ event, conditional }) => [event, conditional])).toEqual([
      ['above', false],
      ['go', false],
      ['pay', true],
      ['spend', false],
      ['below', false],
    ]);
    for (const { event, transitions } of slot.candidates)
      expect(judge({ event, payload: { sum: 10 } })).toEqual({ type: 'accepted', transitions });
  });

  test.each([
    ['another id', { correlation: '1.1', event: 'go' }, 'stale'],
    ['an event that is not on offer', { event: 'up' }, 'not-a-candidate'],
    ['a payload that its guard refuses', { event: 'pay', payload: { sum: 11 } }, 'not-enabled'],
    ['a payload that its guard cannot read', { event: 'pay' }, 'not-enabled'],
  ])('with %s is not', (_, decision, reason) => {
    expect(judge(decision)).toEqual({ type: 'invalid', reason, paths: [] });
  });

  test.each(['closed', 'none', 'exhausted'] as const)('to an offer that is %s is stale', (status) => {
    expect(judge({ event: 'go' }, { of: { ...slot, status } })).toMatchObject({ reason: 'stale' });
  });

  test('is looked at as the chart is now, not as it was when it was asked', () => {
    const later = after('up');
    expect(judge({ event: 'go' }, { at: later })).toMatchObject({ reason: 'not-enabled' });
    expect(judge({ event: 'below' }, { at: later })).toMatchObject({ type: 'accepted' });
    const spent = usageVariables({ ...NO_USAGE, total_tokens: 10 });
    expect(judge({ event: 'spend' }, { variables: spent })).toMatchObject({ reason: 'not-enabled' });
    expect(judge({ event: 'go' }, { variables: spent })).toMatchObject({ type: 'accepted' });
  });
});

describe('annotations', () => {
  const { judge } = offered('states: { a: { extensions: [{ local: decide, attribute: d }], on: { go: z } }, z: {} }');
  const paths = (annotations: unknown) => {
    const judged = judge({ event: 'go', annotations } as never);
    return judged.type === 'accepted' ? [] : judged.paths;
  };
  const hash = `sha256:${'0f'.repeat(32)}`;

  test.each([
    [{}],
    [{ rationale: '', kind: 'llm', binding: 'd', model: 'm'.repeat(16_384) }],
    [{ confidence: 0 }],
    [{ confidence: 1 }],
    [{ promptHash: hash, fallback: true }],
    [{ usage: { promptTokens: 1, completionTokens: 0 }, fallback: false }],
  ])('%# are as they have to be', (annotations) => expect(paths(annotations)).toEqual([]));

  test('may be left out', () => expect(judge({ event: 'go' })).toMatchObject({ type: 'accepted' }));

  test.each([
    [null, ['']],
    [[], ['']],
    ['good', ['']],
    [7, ['']],
    [{ rationale: 1 }, ['/rationale']],
    [{ rationale: 'x'.repeat(16_385) }, ['/rationale']],
    [{ kind: null, binding: {}, model: [] }, ['/kind', '/binding', '/model']],
    [{ confidence: -0.1 }, ['/confidence']],
    [{ confidence: 1.1 }, ['/confidence']],
    [{ confidence: '1' }, ['/confidence']],
    [{ promptHash: `${hash}0` }, ['/promptHash']],
    [{ promptHash: hash.toUpperCase() }, ['/promptHash']],
    [{ promptHash: ` ${hash}` }, ['/promptHash']],
    [{ promptHash: [hash] }, ['/promptHash']],
    [{ usage: { promptTokens: 1 } }, ['/usage']],
    [{ fallback: 'true' }, ['/fallback']],
    [{ 'a/b~c': 1, toString: 1 }, ['/a~1b~0c', '/toString']],
  ])('%# are not as they have to be', (annotations, expected) => {
    expect(paths(annotations)).toEqual(expected);
    expect(judge({ event: 'go', annotations } as never)).toMatchObject({ type: 'invalid', reason: 'annotation' });
  });
});

describe('an offer', () => {
  const { offer, after } = offered(CHART);
  const names = (of: ReturnType<typeof offer>) => of.candidates.map(({ event }) => event);

  test('is what the chart offers now, however often it was looked at before', () => {
    const first = offer();
    expect(offer()).toEqual(first);
    const later = offer(after('up'));
    expect(names(later)).toEqual(['above', 'pay', 'spend', 'below']);
    expect(later.fingerprint).not.toBe(first.fingerprint);
    expect(names(offer(after('below')))).toEqual(['above']);
    expect(offer()).toEqual(first);
    expect(names(offer(undefined, usageVariables({ ...NO_USAGE, total_tokens: 10 })))).toEqual([
      'above',
      'go',
      'pay',
      'below',
    ]);
  });

  test('that is what it was the last time is the same list, known by the state that it was last found in', () => {
    const { offer: look, after: next, start } = offered(CHART);
    const first = look();
    expect(look()).toBe(first);
    expect(isOfferedBy(first.candidates, start, NOTHING_SPENT)).toBe(true);
    expect(isOfferedBy([...first.candidates], start, NOTHING_SPENT)).toBe(false);
    expect(isOfferedBy(first.candidates, start, usageVariables({ ...NO_USAGE }))).toBe(false);
    const other = next('nothing');
    expect(isOfferedBy(first.candidates, other, NOTHING_SPENT)).toBe(false);
    expect(look(other)).toBe(first);
    expect(isOfferedBy(first.candidates, other, NOTHING_SPENT)).toBe(true);
    expect(isOfferedBy(first.candidates, start, NOTHING_SPENT)).toBe(false);
  });

  test('of the same events that would do something else is another list, under the same fingerprint', () => {
    const two = offered(`
data: { n: 1 }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    transitions:
      - { event: go, cond: ctx.n <= 1, target: y }
      - { event: go, cond: 'ctx.n > 2 || ev.data == 1', target: z }
      - { event: up, do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
  y: {}
  z: {}
`);
    const [first, later] = [two.offer(), two.offer(two.after('up'))];
    expect(later.fingerprint).toBe(first.fingerprint);
    expect(first.candidates).toMatchObject([
      { event: 'go', conditional: false, transitions: ['a#0'] },
      { event: 'up' },
    ]);
    expect(later.candidates).toMatchObject([{ event: 'go', conditional: true, transitions: ['a#1'] }, { event: 'up' }]);
  });

  test('of one event that takes another transition now is another one', () => {
    const two = offered(`
data: { n: 1 }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: go }]
    transitions:
      - { event: up, do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      - { event: go, cond: ctx.n <= 1, target: y }
      - { event: go, target: z }
  y: {}
  z: {}
`);
    expect(two.offer().candidates).toMatchObject([{ event: 'go', transitions: ['a#1'] }]);
    expect(two.offer(two.after('up')).candidates).toMatchObject([{ event: 'go', transitions: ['a#2'] }]);
  });

  test('of other events that take the same transition is another one', () => {
    const two = offered(`
data: { n: 1 }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    transitions:
      - { event: pay send, cond: "(ev.name == 'pay') == (ctx.n == 1)", target: z }
      - { event: up, do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
  z: {}
`);
    expect(names(two.offer())).toEqual(['pay', 'up']);
    expect(names(two.offer(two.after('up')))).toEqual(['send', 'up']);
  });

  test('of an event whose payload counts only now, elsewhere, is another one', () => {
    const { offer: look, after: next } = offered(`
data: { n: 1 }
states:
  p:
    type: parallel
    on: { up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] } }
    states:
      a: { extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: go }], on: { go: {} } }
      b: { transitions: [{ event: go, cond: ctx.n == 1 }, { event: go, cond: ev.data.x == 1 }] }
`);
    expect(look().candidates).toMatchObject([{ conditional: false, transitions: ['a#0'] }]);
    expect(look(next('up')).candidates).toMatchObject([{ conditional: true, transitions: ['a#0'] }]);
  });

  test('of one event that does something else in one of two places is another one', () => {
    const {
      chart,
      after: next,
      offer: look,
    } = offered(`
data: { n: 1 }
states:
  a:
    type: state
    extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: go }]
    on: { up: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] } }
    initial: p
    states:
      p:
        type: parallel
        states:
          one: { on: { go: {} } }
          two:
            transitions:
              - { event: go, cond: ctx.n <= 1 }
              - { event: go }
`);
    expect(chart.byId.has('two')).toBe(true);
    expect(look().candidates).toMatchObject([{ transitions: ['one#0', 'two#0'] }]);
    expect(look(next('up')).candidates).toMatchObject([{ transitions: ['one#0', 'two#1'] }]);
  });

  test('keeps to the descriptors that it is given, names and kinds of them', () => {
    const one = (candidates: string) =>
      offered(`
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: '${candidates}' }]
    on: { pay: z, pay.now: z, payment: z, send.mail: z, '*': z }
  z: {}
`).offer();
    expect(names(one('pay'))).toEqual(['pay', 'pay.now']);
    expect(names(one('pay.* send'))).toEqual(['pay', 'pay.now', 'send.mail', 'send']);
    expect(names(one('pay.now other.thing'))).toEqual(['pay.now', 'other.thing']);
    expect(names(one('*'))).toEqual(['pay', 'pay.now', 'payment', 'send.mail']);
  });
});
