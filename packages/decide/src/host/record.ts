import { type AgentIntent, digestBytes, type Entry, type Json, type Recorded, WarrantError } from '@warrant/core';
import type { Fact, Input } from '../input.ts';
import { isObject } from '../is-object.ts';
import { boundedRecord, boundedTimers, type Rest } from './bounded.ts';
import { isForkedRecord, isInputRecord, isTakeoverRecord } from './record-form.ts';

/** One entry of an agent's stream: an input with what its step asks for, and what it decided. */
export type InputRecord = {
  readonly type: 'input';
  readonly input: Input;
  readonly host: string;
  readonly intents: readonly AgentIntent[];
  readonly facts: readonly Fact[];
  /** Set where the entry leaves out some of them. */
  readonly rest?: Rest;
};
/** Another host, or the same one after a restart, takes over a call; also how a host keeps one of its own. */
export type TakeoverRecord = {
  readonly type: 'takeover';
  readonly effect: string;
  readonly host: string;
  readonly until: string;
};
/** What a fork inherited and has to look after itself: an index of timers reads only a stream's own entries. */
export type ForkedRecord = {
  readonly type: 'forked';
  readonly timers: readonly { readonly timer: string; readonly due: string }[];
};
export type AgentRecord = InputRecord | TakeoverRecord | ForkedRecord;

const SCHEMA_VERSION = 1;
/** Of entries that leave something out: who does not know of it must not take them for whole. */
const WITH_REST = 2;
const MAX_ID = 200;
const OFFER = /^(\d{1,15})[.]\d{1,9}$/;

/** The entry that holds an input at the position after `head`, in bounded space. */
export function entryOf(record: InputRecord, messageId: string, head: number): Entry {
  const { facts, host, input, intents, rest } = boundedRecord(record, head + 1);
  // In the order in which it will be written, which spares sorting.
  const data: Omit<InputRecord, 'type'> =
    rest === undefined ? { facts, host, input, intents } : { facts, host, input, intents, rest };
  return {
    id: idOf(input, messageId, head),
    type: `agent.${input.type}`,
    schemaVersion: rest === undefined ? SCHEMA_VERSION : WITH_REST,
    data: data as unknown as Json,
  };
}

export function takeoverEntry(record: TakeoverRecord, head: number): Entry {
  const { type: _, ...data } = record;
  return { id: `takeover:${record.effect}:${head}`, type: 'agent.takeover', schemaVersion: SCHEMA_VERSION, data };
}

export function forkedEntry({ timers }: ForkedRecord, head: number): Entry {
  const told = boundedTimers(timers, head + 1);
  const schemaVersion = told === timers ? SCHEMA_VERSION : WITH_REST;
  return { id: 'forked', type: 'agent.forked', schemaVersion, data: { timers: told } };
}

/** Equal inputs have equal ids, whoever delivers them: a redelivery is known to the journal. */
function idOf(input: Input, messageId: string, head: number): string {
  switch (input.type) {
    case 'start':
      return 'start';
    case 'event':
      return `event:${short(messageId)}`;
    case 'decision':
    case 'refusal':
      return answerId(input.data.correlation, head);
    case 'timer':
      return `timer:${input.data.timer}`;
    case 'tool.result': {
      const { effect, outcome } = input.data;
      const isFinal = outcome === 'ok' || outcome === 'error';
      return isFinal ? `result:${effect}` : `${outcome}:${effect}:${short(input.data.question)}`;
    }
    case 'llm.result':
    case 'llm.error':
      return `result:${input.data.effect}`;
    case 'reply':
      return `reply:${input.data.effect}`;
    case 'review':
      return `review:${short(input.data.proposal)}`;
  }
}

/** An id that no offer had yet must not use up the id of a later offer. */
function answerId(correlation: string, head: number): string {
  const position = OFFER.exec(correlation)?.[1];
  return position !== undefined && Number(position) <= head ? correlation : `unknown:${short(correlation)}`;
}

function short(id: string): string {
  return Buffer.byteLength(id) <= MAX_ID ? id : digestBytes(id);
}

/** @throws DECIDE_JOURNAL_DAMAGED for an entry that no host writes. */
export function recordOf(entry: Recorded): AgentRecord {
  const { type, data } = entry;
  const damaged = () =>
    new WarrantError('DECIDE_JOURNAL_DAMAGED', `entry ${entry.position} of ${entry.stream} is no agent's`, {
      data: { stream: entry.stream, position: entry.position },
    });
  if (!isObject(data) || entry.schemaVersion < SCHEMA_VERSION || entry.schemaVersion > WITH_REST) throw damaged();
  if (type === 'agent.takeover') {
    if (!isTakeoverRecord(data)) throw damaged();
    const { effect, host, until } = data as Omit<TakeoverRecord, 'type'>;
    return { type: 'takeover', effect, host, until };
  }
  if (type === 'agent.forked') {
    if (!isForkedRecord(data)) throw damaged();
    return { type: 'forked', timers: data['timers'] as unknown as ForkedRecord['timers'] };
  }
  const { input, host, intents, facts, rest } = data;
  if (!isInputRecord(data) || type !== `agent.${(input as Input).type}`) throw damaged();
  if ((entry.schemaVersion === WITH_REST) !== (rest !== undefined)) throw damaged();
  return {
    type: 'input',
    input: input as unknown as Input,
    host: host as string,
    intents: intents as unknown as AgentIntent[],
    facts: facts as unknown as Fact[],
    ...(rest === undefined ? {} : { rest: rest as unknown as Rest }),
  };
}
