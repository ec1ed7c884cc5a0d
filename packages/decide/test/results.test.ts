import type { Json } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { AT, event, start, type Wanted } from './support.ts';

const T = 'urn:tool:t';
const GRANT = { targets: ['*'], tools: [T], deciders: [], functions: [] };
const SEEN = "{ do: [{ assign: { location: seen, expr: 'ctx.seen + [ev]' } }] }";
const CALLS = `
data: { seen: [] }
states:
  a:
    invoke:
      - { type: 'vt:llm', id: m, extensions: [{ local: provider, attribute: p }, { local: retry, attribute: "3" }, { local: backoff, attribute: 1s }], content: { value: hello } }
      - { type: 'vt:tool', id: t, src: '${T}' }
    on:
      done.invoke.*: ${SEEN}
      error.*: ${SEEN}
      vt:reply: ${SEEN}
      call: { do: [{ send: { event: x, id: s1, target: '${T}', content: { expr: "{'n': 1}" } } }] }
      write: { do: [{ send: { event: x, id: s2, target: 'urn:agent:other' } }] }
      leave: z
  z: {}
`;
const one = () => start(CALLS, { tools: [T], grant: GRANT });
const seen = (machine: ReturnType<typeof one>) => machine.data('seen') as readonly { readonly data: Json }[];
const promptHash = `sha256:${'0'.repeat(64)}` as const;
const usage = { promptTokens: 2, completionTokens: 3 };
const said = (content: Json, effect = '1.0'): Wanted => ({
  type: 'llm.result',
  data: { effect, content, model: 'm1', promptHash, usage, toolCalls: [], latencyMs: 1 },
});
const failed = (kind: 'transport' | 'auth', more: object = {}, effect = '1.0', at = AT): Wanted => ({
  type: 'llm.error',
  at,
  data: { effect, class: kind, promptHash, ...more },
});
const label = { trust: 'tool', sources: [T] } as const;
const gave = (result: Json, effect = '1.1'): Wanted => ({
  type: 'tool.result',
  data: { effect, outcome: 'ok', result, label },
});

describe('what a model said', () => {
  test('reaches the chart that asked, once, and counts whatever became of the call', () => {
    const machine = one();
    machine.take(said('hi'));
    const whole = { text: 'hi', model: 'm1', call: '1.0', promptHash, usage, toolCalls: [] };
    expect(seen(machine)).toMatchObject([{ name: 'done.invoke.m', invokeid: 'm', data: whole }]);
    machine.take(said({ a: [1] }));
    machine.take(said('hi', '1.1'));
    expect(seen(machine)).toHaveLength(1);
    expect(machine.state.calls.map(({ effect }) => effect)).toEqual(['1.1']);
    expect(machine.state.usage).toMatchObject({ calls: 3, total_tokens: 15 });
    expect(machine.state.label).toEqual({ trust: 'provider', sources: ['p'] });
  });

  test('is text, also where it is none', () => {
    const machine = one();
    machine.take(said({ a: [1] }));
    expect(seen(machine)[0]?.data).toMatchObject({ text: '{"a":[1]}' });
  });

  test('is the value itself where the chart says of what type it is', () => {
    const typed = CALLS.replace('attribute: p }', "attribute: p }, { local: output, attribute: '{ a: int }' }");
    const machine = start(typed, { tools: [T], grant: GRANT });
    machine.take(said({ a: 1 }));
    expect(seen(machine)).toMatchObject([{ name: 'done.invoke.m', data: { a: 1 } }]);
    expect(machine.state.sessions[0]?.labels['seen']).toEqual({ trust: 'provider', sources: ['chart', 'p'] });
  });

  test('does not reach a state that is left', () => {
    const machine = one();
    machine.take(event('leave'));
    expect(machine.state.calls).toEqual([]);
    machine.take(said('hi'));
    machine.take(failed('auth', { usage }));
    machine.take(gave('x'));
    expect(seen(machine)).toEqual([]);
    expect(machine.state.usage.calls).toBe(2);
  });
});

describe('a call of a model that failed', () => {
  const due = (machine: ReturnType<typeof one>) =>
    machine.state.calls.flatMap((call) => (call.kind === 'llm' ? [[call.attempt, call.retryAt]] : []));
  const retry = (effect: string, at: string): Wanted => ({ type: 'timer', at, data: { timer: `retry:${effect}` } });

  test('is made again after a time that doubles, as often as the chart says, and no more', () => {
    const machine = one();
    machine.take(failed('transport', { usage }));
    expect(machine.state.usage.calls).toBe(1);
    expect(due(machine)).toEqual([[1, '2026-01-01T00:00:01.000Z']]);
    machine.take(retry('1.0', '2026-01-01T00:00:00.999Z'));
    expect(due(machine)).toEqual([[1, '2026-01-01T00:00:01.000Z']]);
    machine.take(retry('1.0', '2026-01-01T00:00:01.000Z'));
    expect(due(machine)).toEqual([[2, null]]);
    machine.take(failed('transport', {}, '4.0', '2026-01-01T00:00:10.000Z'));
    expect(due(machine)).toEqual([[2, '2026-01-01T00:00:12.000Z']]);
    machine.take(retry('4.0', '2026-01-01T00:00:12.000Z'));
    machine.take(failed('transport', {}, '6.0'));
    expect(due(machine)).toEqual([]);
    expect(seen(machine)).toMatchObject([
      { name: 'error.llm', invokeid: 'm', data: { class: 'transport', call: '6.0', attempt: 3, promptHash } },
    ]);
    expect(machine.state.usage.calls).toBe(1);
  });

  test('waits no longer than a chart may wait for anything', () => {
    const machine = start(CALLS.replace('attribute: 1s', 'attribute: 30000d'), { tools: [T], grant: GRANT });
    machine.take(failed('transport'));
    const first = due(machine)[0]?.[1] as string;
    machine.take(retry('1.0', first));
    machine.take(failed('transport', {}, '3.0'));
    expect(due(machine)).toEqual([[2, '2126-01-02T00:00:00.000Z']]);
  });

  test('waits at least as long as the provider says', () => {
    const machine = one();
    machine.take(failed('transport', { retryAfterMs: 5000 }));
    expect(due(machine)).toEqual([[1, '2026-01-01T00:00:05.000Z']]);
  });

  test('is not made again where that cannot help', () => {
    const machine = one();
    machine.take(failed('auth'));
    expect(seen(machine)).toMatchObject([{ name: 'error.llm', data: { class: 'auth', attempt: 1 } }]);
    machine.take(failed('auth'));
    expect(seen(machine)).toHaveLength(1);
  });
});

describe('what a tool gave', () => {
  test('ends its invoke, or answers what was sent to it', () => {
    const machine = one();
    machine.take(event('call'));
    machine.take(gave([1]));
    machine.take(gave([2], '2.0'));
    machine.take(gave([3], '2.0'));
    const [ended, answered] = seen(machine) as readonly Record<string, Json>[];
    expect(ended).toMatchObject({ name: 'done.invoke.t', invokeid: 't', data: [1] });
    expect(answered).toMatchObject({
      name: 'vt:reply',
      sendid: 's1',
      origin: T,
      data: { result: [2], tool: T, call: '2.0' },
    });
    expect(answered?.['invokeid'] ?? '').toBe('');
    expect(seen(machine)).toHaveLength(2);
  });

  test('in place of a result is told with its class, its paths and its reasons', () => {
    const machine = one();
    const reasons = [{ code: 'no', message: 'no', data: {} }];
    const error = (effect: string, more: object): Wanted => ({
      type: 'tool.result',
      data: { effect, outcome: 'error', class: 'refused', message: 'm'.repeat(501), ...more },
    });
    machine.take(event('call'));
    machine.take(error('1.1', { reasons }));
    machine.take(error('2.0', { paths: ['/a'] }));
    const base = { class: 'refused', message: 'm'.repeat(500), tool: T };
    expect(seen(machine).map(({ data }) => data)).toEqual([
      { ...base, call: '1.1', reasons },
      { ...base, call: '2.0', paths: ['/a'] },
    ]);
    expect(seen(machine)).toMatchObject([
      { name: 'error.tool', invokeid: 't' },
      { name: 'error.tool', sendid: 's1' },
    ]);
  });

  test('goes to the call that it answers, whichever comes first', () => {
    const machine = one();
    machine.take(event('call'));
    machine.take(gave([2], '2.0'));
    machine.take({ type: 'tool.result', data: { effect: '1.1', outcome: 'error', class: 'execution', message: 'm' } });
    expect(seen(machine)).toMatchObject([
      { name: 'vt:reply', data: { call: '2.0' } },
      { name: 'error.tool', data: { call: '1.1' } },
    ]);
    expect(machine.state.calls.map(({ effect }) => effect)).toEqual(['1.0']);
  });

  test('is trusted as the tool is, also where it failed', () => {
    const machine = one();
    machine.take({ type: 'tool.result', data: { effect: '1.1', outcome: 'error', class: 'execution', message: 'm' } });
    expect(machine.state.label).toEqual({ trust: 'tool', sources: [T] });
    expect(machine.state.sessions[0]?.labels['seen']).toEqual({ trust: 'tool', sources: ['chart', T] });
    machine.take(event('call'));
    machine.take({
      type: 'tool.result',
      data: { effect: '3.0', outcome: 'ok', result: 1, label: { trust: 'web', sources: ['urn:page'] } },
    });
    expect(machine.state.sessions[0]?.labels['seen']?.trust).toBe('web');
    expect(machine.state.label?.sources).toContain('urn:page');
  });

  test('waits for the person that it asked, and for no other', () => {
    const machine = one();
    const waits = (outcome: 'pending' | 'answered', question: string): Wanted => ({
      type: 'tool.result',
      data: { effect: '1.1', outcome, question },
    });
    const pending = () => machine.state.calls.flatMap((call) => (call.kind === 'tool' ? [call.pending] : []));
    machine.take(waits('pending', 'q1'));
    expect(pending()).toEqual(['q1']);
    machine.take(waits('answered', 'q2'));
    expect(pending()).toEqual(['q1']);
    machine.take(waits('answered', 'q1'));
    expect(pending()).toEqual([null]);
    expect(seen(machine)).toEqual([]);
  });
});

test('a message that nobody is there for comes back, one that was handed over does not', () => {
  const machine = one();
  machine.take(event('write'));
  machine.take(event('write'));
  machine.take({ type: 'reply', data: { effect: '2.0', outcome: 'delivered' } });
  expect(seen(machine)).toEqual([]);
  machine.take({ type: 'reply', data: { effect: '3.0', outcome: 'unknown-actor' } });
  machine.take({ type: 'reply', data: { effect: '3.0', outcome: 'unknown-actor' } });
  expect(seen(machine)).toMatchObject([
    { name: 'error.communication', sendid: 's2', data: { reason: 'unknown-actor', target: 'urn:agent:other' } },
  ]);
  expect(machine.state.calls.map(({ kind }) => kind)).toEqual(['llm', 'tool']);
});
