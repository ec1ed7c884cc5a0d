import {
  type ActorKey,
  canonicalJson,
  isWarrantError,
  isWellFormed,
  type Json,
  type Label,
  normalizePath,
} from '@warrant/core';
import type { Actor } from './actor.ts';
import { fault } from './errors.ts';
import { canonicalTime } from './times.ts';

/** What is to be remembered. There is no field for the origin: the handle has it. */
export type MemoryWrite = {
  readonly key: string;
  readonly value: Json;
  /** From 0 to 1. @default 1 */
  readonly confidence?: number;
  readonly entities?: readonly string[];
  /** Whom it is about; what `forget` erases by. @default null */
  readonly subject?: string | null;
  /** When it became true, ISO-8601 with a zone. @default now */
  readonly validFrom?: string;
  /** When it ceases to be true. @default null */
  readonly validTo?: string | null;
  /** When it is to be dropped. Not for records of people. @default null */
  readonly expiresAt?: string | null;
  /** Where the text comes from, when that is less trusted than the writer: `{ trust: 'web', sources: [url] }`. */
  readonly label?: Label;
  /** Ids of the records it was made from; it keeps the least of their trust. */
  readonly sources?: readonly string[];
  /** Lets the configured function rewrite the value first. For records of agents only. @default false */
  readonly infer?: boolean;
  readonly session?: string | null;
  readonly user?: string | null;
  readonly speaker?: string | null;
  /** Place within the session. @default null */
  readonly sequence?: number | null;
  /** Working folders, as absolute paths. @default [] */
  readonly directories?: readonly string[];
};
export type Draft = Required<Omit<MemoryWrite, 'label' | 'validFrom'>> & {
  readonly label: Label | null;
  readonly validFrom: string;
};

const FIELDS: ReadonlySet<string> = new Set([
  'key',
  'value',
  'confidence',
  'entities',
  'subject',
  'validFrom',
  'validTo',
  'expiresAt',
  'label',
  'sources',
  'infer',
  'session',
  'user',
  'speaker',
  'sequence',
  'directories',
]);
const CLAIMS: ReadonlySet<string> = new Set([
  'origin',
  'trust',
  'trustLevel',
  'agent',
  'agentId',
  'archived',
  'inferred',
  'version',
]);
const TRUSTS: readonly unknown[] = ['web', 'tool', 'provider', 'agent', 'human'];
/** Longest value as canonical JSON, in bytes. */
export const MAX_VALUE_BYTES = 1024 * 1024;
/** Most texts of a list. @internal */
export const MAX_LIST = 256;

/**
 * A write as the decision takes it: complete, every range checked, copied.
 * @throws MEMORY_ORIGIN_CLAIMED, MEMORY_INVALID_ARGUMENT
 */
export function checkWrite(actor: Actor, write: MemoryWrite, now: string): Draft {
  if (typeof write !== 'object' || write === null) throw invalid('write', 'a write is an object');
  if (typeof write.key !== 'string') throw invalid('key', 'key is a text');
  for (const name of Object.keys(write)) {
    if (FIELDS.has(name)) continue;
    if (CLAIMS.has(name))
      throw fault('MEMORY_ORIGIN_CLAIMED', `a write cannot choose its ${name}: the handle grants it`, { field: name });
    throw fault('MEMORY_INVALID_ARGUMENT', 'a write has an unknown field', { field: name });
  }
  const human = actor.type === 'human';
  if (human && (write.expiresAt ?? null) !== null)
    throw invalid('expiresAt', 'records of people do not expire; use validTo');
  if (actor.type !== 'agent' && write.infer === true) throw invalid('infer', 'only what an agent writes is rewritten');
  const validFrom = time('validFrom', write.validFrom) ?? now;
  const validTo = time('validTo', write.validTo);
  if (validTo !== null && validTo <= validFrom) throw invalid('validTo', 'validTo is after validFrom');
  return {
    key: write.key,
    value: copied(write.value),
    confidence: confidence(write.confidence ?? 1),
    entities: texts('entities', write.entities ?? []),
    subject: optional('subject', write.subject),
    validFrom,
    validTo,
    expiresAt: time('expiresAt', write.expiresAt),
    label: label(write.label),
    sources: texts('sources', write.sources ?? []),
    infer: write.infer === true,
    session: optional('session', write.session),
    user: optional('user', write.user),
    speaker: optional('speaker', write.speaker),
    sequence: sequence(write.sequence ?? null),
    directories: paths('directories', write.directories ?? []),
  };
}

function invalid(field: string, message: string): Error {
  return fault('MEMORY_INVALID_ARGUMENT', message, { field });
}

/** @throws MEMORY_INVALID_ARGUMENT for what is not a number from 0 to 1 */
export function confidence(value: number, field = 'confidence'): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw invalid(field, `${field} is a number from 0 to 1`);
}

/** A copy that the caller cannot change any more. */
export function copied(value: Json): Json {
  // Nobody can change a text, and the longest spelling of a character in JSON has six.
  if (typeof value === 'string' && value.length * 6 + 2 <= MAX_VALUE_BYTES && isWellFormed(value)) return value;
  let text: string;
  try {
    text = canonicalJson(value);
  } catch (cause) {
    throw fault('MEMORY_INVALID_ARGUMENT', 'the value is not JSON', { field: 'value' }, cause);
  }
  if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
    throw invalid('value', `the value has at most ${MAX_VALUE_BYTES} bytes`);
  return JSON.parse(text) as Json;
}

function time(field: string, text: string | null | undefined): string | null {
  if (text === undefined || text === null) return null;
  const canonical = typeof text === 'string' ? canonicalTime(text) : undefined;
  if (canonical === undefined) throw invalid(field, `${field} is an ISO-8601 time with a zone`);
  return canonical;
}

/** @throws MEMORY_INVALID_ARGUMENT @internal */
export function optional(field: string, text: string | null | undefined): string | null {
  if (text === undefined || text === null) return null;
  if (typeof text !== 'string' || text === '' || text.length > 1024 || !isWellFormed(text))
    throw invalid(field, `${field} is a text of 1 to 1024 characters`);
  return text;
}

/** @throws MEMORY_INVALID_ARGUMENT @internal */
export function texts(field: string, list: readonly string[]): readonly string[] {
  if (!Array.isArray(list) || list.length > MAX_LIST)
    throw invalid(field, `${field} is a list of at most ${MAX_LIST} texts`);
  for (const text of list) if (optional(field, text) === null) throw invalid(field, `${field} is a list of texts`);
  return [...new Set(list as readonly string[])];
}

/** Absolute paths, each in its one spelling. @throws MEMORY_INVALID_ARGUMENT @internal */
export function paths(field: string, list: readonly string[]): readonly string[] {
  try {
    return texts(field, list).map((path) => normalizePath(path));
  } catch (error) {
    if (!isWarrantError(error, 'PATH_NOT_ABSOLUTE')) throw error;
    throw fault('MEMORY_INVALID_ARGUMENT', `${field} are absolute paths`, { field }, error);
  }
}

function sequence(value: number | null): number | null {
  if (value === null || (Number.isSafeInteger(value) && value >= 0)) return value;
  throw invalid('sequence', 'sequence is a whole number from 0');
}

function label(value: Label | undefined): Label | null {
  if (value === undefined) return null;
  if (value === null || !TRUSTS.includes(value.trust))
    throw invalid('label', 'the label has a trust of web, tool, provider, agent or human');
  return { trust: value.trust, sources: texts('label', value.sources) };
}

/** @throws MEMORY_INVALID_ARGUMENT for a key that cannot name somebody */
export function checkActorKey(key: ActorKey): ActorKey {
  const checked = optional('actor', key);
  if (checked === null) throw invalid('actor', 'a handle needs the key of an actor');
  return checked;
}
