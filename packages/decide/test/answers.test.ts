import type { Annotations, Json } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { decision, start, type Wanted } from './support.ts';

/** Two decide states that hand over to each other, with what the chart heard of answers. */
const PAIR = `
data: { seen: [], got: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: first }]
    on: { go: { target: b, do: [{ assign: { location: got, expr: ev.data } }] }, stop: z }
  b:
    extensions: [{ local: decide, attribute: second }]
    on:
      back: a
      error.decide.invalid: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
      vt.decide.refused: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
  z: { type: final }
`;
const refusal = (correlation: string, reason: string, annotations?: Annotations): Wanted => ({
  type: 'refusal',
  data: { correlation, reason, ...(annotations === undefined ? {} : { annotations }) },
});
const labels = (annotations: Annotations | undefined, payload: Json = 1) => {
  const one = start(PAIR, { label: { trust: 'agent', sources: ['urn:boss'] } });
  one.take(decision('1.0', 'go', payload, annotations));
  return [one.state.sessions[0]?.labels['got'], one.state.label];
};

describe('the payload of an answer is trusted as whoever gave it', () => {
  test.each([
    ['human', 'human'],
    ['actor', 'agent'],
    ['llm', 'provider'],
    ['custom', 'provider'],
    ['somebody', 'web'],
  ] as const)('by %s as %s', (kind, trust) => {
    const label = { trust, sources: ['first'] };
    expect(labels({ kind } as Annotations)).toEqual([label, label]);
  });

  test('by a rule as what it was made of, the data of the chart', () => {
    const label = { trust: 'human', sources: ['chart'] };
    expect(labels({ kind: 'guard' })).toEqual([label, label]);
  });

  test('and where there is none, only names of the chart came', () => {
    expect(labels({ kind: 'llm' }, null)).toEqual([{ trust: 'human', sources: ['chart'] }, null]);
  });

  test.each(['guard', 'human', 'llm'] as const)('by %s to an offer that nobody made as from nowhere', (kind) => {
    const one = start(PAIR);
    one.take(decision('1.0', 'go'));
    one.take(decision('9.9', 'back', null, { kind }));
    const trust = { guard: 'web', human: 'human', llm: 'provider' }[kind];
    expect(one.state.sessions[0]?.labels['seen']).toEqual({ trust, sources: ['chart'] });
  });

  test('by nobody as nothing', () => {
    expect(labels(undefined)[0]).toEqual({ trust: 'web', sources: ['first'] });
  });
});

describe('an answer that is not taken', () => {
  test('is told with its reason, its paths and its state, and closes the offer', () => {
    const one = start(PAIR);
    one.take(decision('1.0', 'go'));
    one.take(decision('2.0', 'nothing'));
    expect(one.data('seen')).toEqual([
      { reason: 'not-a-candidate', correlation: '2.0', event: 'nothing', paths: [], state: 'b' },
    ]);
    expect(one.state.slots).toMatchObject([{ key: 'b', status: 'closed', due: null }]);
    expect(one.state.answered).toEqual(['1.0', '2.0']);
    one.take(decision('2.0', 'back'));
    one.take(decision('1.0', 'go'));
    expect(one.active()).toEqual(['b']);
    expect(one.data('seen')).toHaveLength(1);
  });

  test('to an offer that nobody made belongs to no state', () => {
    const one = start(PAIR);
    one.take(decision('1.0', 'go'));
    one.take(decision('9.9', 'back'));
    one.take(refusal('9.8', 'why'));
    expect(one.data('seen')).toEqual([
      { reason: 'stale', correlation: '9.9', event: 'back', paths: [], state: null },
      { reason: 'stale', correlation: '9.8', event: '', paths: [], state: null },
    ]);
    expect(one.state.slots).toMatchObject([{ key: 'b', status: 'open' }]);
    expect(one.state.answered).toEqual(['1.0']);
  });

  test('because its decider refused says why, in no more than 500 signs', () => {
    const one = start(PAIR);
    one.take(decision('1.0', 'go'));
    one.take(refusal('2.0', 'x'.repeat(501)));
    expect(one.data('seen')).toEqual([{ correlation: '2.0', state: 'b', reason: 'x'.repeat(500) }]);
    expect(one.state.answered).toEqual(['1.0', '2.0']);
    expect(one.facts).toContainEqual({ type: 'refused', correlation: '2.0' });
    expect(one.state.slots).toMatchObject([{ key: 'b', status: 'closed' }]);
    one.take(refusal('2.0', 'again'));
    expect(one.data('seen')).toHaveLength(1);
  });
});

test('an answer after the deadline is stale, also one that refuses', () => {
  const one = start(`
data: { seen: [] }
states:
  a:
    extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1s }]
    on:
      go: z
      error.decide.invalid: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.reason]' } }] }
      vt.decide.refused: z
  z: { type: final }
`);
  one.take({ type: 'timer', at: '2026-01-01T00:00:01.000Z', data: { timer: 'deadline:1.0' } });
  one.take(decision('1.0', 'go'));
  one.take(refusal('1.0', 'late'));
  expect(one.data('seen')).toEqual(['stale', 'stale']);
  expect(one.active()).toEqual(['a']);
});

test('of two offers only the one that was answered badly is closed', () => {
  const region = '{ extensions: [{ local: decide, attribute: d }], on: { go: {} } }';
  const one = start(`states: { p: { type: parallel, states: { a: ${region}, b: ${region} } } }`);
  expect(one.open()).toEqual(['a 1.0', 'b 1.1']);
  one.take(decision('1.1', 'nothing'));
  expect(one.open()).toEqual(['a 1.0']);
});

test('what was asked of a model counts, whatever became of the answer, if it is a count', () => {
  const usage = { promptTokens: 2, completionTokens: 3 };
  const one = start(PAIR);
  one.take(decision('7.7', 'go', null, { usage }));
  expect(one.state.usage).toMatchObject({ total_tokens: 5, calls: 1 });
  one.take(refusal('1.0', 'no', { usage }));
  expect(one.state.usage).toMatchObject({ total_tokens: 10, calls: 2 });
  one.take(refusal('1.0', 'no', { usage }));
  one.take(decision('1.0', 'go', null, { usage: { promptTokens: -1, completionTokens: 3 } }));
  one.take(decision('1.1', 'go', null, { usage: { promptTokens: -1, completionTokens: 3 } }));
  one.take(decision('1.2', 'go'));
  expect(one.state.usage).toMatchObject({ total_tokens: 10, calls: 2 });
});

test('the latest 16 answers are remembered in the state', () => {
  const one = start(PAIR);
  const given: string[] = [];
  for (let round = 0; round < 66; round += 1) {
    const correlation = one.state.slots[0]?.correlation ?? '';
    given.push(correlation);
    one.take(decision(correlation, round % 2 === 0 ? 'go' : 'back'));
  }
  expect(one.state.answered).toEqual(given.slice(-16));
  expect(one.state.accepted).toEqual({ a: 33, b: 33 });
});
