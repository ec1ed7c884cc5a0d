import type { SqliteDb } from '@warrant/core/sqlite';
import type { Found, Query, TextHit } from '../hits.ts';
import { timeOf } from '../times.ts';
import { COLUMNS, type Columns, readableRecord, rowOf } from './rows.ts';

/** The same conditions for every signal, so that nothing takes a place that it is filtered from later. */
export const LIVE = `coalesce(r.valid_from, r.recorded_at) <= ? AND (r.valid_to IS NULL OR r.valid_to > ?) AND r.recorded_at <= ?
  AND (r.closed_at IS NULL OR r.closed_at > ?) AND (r.expires_at IS NULL OR r.expires_at > ?)
  AND (r.archived = 0 OR r.closed_at IS NOT NULL)`;
const AMONG = `FROM memory_records r WHERE r.seq IN (SELECT value FROM json_each(?)) AND ${LIVE}`;
const KEYS = `SELECT r.seq, r.key ${AMONG}`;
/** The second row of a key is not there. */
const ALONE = `(SELECT 1 FROM memory_records o WHERE coalesce(o.fold, o.key) = coalesce(r.fold, r.key) LIMIT 1 OFFSET 1) IS NULL`;
const ROWS = `SELECT ${COLUMNS}, ${ALONE} ${AMONG}`;

type Known = [...Columns, alone: 0 | 1];

/** Parameters of {@link LIVE}. */
export function liveTimes(query: Query): readonly number[] {
  const valid = timeOf(query.validAt);
  const known = timeOf(query.knownAt);
  return [valid, valid, known, known, known];
}

/** The rows that a query may give, each read once. */
export class LivingRows {
  readonly #db: SqliteDb;
  readonly #times: readonly number[];
  readonly #readable: readonly string[];
  readonly #rows = new Map<number, Known>();

  constructor(db: SqliteDb, query: Query) {
    this.#db = db;
    this.#times = liveTimes(query);
    this.#readable = query.readable;
  }

  /** Those of many rows, most of which nobody will ask for. */
  among(seqs: readonly number[]): ReadonlySet<number> {
    const rows = this.#db.arrays<[seq: number, key: string]>(KEYS, JSON.stringify(seqs), ...this.#times);
    return new Set(rows.flatMap(([seq, key]) => (this.#mayGive(key) ? [seq] : [])));
  }

  read(seqs: readonly number[]): void {
    for (const columns of this.#db.arrays<Known>(ROWS, JSON.stringify(seqs), ...this.#times))
      if (this.#mayGive(columns[2])) this.#rows.set(columns[0], columns);
  }

  has(seq: number): boolean {
    return this.#rows.has(seq);
  }

  /** The records of hits, in their order, without those that are damaged. */
  found(hits: readonly (TextHit & { readonly cosine: number | null })[]): readonly Found[] {
    const others = hits.filter(({ seq }) => !this.#rows.has(seq));
    if (others.length > 0) this.read(others.map(({ seq }) => seq));
    const found: Found[] = [];
    for (const { seq, own, context, cosine } of hits) {
      const columns = this.#rows.get(seq);
      const record = columns === undefined ? undefined : readableRecord(this.#db, rowOf(columns));
      if (columns === undefined || record === undefined) continue;
      found.push({ record, own, context, cosine, alone: columns[columns.length - 1] === 1 });
    }
    return found;
  }

  #mayGive(key: string): boolean {
    return this.#readable.some((prefix) => key.startsWith(prefix));
  }
}
