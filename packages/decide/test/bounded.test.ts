import { type AgentIntent, digest } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { boundedRecord, boundedTimers } from '../src/host/bounded.ts';
import type { Fact, InputRecord } from '../src/index.ts';
import { AT } from './support.ts';

const MAX = 3000;
const MAX_INTENTS = 1200;
const input = { type: 'event' as const, at: AT, data: { name: 'e', data: null } };
const record = (intents: readonly AgentIntent[], facts: readonly Fact[]): InputRecord => ({
  type: 'input',
  input,
  host: 'h',
  intents,
  facts,
});
const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value));
const raised = (event: string, state = ''): Fact => ({ type: 'raised', event, state });
const cancelled = (effect: string): Fact => ({ type: 'cancelled', effect });
const offered = (...candidates: readonly string[]): Fact => ({
  type: 'offered',
  correlation: '1.0',
  state: 's',
  binding: 'b',
  fallback: false,
  fingerprint: 'sha256:0',
  candidates,
});
const timer = (name: string, due = AT): AgentIntent => ({ type: 'timer', timer: name, due });
const call = (effect: string, until = AT): AgentIntent => ({ type: 'call', effect, kind: 'tool', host: 'h', until });
const gone = (name: string): AgentIntent => ({ type: 'timer-cancelled', timer: name });
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
/** As many signs as make the facts so many bytes. */
const fill = (total: number, ...others: readonly Fact[]) => 'x'.repeat(total - bytes([...others, raised('')]));

describe('what a step asks for and decided is written down whole while it fits', () => {
  test.each([
    [MAX - 2, false],
    [MAX - 1, true],
  ])('of %i bytes beside an empty list, left out: %s', (size, isLeftOut) => {
    const one = record([], [raised(fill(size))]);
    expect(bytes(one.intents) + bytes(one.facts)).toBe(size + 2);
    expect(boundedRecord(one, 7).rest !== undefined).toBe(isLeftOut);
    if (!isLeftOut) expect(boundedRecord(one, 7)).toBe(one);
  });

  test.each<[string, InputRecord]>([
    ['facts of signs that take six bytes each', record([], [raised('\u0001'.repeat(520))])],
    [
      'many facts',
      record(
        [],
        Array.from({ length: 90 }, () => cancelled('1.0')),
      ),
    ],
    ['intents of long names', record([timer('\u0001'.repeat(520))], [])],
    [
      'many intents',
      record(
        Array.from({ length: 60 }, () => gone('t')),
        Array.from({ length: 60 }, () => cancelled('1')),
      ),
    ],
    [
      'long lists of names',
      record([], [{ type: 'moved', from: [], to: ['\u0001'.repeat(300), '\u0001'.repeat(220)] }]),
    ],
    ['long lists of no signs', record([], [{ type: 'moved', from: [], to: Array.from({ length: 1100 }, () => '') }])],
    [
      'grants',
      record(
        [],
        [
          {
            type: 'granted',
            effect: '1.0',
            parent: 'root',
            grant: { targets: ['x'.repeat(3000)], tools: [], deciders: [], functions: [] },
          },
        ],
      ),
    ],
  ])('not %s', (_, one) => {
    expect(bytes(one.intents) + bytes(one.facts)).toBeGreaterThan(MAX);
    const { rest, facts, intents } = boundedRecord(one, 7);
    expect(rest).toBeDefined();
    expect(bytes(intents) + bytes(facts)).toBeLessThanOrEqual(MAX + 100);
  });

  test('also where nothing stands for a name', () => {
    const fact: Fact = { type: 'plan', outcome: 'rejected', effect: '1.0', plan: null, call: null };
    const one = record([], [fact, fact]);
    expect(boundedRecord(one, 7)).toBe(one);
  });
});

describe('intents that do not fit', () => {
  // Its bytes with the comma after it.
  const size = bytes(timer('t0')) + 1;
  const many = Array.from({ length: 59 }, (_, index) => timer(`t${index % 10}`, at(59 - index)));

  test('are left out after those that do, and one timer stands for them at the first of their dates', () => {
    const one = record(many, [raised('e')]);
    const { intents, rest } = boundedRecord(one, 7);
    const count = Math.floor(MAX_INTENTS / size);
    expect(intents).toEqual([...many.slice(0, count), timer('rest:7', at(1))]);
    expect(rest).toEqual({ intents: 59 - count, facts: 0, digest: digest([raised('e')]), until: null });
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('fit with %i bytes to spare or not: %i of the last', (spare, left) => {
    const count = Math.floor(MAX_INTENTS / size) - 1;
    const first = Array.from({ length: count }, () => timer('t0'));
    const room = MAX_INTENTS - count * size;
    const last = timer('x'.repeat(room - bytes(timer('')) - spare));
    const more = [gone('y'.repeat(2500))];
    const { intents } = boundedRecord(record([...first, last, ...more], []), 7);
    expect(intents).toHaveLength(count + 1);
    expect(left).toBe(intents.length - count - spare);
  });

  test('are all kept up to the room that they have', () => {
    const exact = [timer('x'.repeat(MAX_INTENTS - bytes([timer('')])))];
    expect(bytes(exact)).toBe(MAX_INTENTS);
    const facts = Array.from({ length: 90 }, () => cancelled('1.0'));
    const kept = boundedRecord(record(exact, facts), 7);
    expect(kept.intents).toEqual(exact);
    expect(kept.rest?.intents).toBe(0);
    const over = boundedRecord(record([timer('x'.repeat(MAX_INTENTS - bytes([timer('')]) + 2))], facts), 7);
    expect(over.rest?.intents).toBe(1);
  });

  test.each<[string, readonly AgentIntent[], string | undefined, string | null]>([
    ['calls end with their leases', [call('1.0', at(9)), call('1.1', at(5)), timer('t', at(7))], at(5), at(9)],
    ['timers are due', [timer('t', at(8)), call('1.0', at(9)), timer('u', at(6))], at(6), at(9)],
    ['what was cancelled has no date', [gone('t'), timer('u', at(6))], at(6), null],
    ['nothing of it has a date', [gone('t'), gone('u')], undefined, null],
  ])('are looked at when %s', (_, left, due, until) => {
    const first = timer('x'.repeat(MAX_INTENTS));
    const { intents, rest } = boundedRecord(record([first, ...left, gone('y'.repeat(2000))], []), 7);
    const all = [first, ...left];
    const least = due === undefined || AT < due ? AT : due;
    expect(all.length + 1).toBe(rest?.intents);
    expect(intents).toEqual([timer('rest:7', least)]);
    expect(rest?.until).toBe(until);
    const { intents: undated } = boundedRecord(
      record([...left, ...Array.from({ length: 60 }, () => gone('y'.repeat(60)))], []),
      7,
    );
    const later = left.filter((one) => !undated.includes(one));
    expect(undated.some(({ type }) => type === 'timer')).toBe(
      [...undated, ...later].some((one) => one.type === 'timer'),
    );
  });
});

describe('facts that do not fit', () => {
  test('are told as far as there is room: what became of the input first, in their order', () => {
    const many = Array.from({ length: 120 }, (_, index) => cancelled(`1.${index}`));
    const others = many.map((one) => ({ ...one }));
    const telling = [raised('first'), raised('last')];
    const [first, last] = telling as [Fact, Fact];
    const { facts, rest } = boundedRecord(record([], [...many, first, ...others, last]), 7);
    expect(facts.filter(({ type }) => type === 'raised')).toEqual(telling);
    expect(facts.at(-1)).toEqual(last);
    const room = MAX - 2 - telling.reduce((sum, fact) => sum + bytes(fact) + 1, 0);
    expect(bytes(facts)).toBeLessThanOrEqual(MAX);
    expect(facts.length).toBeGreaterThan(telling.length + Math.floor(room / (bytes(cancelled('1.100')) + 1)) - 2);
    expect(rest).toMatchObject({
      intents: 0,
      facts: 242 - facts.length,
      digest: digest([...many, first, ...others, last]),
    });
  });

  test('make way for smaller ones after them', () => {
    const large = cancelled('x'.repeat(4000));
    const { facts, rest } = boundedRecord(record([], [large, cancelled('1.0')]), 7);
    expect(facts).toEqual([cancelled('1.0')]);
    expect(rest?.facts).toBe(1);
  });

  test.each([
    [0, 1],
    [1, 0],
  ])('fit exactly, or not with %i byte more', (more, kept) => {
    const one = cancelled('x'.repeat(MAX - 2 - bytes(cancelled('')) - 1 + more));
    const { facts } = boundedRecord(record([], [one, cancelled('y'.repeat(5000))]), 7);
    // The bound is of the list of intents, two bytes, and each fact with its comma.
    expect(facts).toHaveLength(kept);
  });

  test('name the first events of an offer, at least one, and cut long names', () => {
    const names = Array.from({ length: 400 }, (_, index) => `event_${index}`);
    const { facts, rest } = boundedRecord(record([], [offered(...names)]), 7);
    const [fact] = facts as [Extract<Fact, { type: 'offered' }>];
    expect(fact.candidates).toEqual(names.slice(0, fact.candidates.length));
    expect(bytes(facts)).toBeLessThanOrEqual(MAX);
    expect(bytes([offered(...names.slice(0, fact.candidates.length + 8))])).toBeGreaterThan(MAX - 250);
    expect(rest?.facts).toBe(1);
    const long = boundedRecord(record([], [offered('x'.repeat(4000), 'y'.repeat(4000))]), 7).facts[0];
    expect((long as { candidates: readonly string[] }).candidates.map((name) => name.length)).toEqual([80, 80]);
  });

  test('share the room among offers, and each is told', () => {
    const offers = Array.from({ length: 10 }, (_, index) =>
      offered(...Array.from({ length: 50 }, (__, event) => `event_${index}_${event}`)),
    );
    const { facts, rest } = boundedRecord(record([], offers), 7);
    expect(facts).toHaveLength(10);
    for (const fact of facts) expect((fact as { candidates: readonly string[] }).candidates.length).toBeGreaterThan(3);
    expect(bytes(facts)).toBeLessThanOrEqual(MAX);
    expect(rest?.facts).toBe(10);
  });

  test('count as left out only where something of them is', () => {
    const small = offered('a');
    const { facts, rest } = boundedRecord(record([], [small, cancelled('x'.repeat(4000))]), 7);
    expect(facts).toEqual([small]);
    expect(facts[0]).toBe(small);
    expect(rest?.facts).toBe(1);
  });
});

describe('timers that a fork inherits', () => {
  const named = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ timer: `t${index}`, due: at(59 - index) }));

  test('are all written down while they fit, else one for the first of them', () => {
    const few = named(20);
    expect(boundedTimers(few, 7)).toBe(few);
    const fits = [{ timer: 'x'.repeat(MAX - bytes([{ timer: '', due: AT }])), due: AT }];
    expect(boundedTimers(fits, 7)).toBe(fits);
    const over = [{ timer: `${fits[0]?.timer}x`, due: AT }];
    expect(boundedTimers(over, 7)).toEqual([{ timer: 'rest:7', due: AT }]);
    expect(boundedTimers([...named(59), ...named(59)], 7)).toEqual([{ timer: 'rest:7', due: at(1) }]);
    expect(boundedTimers([...named(59)].reverse().concat(named(59)), 8)).toEqual([{ timer: 'rest:8', due: at(1) }]);
  });
});
