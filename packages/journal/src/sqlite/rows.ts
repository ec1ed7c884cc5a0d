import type { SqliteDb, SqliteValue } from '@warrant/core/sqlite';
import { PAGE_BYTES } from '../read-pages.ts';
import type { Row } from '../row.ts';
import { type Lineage, lineageOf, type StreamRow } from '../store.ts';

/** What {@link ENTRY} selects, in its order. */
export type EntryColumns = readonly [
  seq: number,
  position: number,
  id: string,
  type: string,
  version: number,
  time: number,
  causation: string | null,
  correlation: string | null,
  agent: string | null,
  subject: string | null,
  segment: string | null,
  links: string,
  sealed: string | null,
  data: string | null,
  name?: string | null,
];
/** Rows up to a page's worth of data. The text selects {@link ENTRY} first. */
export function entryRows(db: SqliteDb, text: string, ...parameters: readonly SqliteValue[]): EntryColumns[] {
  let bytes = 0;
  const isEnough = (columns: EntryColumns): boolean => {
    bytes += (columns[13] ?? columns[12] ?? '').length;
    return bytes >= PAGE_BYTES;
  };
  return db.prepare(text).arraysUntil<EntryColumns>(isEnough, ...parameters);
}

type StreamColumns = {
  readonly key: number;
  readonly name: string;
  readonly position: number;
  readonly digest: string;
  readonly parent: number | null;
  readonly parent_position: number | null;
  readonly parent_digest: string | null;
};

/** Columns of an entry `e`: both digests in one text, which costs less than two. */
export const ENTRY = `e.seq, e.position, e.id, e.type, e.version, e.time, e.causation, e.correlation, e.agent,
  e.subject, e.segment, lower(hex(e.previous || e.digest)), e.sealed, e.data`;
const DIGEST_LENGTH = 64;

const INSERT_COLUMNS =
  'stream, position, id, type, version, time, previous, digest, data, sealed, causation, correlation, agent, subject';
const LEAN_COLUMNS = 'stream, position, id, type, version, time, previous, digest, data';
/** Rows a statement; more gain nothing more. */
const SIZES = [20, 5, 1] as const;

function insertText(columns: string, rows: number): string {
  const marks = `(${columns.replace(/\w+/g, '?')})`;
  return `INSERT INTO journal_entries (${columns}) VALUES ${Array<string>(rows).fill(marks).join(', ')}`;
}
const INSERTS = {
  lean: SIZES.map((size) => insertText(LEAN_COLUMNS, size)),
  whole: SIZES.map((size) => insertText(INSERT_COLUMNS, size)),
};

type NewRow = Omit<Row, 'cursor'>;
/** A row and the key of its stream. */
export type PlacedRow = { readonly key: number; readonly row: NewRow };

function isLean(row: NewRow): boolean {
  return (
    row.sealed === undefined &&
    row.subject === undefined &&
    row.agentId === undefined &&
    row.causationId === undefined &&
    row.correlationId === undefined
  );
}

/** Inserts rows from index `from` on, many a statement, and gives the last one's number in the log. */
export function insertRows(db: SqliteDb, rows: readonly PlacedRow[], from = 0): number {
  let last: number | bigint = 0;
  let next = from;
  while (next < rows.length) {
    const size = SIZES.findIndex((rowsAStatement) => rowsAStatement <= rows.length - next);
    const some = rows.slice(next, next + (SIZES[size] as number));
    const lean = some.every(({ row }) => isLean(row));
    const values: SqliteValue[] = [];
    for (const { key, row } of some) pushValues(values, key, row, lean);
    last = db.run((lean ? INSERTS.lean : INSERTS.whole)[size] as string, ...values).lastInsertRowid;
    next += some.length;
  }
  return Number(last);
}

function pushValues(values: SqliteValue[], key: number, row: NewRow, lean: boolean): void {
  values.push(
    key,
    row.position,
    row.id,
    row.type,
    row.schemaVersion,
    row.time,
    bytesOf(row.previous),
    bytesOf(row.digest),
    row.data ?? null,
  );
  if (lean) return;
  values.push(
    row.sealed ?? null,
    row.causationId ?? null,
    row.correlationId ?? null,
    row.agentId ?? null,
    row.subject ?? null,
  );
}

let lastHex = '';
let lastBytes: Uint8Array = new Uint8Array();

/** A digest as it is stored, from its hex digits. The last one is remembered: it is the next entry's `previous`. */
export function bytesOf(hex: string): Uint8Array {
  if (hex !== lastHex) {
    lastBytes = Buffer.from(hex, 'hex');
    lastHex = hex;
  }
  return lastBytes;
}

export function toRow(columns: EntryColumns, stream: string): Row {
  const [seq, position, id, type, schemaVersion, time] = columns;
  const links = columns[11];
  const row: { -readonly [Key in keyof Row]: Row[Key] } = {
    id,
    type,
    schemaVersion,
    stream,
    position,
    cursor: String(seq),
    time,
    previous: links.slice(0, DIGEST_LENGTH),
    digest: links.slice(DIGEST_LENGTH),
  };
  const [, , , , , , causation, correlation, agent, subject, segment, , sealed, data] = columns;
  if (data !== null) row.data = data;
  // Of an archived entry an empty one says that its data was sealed.
  if (sealed !== null && (segment === null || sealed !== '')) row.sealed = sealed;
  if (causation !== null) row.causationId = causation;
  if (correlation !== null) row.correlationId = correlation;
  if (agent !== null) row.agentId = agent;
  if (subject !== null) row.subject = subject;
  if (segment !== null) row.segment = segment;
  return row;
}

const STREAM = `SELECT key, name, position, lower(hex(digest)) AS digest, parent, parent_position,
  lower(hex(parent_digest)) AS parent_digest FROM journal_streams`;

function toStreamRow(columns: StreamColumns): StreamRow {
  const { key, name: stream, position, digest, parent } = columns;
  if (parent === null) return { key, stream, position, digest };
  const from = { position: columns.parent_position as number, digest: columns.parent_digest as string };
  return { key, stream, position, digest, parent: { key: parent, ...from } };
}

export function streamByName(db: SqliteDb, name: string): StreamRow | undefined {
  const columns = db.get<StreamColumns>(`${STREAM} WHERE name = ?`, name);
  return columns && toStreamRow(columns);
}

export function lineageByName(db: SqliteDb, name: string): Lineage | undefined {
  const row = streamByName(db, name);
  return (
    row &&
    lineageOf(row, (key) => {
      const columns = db.get<StreamColumns>(`${STREAM} WHERE key = ?`, key);
      return columns && toStreamRow(columns);
    })
  );
}
