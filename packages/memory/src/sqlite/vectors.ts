import type { SqliteDb } from '@warrant/core/sqlite';
import { cosine } from '../cosine.ts';
import type { Similar } from '../hits.ts';
import { toVector } from './stored-vector.ts';
import { SMALL, VectorIndex } from './vector-index.ts';

/** Tells which of some rows a query may give. */
type Living = (seqs: readonly number[]) => ReadonlySet<number>;

/** Rows that are looked at by their signs, for each that is wanted. */
const LOOK = 12;
/** And at least so many, the more the fewer signs there are to go by. */
const LEAST_LOOK = 1000;
const LEAST_SIGNS = 256_000;

/** The vectors of one file as this process remembers them; what other processes add is seen at the next query. */
export class Vectors {
  readonly #indexes = new Map<number, VectorIndex>();

  /** The most similar living rows, best first, and how similar some others are that were found otherwise. */
  similar(
    db: SqliteDb,
    vector: Float32Array,
    asked: { readonly limit: number; readonly found: readonly number[]; readonly living: Living },
  ): readonly Similar[] {
    const index = this.#indexes.get(vector.length) ?? new VectorIndex(vector.length);
    this.#indexes.set(vector.length, index);
    const fits = index.refresh(db);
    const best = fits && index.size >= SMALL ? this.#byIndex(db, index, vector, asked) : exact(db, vector, asked);
    const known = new Set(best.map(({ seq }) => seq));
    const others = compared(
      db,
      vector,
      asked.found.filter((seq) => !known.has(seq)),
    );
    return [...best, ...others];
  }

  /** Where many of the nearest may not be given, more are looked at, until most of them may or there are no more. */
  #byIndex(
    db: SqliteDb,
    index: VectorIndex,
    vector: Float32Array,
    asked: { readonly limit: number; readonly living: Living },
  ): readonly Similar[] {
    for (let take = asked.limit * 6; ; take *= 8) {
      const look = Math.max(LEAST_LOOK, LEAST_SIGNS / vector.length, take * LOOK);
      const near = index.nearest(vector, look, take);
      const living = asked.living(near);
      const best = near.filter((seq) => living.has(seq)).slice(0, asked.limit * 2);
      // Where most of what lies near may not be given, signs alone would miss some of the rest.
      if (living.size * 2 >= near.length || look >= index.size) return compared(db, vector, best).slice(0, asked.limit);
    }
  }
}

function exact(
  db: SqliteDb,
  vector: Float32Array,
  asked: { readonly limit: number; readonly living: Living },
): readonly Similar[] {
  const rows = db.arrays<[number, Uint8Array]>(
    'SELECT record, vector FROM memory_vectors WHERE length(vector) = ?',
    vector.byteLength,
  );
  const living = asked.living(rows.map(([seq]) => seq));
  return sorted(
    rows.filter(([seq]) => living.has(seq)),
    vector,
  ).slice(0, asked.limit);
}

function compared(db: SqliteDb, vector: Float32Array, seqs: readonly number[]): readonly Similar[] {
  if (seqs.length === 0) return [];
  const rows = db.arrays<[number, Uint8Array]>(
    'SELECT record, vector FROM memory_vectors WHERE record IN (SELECT value FROM json_each(?)) AND length(vector) = ?',
    JSON.stringify(seqs),
    vector.byteLength,
  );
  return sorted(rows, vector);
}

function sorted(rows: readonly (readonly [number, Uint8Array])[], vector: Float32Array): readonly Similar[] {
  return rows
    .map(([seq, bytes]) => ({ seq, cosine: cosine(vector, toVector(bytes)) }))
    .sort((a, b) => b.cosine - a.cosine || a.seq - b.seq);
}
