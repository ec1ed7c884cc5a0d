import { hash } from 'node:crypto';
import type { Digest, Json, Recorded } from '@warrant/core';

/** What the caller of `append` gave, checked and in canonical form. */
export type Prepared = {
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly causationId?: string;
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly subject?: string;
  /** Canonical JSON of the data. */
  readonly data: string;
  /** The data under its subject's key, when the journal has a key store. */
  readonly sealed?: string;
  /** Its subject's key was destroyed, so that nothing new can be stored under it. */
  readonly erased?: boolean;
};

/** An entry as a store keeps it. Neither `data` nor `sealed` is there once it was archived. */
export type Row = {
  readonly id: string;
  readonly type: string;
  readonly schemaVersion: number;
  readonly causationId?: string;
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly subject?: string;
  readonly stream: string;
  readonly position: number;
  readonly cursor: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** 64 hex digits. */
  readonly previous: string;
  /** 64 hex digits. */
  readonly digest: string;
  readonly data?: string;
  readonly sealed?: string;
  /** Name of the archive segment that has the data. */
  readonly segment?: string;
};

/** What the digest of an entry covers, apart from its content. */
export type Place = Pick<Row, 'stream' | 'position' | 'time' | 'previous'>;
type Head = Omit<Prepared, 'data' | 'sealed' | 'erased'>;
export type Body = { readonly data: string } | { readonly sealed: string };

/** `previous` of the first entry of a stream that is no fork. */
export const GENESIS = '0'.repeat(64);

let lastTime = Number.NaN;
let lastText = '';

/** Furthest time from 1970 that there is (ECMA-262, time values), in milliseconds. */
const FURTHEST = 8.64e15;

/** False for what only damage makes of a time. */
export function isTime(time: number): boolean {
  return Math.abs(time) <= FURTHEST;
}

/** ISO-8601 text of a time in milliseconds; entries of one batch share it. What is no time stays a number. */
export function timeText(time: number): string {
  if (time !== lastTime) {
    lastText = isTime(time) ? new Date(time).toISOString() : String(time);
    lastTime = time;
  }
  return lastText;
}

const PLAIN = /^[\w./:@-]*$/;

/** JSON text of a string; most names hold nothing that needs an escape. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

function member(name: string, value: string | undefined): string {
  return value === undefined ? '' : `"${name}":${quoted(value)},`;
}

/** The canonical form (RFC 8785) of an entry without cursor and digest: members in the order of their names. */
export function canonicalEntry(head: Head, place: Place, body: Body): string {
  let text = '{';
  if (head.agentId !== undefined) text += member('agentId', head.agentId);
  if (head.causationId !== undefined) text += member('causationId', head.causationId);
  if (head.correlationId !== undefined) text += member('correlationId', head.correlationId);
  if ('data' in body) text += `"data":${body.data},`;
  text += `"id":${quoted(head.id)},"position":${place.position},"previous":"sha256:${place.previous}",`;
  text += `"schemaVersion":${head.schemaVersion},`;
  if ('sealed' in body) text += member('sealed', body.sealed);
  text += `"stream":${quoted(place.stream)},`;
  if (head.subject !== undefined) text += member('subject', head.subject);
  return `${text}"time":"${timeText(place.time)}","type":${quoted(head.type)}}`;
}

/** SHA-256 of {@link canonicalEntry} in hex. */
export function entryDigest(head: Head, place: Place, body: Body): string {
  return hash('sha256', canonicalEntry(head, place, body), 'hex');
}

/** The digest of a stored row from what is stored, or undefined for one whose data was archived. */
export function rowDigest(row: Row, place: Place = row): string | undefined {
  const body = bodyOf(row);
  return body === undefined ? undefined : entryDigest(row, place, body);
}

/** Whether a row is the next of its chain and as it was digested. Of an archived one the place alone can be told. */
export function continues(row: Row, position: number, digest: string): boolean {
  if (row.position !== position + 1 || row.previous !== digest) return false;
  if (isTwofold(row)) return false;
  return row.segment !== undefined || rowDigest(row) === row.digest;
}

/** Data beside what stands for it: nothing is written so, and its digest does not cover the data. */
export function isTwofold(row: Row): boolean {
  if (row.segment !== undefined) return row.data !== undefined || row.sealed !== undefined;
  return row.data !== undefined && row.sealed !== undefined;
}

export function bodyOf(row: Pick<Row, 'data' | 'sealed'>): Body | undefined {
  if (row.sealed !== undefined) return { sealed: row.sealed };
  return row.data === undefined ? undefined : { data: row.data };
}

/** Gives each entry its place and digest, one after the other. */
export function chainEntries(
  entries: readonly Prepared[],
  start: { readonly stream: string; readonly position: number; readonly digest: string; readonly time: number },
): Omit<Row, 'cursor'>[] {
  let previous = start.digest;
  let position = start.position;
  return entries.map((entry) => {
    position += 1;
    const place = { stream: start.stream, position, time: start.time, previous };
    const sealed = entry.sealed !== undefined;
    const body = sealed ? { sealed: entry.sealed as string } : { data: entry.data };
    const digest = entryDigest(entry, place, body);
    const row: { -readonly [Key in keyof Row]?: Row[Key] } = headOf(entry);
    row.stream = start.stream;
    row.position = position;
    row.time = start.time;
    row.previous = previous;
    row.digest = digest;
    if (sealed) row.sealed = entry.sealed as string;
    else row.data = entry.data;
    previous = digest;
    return row as Omit<Row, 'cursor'>;
  });
}

/** The members of an entry that are neither data nor place, without absent ones. */
export function headOf(entry: Head): Head {
  const head: { -readonly [Key in keyof Head]: Head[Key] } = {
    id: entry.id,
    type: entry.type,
    schemaVersion: entry.schemaVersion,
  };
  if (entry.causationId !== undefined) head.causationId = entry.causationId;
  if (entry.correlationId !== undefined) head.correlationId = entry.correlationId;
  if (entry.agentId !== undefined) head.agentId = entry.agentId;
  if (entry.subject !== undefined) head.subject = entry.subject;
  return head;
}

/** A row as readers see it. */
export function toRecorded(row: Row, data: Json): Recorded {
  const recorded: { -readonly [Key in keyof Recorded]: Recorded[Key] } = {
    id: row.id,
    type: row.type,
    data,
    schemaVersion: row.schemaVersion,
    stream: row.stream,
    position: row.position,
    cursor: row.cursor,
    time: timeText(row.time),
    previous: asDigest(row.previous),
    digest: asDigest(row.digest),
  };
  if (row.causationId !== undefined) recorded.causationId = row.causationId;
  if (row.correlationId !== undefined) recorded.correlationId = row.correlationId;
  if (row.agentId !== undefined) recorded.agentId = row.agentId;
  if (row.subject !== undefined) recorded.subject = row.subject;
  if (row.sealed !== undefined) recorded.sealed = row.sealed;
  return recorded;
}

export function asDigest(hex: string): Digest {
  return `sha256:${hex}`;
}

export function hexOf(digest: Digest): string {
  return digest.slice(7);
}
