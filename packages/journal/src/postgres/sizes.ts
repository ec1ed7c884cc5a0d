import { encodeText } from '@warrant/core/kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Tables } from './rows.ts';

/** How the entries of a subject are stored, by stream. @internal */
export function subjectEntries(tables: Tables, subject: string): RawBuilder<unknown> {
  return sql`
      SELECT s.name AS stream, count(e.data)::float8 AS clear,
        (count(*) FILTER (WHERE e.sealed IS NOT NULL AND e.segment IS NULL))::float8 AS sealed,
        (count(*) FILTER (WHERE e.sealed IS NOT NULL AND e.segment IS NOT NULL))::float8 AS archived,
        (count(*) FILTER (WHERE e.sealed IS NULL AND e.segment IS NOT NULL))::float8 AS "archivedClear"
      FROM ${tables('journal_entries')} e JOIN ${tables('journal_streams')} s ON s.key = e.stream
      WHERE e.subject = ${encodeText(subject)} GROUP BY s.key ORDER BY s.name`;
}

/** Sizes of the streams after a name, up to a number of them. @internal */
export function streamSizes(tables: Tables, after: string | undefined, limit: number): RawBuilder<unknown> {
  return sql`
      SELECT s.name AS stream, count(e.id)::float8 AS entries, count(e.segment)::float8 AS archived,
        coalesce(sum(octet_length(coalesce(e.data, e.sealed, ''))), 0)::float8 AS bytes,
        coalesce(min(e.time), 0)::float8 AS first, coalesce(max(e.time), 0)::float8 AS last
      FROM (SELECT key, name FROM ${tables('journal_streams')} WHERE name > ${encodeText(after ?? '')}
        ORDER BY name LIMIT ${limit}) s
      LEFT JOIN ${tables('journal_entries')} e ON e.stream = s.key GROUP BY s.key, s.name ORDER BY s.name`;
}

/** Bytes of the tables, with their indexes. @internal */
export function bytesOnDisk(schema: string): RawBuilder<unknown> {
  const names = ['journal_streams', 'journal_entries', 'journal_leaves', 'journal_nodes'];
  return sql`SELECT sum(pg_total_relation_size(format('%I.%I', ${schema}::text, name)::regclass))::float8 AS bytes
    FROM unnest(${names}::text[]) AS name`;
}
