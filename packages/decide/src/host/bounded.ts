import { type AgentIntent, type Digest, digest } from '@warrant/core';
import { cut } from '../cut.ts';
import type { Fact } from '../input.ts';
import type { AgentTimer } from '../machine/timers.ts';
import type { InputRecord } from './record.ts';

/** What an entry leaves out because its step asked for too much at once. Replay with the chart finds it again. */
export type Rest = {
  /** How many intents are left out. */
  readonly intents: number;
  /** How many facts are left out or shortened. */
  readonly facts: number;
  /** Of all facts, so that those found again are known to be the same. */
  readonly digest: Digest;
  /** The end of the leases that are left out. */
  readonly until: string | null;
};

/** The timer that stands for those that an entry leaves out: at the first of them somebody has to look. */
export const REST = 'rest:';

/** Bytes of what a step asks for and decided; with all that an entry holds besides it stays below 4 KiB. */
const MAX_BYTES = 3000;
const MAX_INTENTS = 1200;
const MAX_NAME = 80;

/** The record as it is written down: however much a chart does in one step, it takes no more room than this. */
export function boundedRecord(record: InputRecord, position: number): InputRecord {
  const { intents, facts } = record;
  if (isSurelySmall(intents, facts)) return record;
  const whole = bytesOf(intents);
  if (whole + bytesOf(facts) <= MAX_BYTES) return record;
  const kept = whole <= MAX_INTENTS ? intents : firstWithin(intents, MAX_INTENTS);
  const left = intents.slice(kept.length);
  const told = mostTelling(facts, MAX_BYTES - Math.min(whole, MAX_INTENTS));
  const { until = null } = left.find((intent) => intent.type === 'call') ?? {};
  return {
    ...record,
    intents: left.length === 0 ? kept : [...kept, ...lookAt(left, position)],
    facts: told,
    rest: {
      intents: left.length,
      facts: facts.filter((fact) => !told.includes(fact)).length,
      digest: digest(facts),
      until,
    },
  };
}

/** The same for the timers that a fork inherits. */
export function boundedTimers(timers: readonly AgentTimer[], position: number): readonly AgentTimer[] {
  if (bytesOf(timers) <= MAX_BYTES) return timers;
  const first = timers.reduce((least, one) => (Date.parse(one.due) < Date.parse(least.due) ? one : least));
  return [{ timer: `${REST}${position}`, due: first.due }];
}

/** Signs that keep a text from being told by its length alone take at most so many bytes each. */
const BYTES_A_SIGN = 6;
const BYTES_AROUND = 200;

/** Most steps do little; measuring them would cost more than recording them. */
function isSurelySmall(intents: readonly AgentIntent[], facts: readonly Fact[]): boolean {
  let bytes = BYTES_AROUND * (intents.length + facts.length);
  for (const one of intents) bytes += BYTES_A_SIGN * signsIn(one);
  for (const one of facts) bytes += BYTES_A_SIGN * signsIn(one);
  return bytes <= MAX_BYTES;
}

function signsIn(one: AgentIntent | Fact): number {
  let signs = 0;
  for (const name in one) {
    const value: unknown = one[name as keyof typeof one];
    if (typeof value === 'string') signs += value.length;
    else if (Array.isArray(value)) for (const text of value as readonly string[]) signs += text.length + 1;
    else if (typeof value === 'object' && value !== null) return MAX_BYTES;
  }
  return signs;
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function firstWithin<T extends object>(all: readonly T[], bytes: number): readonly T[] {
  let room = bytes;
  const end = all.findIndex((one) => {
    room -= bytesOf(one) + 1;
    return room < 0;
  });
  return end === -1 ? all : all.slice(0, end);
}

/** One timer, due when the first of them is. */
function lookAt(left: readonly AgentIntent[], position: number): readonly AgentIntent[] {
  const ends = left.flatMap((intent) => {
    if (intent.type === 'timer-cancelled') return [];
    return [intent.type === 'call' ? intent.until : intent.due];
  });
  const [first] = ends.sort((a, b) => Date.parse(a) - Date.parse(b));
  return first === undefined ? [] : [{ type: 'timer', timer: `${REST}${position}`, due: first }];
}

/** There may be hundreds of these in one step. */
const MANY: ReadonlySet<Fact['type']> = new Set(['offered', 'closed', 'called', 'cancelled', 'granted', 'not-granted']);

/** What became of the input first, then what it opened and closed, as far as there is room. */
function mostTelling(facts: readonly Fact[], bytes: number): readonly Fact[] {
  const offers = facts.filter(({ type }) => type === 'offered').length;
  const shortest = facts.reduce((sum, fact) => sum + bytesOf(shortened(fact, 0)) + 1, 0);
  const short = facts.map((fact) => shortened(fact, (bytes - shortest) / offers));
  const kept = new Set<Fact>();
  let room = bytes;
  for (const isMany of [false, true])
    for (const fact of short) {
      const size = bytesOf(fact) + 1;
      if (MANY.has(fact.type) !== isMany || size > room) continue;
      kept.add(fact);
      room -= size;
    }
  return short.filter((fact) => kept.has(fact));
}

/** An offer with its first names only, at least one. @param room bytes for the others */
function shortened(fact: Fact, room: number): Fact {
  if (fact.type !== 'offered') return fact;
  const names: string[] = [];
  let left = room;
  for (const event of fact.candidates) {
    const name = cut(event, MAX_NAME);
    if (names.length > 0) left -= bytesOf([name]);
    if (left < 0 && names.length > 0) break;
    names.push(name);
  }
  const isWhole = names.length === fact.candidates.length && names.every((name, at) => name === fact.candidates[at]);
  return isWhole ? fact : { ...fact, candidates: names };
}
