import { hash } from 'node:crypto';
import type { SqliteDb } from '@warrant/core/sqlite';
import { isAfter, parseCursor } from '../cursor.ts';
import { continues, timeText } from '../row.ts';
import type { Followed, FollowQuery } from '../store.ts';
import { ENTRY, entryRows, toRow } from './rows.ts';

/** Many rows of such data at a time fill no memory. */
const SHORT_BYTES = 16 * 1024;
const WHERE = 'FROM journal_entries e WHERE stream = ? AND position > ? ORDER BY position LIMIT ?';
const member = (name: string, column: string): string =>
  `iif(${column} IS NULL, '', '"${name}":' || json_quote(${column}) || ',')`;
const MEMBERS = `${member('agentId', 'agent')} || ${member('causationId', 'causation')} || ${member('correlationId', 'correlation')}`;
/**
 * What costs is not reading rows but handing their columns over, so that a page comes as one text, two lines a row:
 * digest, number in the log, and what the end of its canonical form is made from; then how that form begins. There are
 * none of a row whose content is sealed, archived or long. A text that SQLite quotes otherwise than the canonical form
 * does only has its row looked at by itself.
 */
const LINES = `iif(octet_length(data) < ${SHORT_BYTES} AND coalesce(segment, sealed) IS NULL,
  concat(lower(hex(digest)), char(9), seq, char(9), version, char(9), time, char(9), type, char(9), '=' || subject, char(10), '{',
    iif(coalesce(agent, causation, correlation) IS NULL, '', ${MEMBERS}),
    '"data":', data, ',"id":', json_quote(id), ',"position":', position, ',"previous":"sha256:', lower(hex(previous)), '",', char(10)),
  NULL)`;
const PAGE = `SELECT count(*), count(lines), group_concat(lines, '') FROM (SELECT ${LINES} AS lines ${WHERE})`;
type Page = readonly [rows: number, lined: number, text: string | null];
const WHOLE = `SELECT ${ENTRY} ${WHERE}`;

/** Walks rows for as long as each continues the one before: as lines where all have them and continue, else by themselves. @internal */
export function followRows(db: SqliteDb, query: FollowQuery): Followed {
  return followLines(db, query) ?? followWhole(db, query);
}

/**
 * Undefined where a row does not continue or has no lines. Each row has two at least, so that where as many pairs as rows
 * were found, none stands within a text of another row.
 */
function followLines(db: SqliteDb, { key, stream, limit, ...start }: FollowQuery): Followed | undefined {
  const [page] = db.arrays<Page>(PAGE, key, start.position, limit) as [Page];
  const [count, lined, text] = page;
  if (lined < count) return undefined;
  const name = JSON.stringify(stream);
  let { position, digest } = start;
  let last = parseCursor(start.cursor);
  let at = 0;
  let shared = '';
  let end: string | undefined = '';
  while (text !== null && at < text.length) {
    const digestEnd = text.indexOf('\t', at);
    const seqEnd = text.indexOf('\t', digestEnd + 1);
    const line = text.indexOf('\n', seqEnd);
    const formEnd = text.indexOf('\n', line + 1);
    const seq = Number(text.slice(digestEnd + 1, seqEnd));
    const rest = text.slice(seqEnd + 1, line);
    if (rest !== shared) {
      shared = rest;
      end = endOf(rest, name);
    }
    position += 1;
    const place = `,"position":${position},"previous":"sha256:${digest}",`;
    if (!(seq > last) || end === undefined || !text.startsWith(place, formEnd - place.length)) return undefined;
    digest = hash('sha256', text.slice(line + 1, formEnd) + end, 'hex');
    if (digestEnd !== at + digest.length || !text.startsWith(digest, at)) return undefined;
    last = seq;
    at = formEnd + 1;
  }
  if (position !== start.position + count) return undefined;
  return { position, digest, cursor: last === 0 ? undefined : String(last), bytes: text?.length ?? 0, archived: 0 };
}

/** How the canonical form of entries ends that have this in common; `undefined` where one of the texts holds what divides them. */
function endOf(shared: string, name: string): string | undefined {
  const parts = shared.split('\t');
  if (parts.length !== 4) return undefined;
  const [version, time, type, subject] = parts as [string, string, string, string];
  const member = subject === '' ? '' : `"subject":${JSON.stringify(subject.slice(1))},`;
  return `"schemaVersion":${version},"stream":${name},${member}"time":"${timeText(Number(time))}","type":${JSON.stringify(type)}}`;
}

function followWhole(db: SqliteDb, { key, stream, limit, ...start }: FollowQuery): Followed {
  let { position, digest, cursor } = start;
  let bytes = 0;
  let archived = 0;
  for (const columns of entryRows(db, WHOLE, key, position, limit)) {
    const row = toRow(columns, stream);
    if (!continues(row, position, digest) || !isAfter(row.cursor, cursor ?? '0')) break;
    position = row.position;
    digest = row.digest;
    cursor = row.cursor;
    bytes += (row.data ?? row.sealed ?? '').length;
    if (row.segment !== undefined) archived += 1;
  }
  return { position, digest, cursor, bytes, archived };
}
