import type { SqliteDb } from '@warrant/core/sqlite';
import type { TextHit } from '../hits.ts';

/** What a word can add to a rank beside its rarity: one more than FTS5's k1. */
const MOST_OF_WORD = 2.2;
/** What FTS5 takes for the rarity of a word that half of the rows have. */
const LEAST_RARITY = 1e-6;
/** Part of its rarity that a word gives to most rows that have it. */
const USUAL_PART = 0.8;

/** So few rows, for each that is looked for, are ranked sooner than it is found out which of them need not be. */
const FEW_ROWS = 10;

/**
 * Every matching row is ranked here, not within the index, which would rank and count the rare words twice over. Scores
 * of FTS5 are the better the less they are.
 */
const RANKED = `SELECT rowid, bm25(memory_text) AS context, bm25(memory_text, 1.0, 0.0)
  FROM memory_text WHERE memory_text MATCH ? ORDER BY context, rowid LIMIT ?`;
/** Where no row borrows words of others, its own rank is the same. */
const RANKED_ALONE = `SELECT rowid, bm25(memory_text) AS context
  FROM memory_text WHERE memory_text MATCH ? ORDER BY context, rowid LIMIT ?`;
const COUNT = 'SELECT count(*) FROM memory_text WHERE memory_text MATCH ?';

/**
 * The rows with the highest ranks. Rows that hold common words alone are not ranked where they cannot be among them:
 * where as many others rank higher than all common words together could make a row.
 */
export function bestByText(db: SqliteDb, words: readonly string[], look: number): readonly TextHit[] {
  const ranked = ranking(db, look);
  const parts = splitByRarity(db, words, look);
  if (parts === undefined) return ranked(matchOf(words));
  const [rare, common] = [matchOf(parts.rare), matchOf(parts.common)];
  const best = [`(${rare}) AND (${common})`, `(${rare}) NOT (${common})`]
    .flatMap(ranked)
    .sort((a, b) => b.context - a.context || a.seq - b.seq)
    .slice(0, look);
  const last = best[look - 1];
  return last !== undefined && last.context > parts.mostOfCommon ? best : ranked(matchOf(words));
}

/** Ranks the rows of a match. */
function ranking(db: SqliteDb, look: number): (match: string) => readonly TextHit[] {
  const borrows = db.arrays('SELECT 1 FROM memory_groupings LIMIT 1').length > 0;
  return (match) =>
    db
      .arrays<[seq: number, context: number, own?: number]>(borrows ? RANKED : RANKED_ALONE, match, look)
      .map(([seq, context, own = context]) => ({ seq, own: 0 - own, context: 0 - context }));
}

type Parts = {
  readonly rare: readonly string[];
  readonly common: readonly string[];
  /** Above the rank of any row that has common words only. */
  readonly mostOfCommon: number;
};

/** The rarest words that are likely to fill the list, and the others. `undefined` where there are none to leave out. */
function splitByRarity(db: SqliteDb, words: readonly string[], look: number): Parts | undefined {
  if (words.length < 2) return undefined;
  // Numbers of rows that are gone are not used again: at least as many as there are rows.
  const all = db.arrays<[number | null]>('SELECT max(seq) FROM memory_records')[0]?.[0] ?? 0;
  if (all < look * FEW_ROWS) return undefined;
  const counted = words
    .map((word) => {
      const rows = db.arrays<[number]>(COUNT, matchOf([word]))[0]?.[0] ?? 0;
      return { word, rows, rarity: Math.max(LEAST_RARITY, Math.log((all - rows + 0.5) / (rows + 0.5))) };
    })
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => a.rows - b.rows);
  let rows = 0;
  for (const [index, one] of counted.entries()) {
    rows += one.rows;
    const common = counted.slice(index + 1);
    const mostOfCommon = common.reduce((sum, { rarity }) => sum + rarity * MOST_OF_WORD, 0);
    if (common.length === 0 || rows < look || mostOfCommon > one.rarity * USUAL_PART) continue;
    const rare = counted.slice(0, index + 1);
    return { rare: rare.map(({ word }) => word), common: common.map(({ word }) => word), mostOfCommon };
  }
  return undefined;
}

/** Every word in quotes: nothing of it is syntax. */
function matchOf(words: readonly string[]): string {
  return words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' OR ');
}
