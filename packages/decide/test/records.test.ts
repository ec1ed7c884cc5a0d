import type { Json, JsonObject, Recorded } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import { recordOf } from '../src/index.ts';
import { definitionOf, world } from './support.ts';

const AT = '2026-01-01T00:00:00.000Z';
const GRANT = { targets: ['t'], tools: [], deciders: [], functions: [] };
const LABEL = { trust: 'human', sources: ['ann'] };
const USAGE = { promptTokens: 1, completionTokens: 2 };

function read(type: string, data: Json, schemaVersion = 1) {
  return recordOf({ type: `agent.${type}`, data, schemaVersion, stream: 'agents/urn:a', position: 1 } as Recorded);
}
const entry = (type: string, data: Json, more: JsonObject = {}): JsonObject => ({
  input: { type, at: AT, data },
  host: 'h',
  intents: [],
  facts: [],
  ...more,
});

const INPUTS: readonly (readonly [type: string, data: JsonObject])[] = [
  ['start', { program: 'sha256:0', input: {}, grant: GRANT, tools: [], maxAsks: null, label: LABEL }],
  ['event', { name: 'go', data: null, label: LABEL }],
  ['decision', { correlation: '1.0', event: 'go', payload: null }],
  ['refusal', { correlation: '1.0', reason: 'no' }],
  ['timer', { timer: 'deadline:1.0' }],
  ['llm.result', { effect: '1.0', content: null, model: 'm', promptHash: 'sha256:0', usage: USAGE, toolCalls: [] }],
  ['llm.error', { effect: '1.0', class: 'auth', promptHash: 'sha256:0', usage: USAGE }],
  ['tool.result', { effect: '1.0', outcome: 'ok', result: null, label: LABEL }],
  ['tool.result', { effect: '1.0', outcome: 'error', class: 'execution', message: 'no' }],
  ['reply', { effect: '1.0', outcome: 'delivered' }],
  ['review', { proposal: 'p', decision: 'rejected', reason: 'no' }],
];
const FACTS: readonly JsonObject[] = [
  {
    type: 'offered',
    correlation: '1.0',
    state: 's',
    binding: 'b',
    fallback: false,
    fingerprint: 'f',
    candidates: ['e'],
  },
  { type: 'closed', correlation: '1.0', why: 'left' },
  { type: 'accepted', correlation: '1.0', event: 'e', transitions: ['s#0'] },
  { type: 'invalid', correlation: '1.0', event: 'e', reason: 'stale', paths: ['/x'] },
  { type: 'refused', correlation: '1.0' },
  { type: 'raised', event: 'e', state: 's' },
  { type: 'called', effect: '1.0', kind: 'tool', name: 'n' },
  { type: 'cancelled', effect: '1.0' },
  { type: 'granted', effect: '1.0', parent: 'root', grant: GRANT },
  { type: 'not-granted', session: 'root', what: 'tools', name: 'n', event: 'e' },
  { type: 'plan', outcome: 'rejected', effect: '1.0', plan: 'sha256:0', call: '1.0' },
  { type: 'version', outcome: 'rejected', proposal: 'p', program: 'sha256:0', reason: 'busy' },
  { type: 'moved', from: [], to: ['s'] },
];
const INTENTS: readonly JsonObject[] = [
  { type: 'call', effect: '1.0', kind: 'tool', host: 'h', until: AT },
  { type: 'timer', timer: 't', due: AT },
  { type: 'timer-cancelled', timer: 't' },
];
const REST = { intents: 0, facts: 1, digest: 'sha256:0', until: AT };
/** Members that may be anything. */
const FREE = new Set(['data', 'payload', 'content', 'result']);

/** The value with one of its members, however deep, being something else; each of them once. */
function* altered(value: JsonObject): Generator<readonly [place: string, value: JsonObject]> {
  for (const [name, member] of Object.entries(value)) {
    if (FREE.has(name)) continue;
    const others = typeof member === 'string' ? [5, ['x']] : [5n, 'x', [5]];
    for (const other of others) yield [name, { ...value, [name]: other as Json }];
    if (typeof member !== 'object' || member === null || Array.isArray(member)) continue;
    for (const [place, inner] of altered(member as JsonObject)) yield [`${name}/${place}`, { ...value, [name]: inner }];
  }
}

describe('an entry of an agent is one in all its members, or it is damaged', () => {
  const damaged = (data: Json, type: string, version = 1) =>
    expect(
      () => read(type, data, version),
      JSON.stringify(data, (_, one) => (typeof one === 'bigint' ? 'n' : one)),
    ).toThrow(expect.objectContaining({ code: 'DECIDE_JOURNAL_DAMAGED' }));

  test.each(INPUTS)('of an input: %s', (type, data) => {
    expect(read(type, entry(type, data))).toMatchObject({ type: 'input', input: { type, data } });
    for (const [, wrong] of altered(data)) {
      // No limit is one too, and so is no reason, label or usage.
      damaged(entry(type, wrong), type);
    }
    for (const wrong of [null, [], 'x']) damaged(entry(type, wrong), type);
    damaged(entry(type, data), 'event'.concat(type === 'event' ? 's' : ''));
  });

  test.each(FACTS.map((fact) => [fact['type'], fact] as const))('of a fact: %s', (_, fact) => {
    const of = (one: Json) => entry('event', { name: 'go', data: null }, { facts: [one] });
    expect(read('event', of(fact))).toMatchObject({ facts: [fact] });
    for (const [, wrong] of altered(fact)) damaged(of(wrong), 'event');
    for (const wrong of [null, [], 'x', {}]) damaged(of(wrong), 'event');
  });

  test.each(INTENTS.map((intent) => [intent['type'], intent] as const))('of an intent: %s', (_, intent) => {
    const of = (one: Json) => entry('event', { name: 'go', data: null }, { intents: [one] });
    expect(read('event', of(intent))).toMatchObject({ intents: [intent] });
    for (const [, wrong] of altered(intent)) damaged(of(wrong), 'event');
    for (const wrong of [
      null,
      {
        ...intent,
        until: 'soon',
        due: 'soon',
        type: intent['type'] === 'timer-cancelled' ? 'x' : (intent['type'] as string),
      },
    ])
      damaged(of(wrong), 'event');
  });

  test('of what is around them', () => {
    const right = entry('event', { name: 'go', data: null });
    for (const wrong of [
      { ...right, host: 5 },
      { ...right, facts: {} },
      { ...right, intents: null },
      { ...right, input: null },
      { ...right, input: { type: 'event', at: 'yesterday', data: { name: 'go' } } },
      { ...right, input: { type: 'toString', at: AT, data: {} } },
      null,
      [],
    ])
      damaged(wrong, 'event');
    expect(read('event', { ...right, rest: REST }, 2)).toMatchObject({ rest: REST });
    damaged({ ...right, rest: REST }, 'event', 1);
    damaged(right, 'event', 2);
    damaged(right, 'event', 3);
    for (const [, rest] of altered(REST)) damaged({ ...right, rest }, 'event', 2);
  });

  test('of what hosts write beside inputs', () => {
    const takeover = { effect: '1.0', host: 'h', until: AT };
    expect(read('takeover', takeover)).toEqual({ type: 'takeover', ...takeover });
    for (const [, wrong] of altered(takeover)) damaged(wrong, 'takeover');
    const timer = { timer: 't', due: AT };
    expect(read('forked', { timers: [timer] })).toEqual({ type: 'forked', timers: [timer] });
    damaged({ timers: {} }, 'forked');
    for (const [, wrong] of altered(timer)) damaged({ timers: [timer, wrong] }, 'forked');
  });
});

test.each([
  ['facts', [null]],
  ['intents', [null]],
  ['intents', [{ type: 'timer', timer: 't', due: 'soon' }]],
])('one entry with odd %s keeps no other agent from its deadline', async (name, odd) => {
  const agent = definitionOf(
    'states: { a: { extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 5s }], on: { go: b, error.decide.timeout: b } }, b: { type: final } }',
  );
  const silent = { kind: 'human' as const, decide: () => new Promise<never>(() => undefined) };
  const faults: unknown[] = [];
  const { host, journal, clock } = world({
    journal: createMemoryJournal(),
    agents: [agent],
    deciders: { d: silent },
    onFault: ({ error }) => faults.push((error as { code: string }).code),
  });
  const damaged = entry('event', { name: 'go', data: null }, { [name]: odd });
  await journal.append('agents/urn:agent:odd', [{ id: 'x', type: 'agent.event', schemaVersion: 1, data: damaged }], {
    expected: 'none',
  });
  await host.spawn('urn:agent:1', 'agent');
  clock.advance(5000);
  await host.pump();
  expect((await host.state('urn:agent:1')).status).toBe('done');
  expect(faults).toEqual(['DECIDE_JOURNAL_DAMAGED']);
});

test.each([{ targets: 'urn:a' }, { tools: [5] }, { deciders: {} }])(
  'a grant that is no lists of names is refused: %j',
  (grant) => {
    const agent = { ...definitionOf('states: { a: {} }'), grant: grant as never };
    expect(() => world({ agents: [agent] })).toThrow(expect.objectContaining({ code: 'DECIDE_OPTIONS' }));
  },
);
