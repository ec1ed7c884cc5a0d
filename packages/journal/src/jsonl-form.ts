import { canonicalJson, isWellFormed, type Json, type JsonObject } from '@warrant/core';
import { nameProblem } from './prepare.ts';
import { bodyOf, canonicalEntry, entryDigest, type Prepared, type Row, timeText } from './row.ts';

/** Where a fork begins. It comes before the fork's own entries. */
export type ForkLine = {
  readonly stream: string;
  readonly parent: string;
  readonly position: number;
  /** 64 hex digits. */
  readonly digest: string;
};
export type ParsedLine =
  | { readonly type: 'entry'; readonly row: Omit<Row, 'cursor'> }
  | { readonly type: 'fork'; readonly fork: ForkLine }
  | { readonly type: 'foreign' | 'changed'; readonly message: string; readonly id?: string };

/** The canonical JSON of an entry: what its digest covers, and the digest. Undefined for an archived one. */
export function entryLine(row: Omit<Row, 'cursor'>): string | undefined {
  const body = bodyOf(row);
  if (body === undefined) return undefined;
  const text = canonicalEntry(row, row, body);
  // Members in canonical order: `digest` comes right before `id`, which is always there.
  const data = 'data' in body ? `"data":${body.data},` : '';
  const before = text.indexOf(`${data}"id":`) + data.length;
  return `${text.slice(0, before)}"digest":"sha256:${row.digest}",${text.slice(before)}`;
}

export function forkLine(fork: ForkLine): string {
  const { stream, parent, position, digest } = fork;
  return canonicalJson({ fork: { stream, parent, position, digest: `sha256:${digest}` } });
}

/** Reads a line and checks its digest. Anything but the one canonical spelling is foreign: two spellings of an entry could tell two stories. */
export function parseLine(text: string): ParsedLine {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    // The caller reports the line.
    return foreign('it is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return foreign('it is no entry');
  const object = value as JsonObject;
  return Object.hasOwn(object, 'fork') ? parseFork(object, text) : parseEntry(object, text);
}

const NOT_CANONICAL = 'it is not canonical JSON (RFC 8785)';

function foreign(message: string): ParsedLine {
  return { type: 'foreign', message };
}

const DIGEST = /^sha256:[0-9a-f]{64}$/;

function isDigest(value: Json | undefined): value is string {
  return typeof value === 'string' && DIGEST.test(value);
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value !== '' && isWellFormed(value);
}

function isPosition(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1;
}

/** Only what an append would take: a journal could not be asked for anything else. */
function isName(value: Json | undefined): value is string {
  return nameProblem(value) === undefined;
}

function parseFork(object: JsonObject, text: string): ParsedLine {
  const fork = object['fork'] as JsonObject | null;
  if (Object.keys(object).length !== 1 || typeof fork !== 'object' || fork === null) return foreign('it is no fork');
  const { stream, parent, position, digest } = fork;
  if (!isName(stream) || !isName(parent) || !isPosition(position) || !isDigest(digest)) return foreign('it is no fork');
  if (Object.keys(fork).length !== 4) return foreign('it is no fork');
  const line = { stream, parent, position, digest: digest.slice(7) };
  return forkLine(line) === text ? { type: 'fork', fork: line } : foreign(NOT_CANONICAL);
}

const OPTIONAL = ['agentId', 'causationId', 'correlationId', 'subject'] as const;
const REQUIRED = ['digest', 'id', 'position', 'previous', 'schemaVersion', 'stream', 'time', 'type'] as const;

function parseEntry(object: JsonObject, text: string): ParsedLine {
  const { id, type, stream, position, schemaVersion, time, previous, digest, sealed } = object;
  if (!isName(id) || !isName(type) || !isName(stream)) return foreign('it is no entry');
  if (!isPosition(position) || !isPosition(schemaVersion)) return foreign('it is no entry');
  if (!isDigest(digest) || !isDigest(previous) || typeof time !== 'string') return foreign('it is no entry');
  const milliseconds = Date.parse(time);
  if (Number.isNaN(milliseconds) || timeText(milliseconds) !== time) return foreign('its time is not ISO-8601 UTC');
  const hasSealed = Object.hasOwn(object, 'sealed');
  if (hasSealed === Object.hasOwn(object, 'data')) return foreign('an entry has either data or sealed');
  if (hasSealed && !isText(sealed)) return foreign('its sealed data is not text');
  const given = OPTIONAL.filter((name) => Object.hasOwn(object, name));
  if (!given.every((name) => isName(object[name]))) return foreign('it is no entry');
  const known = REQUIRED.length + given.length + 1;
  if (Object.keys(object).length !== known) return foreign('it has members that an entry has not');
  const head: Omit<Prepared, 'data'> = {
    id,
    type,
    schemaVersion,
    ...Object.fromEntries(given.map((name) => [name, object[name]])),
  };
  const place = { stream, position, time: milliseconds, previous: previous.slice(7) };
  const data = hasSealed ? undefined : canonicalData(object['data'] as Json);
  if (!hasSealed && data === undefined) return foreign('its data is none that an entry could have');
  const body = data === undefined ? { sealed: sealed as string } : { data };
  const row = { ...head, ...place, ...body, digest: digest.slice(7) };
  if (entryLine(row) !== text) return foreign(NOT_CANONICAL);
  if (`sha256:${entryDigest(head, place, body)}` !== digest) {
    return { type: 'changed', message: 'its digest does not cover its content', id };
  }
  return { type: 'entry', row };
}

/** Undefined for data that no append would take, such as text with a lone surrogate. */
function canonicalData(data: Json): string | undefined {
  try {
    return canonicalJson(data);
  } catch {
    // The caller reports the line.
    return undefined;
  }
}
