import { decodeText, encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import { PAGE_BYTES } from '../read-pages.ts';
import type { Row } from '../row.ts';
import { type Lineage, lineageOf, type StreamRow } from '../store.ts';
import type { Db } from './schema.ts';

/** 64-bit integers come as double precision, which holds every one that is used here. */
export type EntryColumns = {
  readonly tx: string;
  readonly stream: string;
  readonly name: string | null;
  readonly position: number;
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly time: number;
  readonly causation: string | null;
  readonly correlation: string | null;
  readonly agent: string | null;
  readonly subject: string | null;
  readonly segment: string | null;
  readonly previous: string;
  readonly digest: string;
  readonly sealed: string | null;
  readonly data: string | null;
};

/** Of `journal_entries e` joined with `journal_streams s`. @internal */
export const ENTRY = sql.raw(`e.tx::text AS tx, e.stream::text AS stream, s.name, e.position::float8 AS position, e.id,
  e.type, e.version::float8 AS version, e.time::float8 AS time, e.causation, e.correlation, e.agent, e.subject,
  e.segment, e.previous, e.digest, e.sealed, e.data`);

type Table =
  | 'journal_base'
  | 'journal_streams'
  | 'journal_entries'
  | 'journal_leaves'
  | 'journal_nodes'
  | 'journal_checkpoints'
  | 'journal_snapshots';
/** @internal */
export type Tables = (name: Table) => RawBuilder<unknown>;

/** @internal */
export function tablesOf(schema: string): Tables {
  return (name) => sql`${sql.id(schema, name)}`;
}

export function toRow(columns: EntryColumns): Row {
  const optional = (name: string, value: string | null): { [key: string]: string } =>
    value === null ? {} : { [name]: decodeText(value) };
  return {
    id: decodeText(columns.id),
    type: decodeText(columns.type),
    schemaVersion: columns.version,
    stream: decodeText(columns.name ?? ''),
    position: columns.position,
    cursor: `${columns.tx}.${columns.stream}.${columns.position}`,
    time: columns.time,
    previous: columns.previous,
    digest: columns.digest,
    ...(columns.data === null ? {} : { data: columns.data }),
    // Of an archived entry it only says that its data was sealed.
    ...(columns.sealed === null || (columns.segment !== null && columns.sealed === '')
      ? {}
      : { sealed: columns.sealed }),
    ...optional('causationId', columns.causation),
    ...optional('correlationId', columns.correlation),
    ...optional('agentId', columns.agent),
    ...optional('subject', columns.subject),
    ...optional('segment', columns.segment),
  };
}

/** Entries in the order of some of their columns, up to a page's worth of data and at least one. @internal */
export function entryPage(
  tables: Tables,
  rest: RawBuilder<unknown>,
  order: string,
  limit: number,
): RawBuilder<unknown> {
  const by = sql.raw(order);
  return sql`SELECT ${ENTRY} FROM (
      SELECT *, row_number() OVER (ORDER BY ${by}) AS place, sum(octet_length(coalesce(data, sealed, ''))) OVER (
        ORDER BY ${by} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before
      FROM (SELECT * FROM ${tables('journal_entries')} e ${rest} ORDER BY ${by} LIMIT ${limit}) taken
    ) e LEFT JOIN ${tables('journal_streams')} s ON s.key = e.stream
    WHERE coalesce(e.bytes_before, 0) < ${PAGE_BYTES} ORDER BY e.place`;
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

/** A stream and all its ancestors in one statement. @internal */
export async function lineageByName(db: Db, tables: Tables, name: string): Promise<Lineage | undefined> {
  const found = await sql<StreamColumns>`
    WITH RECURSIVE line AS (
      SELECT * FROM ${tables('journal_streams')} WHERE name = ${encodeText(name)}
      UNION SELECT p.* FROM ${tables('journal_streams')} p JOIN line ON p.key = line.parent
    )
    SELECT key::float8 AS key, name, position::float8 AS position, digest, parent::float8 AS parent,
      parent_position::float8 AS parent_position, parent_digest FROM line`.execute(db);
  const rows = new Map(found.rows.map((columns) => [columns.key, toStreamRow(columns)]));
  const row = [...rows.values()].find((one) => one.stream === name);
  return row && lineageOf(row, (key) => rows.get(key));
}

function toStreamRow(columns: StreamColumns): StreamRow {
  const { key, position, digest, parent } = columns;
  const base = { key, stream: decodeText(columns.name), position, digest };
  if (parent === null) return base;
  const from = { position: columns.parent_position as number, digest: columns.parent_digest as string };
  return { ...base, parent: { key: parent, ...from } };
}

/** @internal */
export async function knownRows(
  db: Db,
  tables: Tables,
  lineage: Lineage,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const known = new Map<string, Row>();
  const wanted = ids.map(encodeText);
  for (const segment of lineage.segments) {
    const found = await sql<EntryColumns>`
      SELECT ${ENTRY} FROM ${tables('journal_entries')} e JOIN ${tables('journal_streams')} s ON s.key = e.stream
      WHERE e.stream = ${segment.key} AND e.position <= ${Math.min(segment.to, Number.MAX_SAFE_INTEGER)}
        AND e.id = ANY (${wanted}::text[])`.execute(db);
    for (const columns of found.rows) {
      const row = toRow(columns);
      known.set(row.id, row);
    }
  }
  return known;
}
