import { canonicalJson, type Provenance } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';
import { deepFreeze } from '../freeze.ts';

/** Provenance by its row. Rows are only ever added, so what was read stays true. */
export type Provenances = {
  readonly read: (db: SqliteDb, number: number) => Provenance;
  /** The number of a provenance, made when there is none yet. */
  readonly number: (db: SqliteDb, provenance: Provenance) => number;
  /** Forgets everything: what a transaction made that was rolled back is not there. */
  readonly forget: () => void;
};

const MAX_ENTRIES = 20_000;

/** A bounded cache over the table of provenance. */
export function createProvenances(): Provenances {
  const byNumber = new Map<number, Provenance>();
  const numbers = new Map<Provenance, number>();
  let recent: Provenance | null = null;
  let recentNumber = 0;
  const forget = (): void => {
    byNumber.clear();
    numbers.clear();
    recent = null;
  };
  const remember = (number: number, provenance: Provenance): void => {
    if (byNumber.size >= MAX_ENTRIES) forget();
    byNumber.set(number, provenance);
    numbers.set(provenance, number);
  };
  const read = (db: SqliteDb, number: number): Provenance => {
    const known = byNumber.get(number);
    if (known !== undefined) return known;
    const row = db.get<{ text: string }>('SELECT text FROM graph_provenance WHERE number = ?', number);
    if (row === undefined) throw new RangeError(`no provenance has the number ${number}`);
    const provenance = deepFreeze(JSON.parse(row.text) as Provenance);
    remember(number, provenance);
    return provenance;
  };
  const number = (db: SqliteDb, provenance: Provenance): number => {
    if (provenance === recent) return recentNumber;
    recentNumber = numbers.get(provenance) ?? make(db, provenance);
    recent = provenance;
    return recentNumber;
  };
  const make = (db: SqliteDb, provenance: Provenance): number => {
    const text = canonicalJson(provenance);
    const insert = 'INSERT INTO graph_provenance (text) VALUES (?) ON CONFLICT (text) DO NOTHING';
    db.run(insert, text);
    const row = db.get<{ number: number }>('SELECT number FROM graph_provenance WHERE text = ?', text);
    const made = (row as { number: number }).number;
    remember(made, provenance);
    return made;
  };
  return { read, number, forget };
}
