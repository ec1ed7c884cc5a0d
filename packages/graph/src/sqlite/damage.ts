import { isWarrantError } from '@warrant/core';
import type { OpenedSqlite, SqliteDb } from '@warrant/core/sqlite';
import { createInterner, type Interner } from '../interner.ts';
import { storePrimitive } from '../stored.ts';
import { NODE_COLUMNS, type NodeRow, type RowContent, readRow } from './cache.ts';
import { createProvenances, type Provenances } from './provenances.ts';

/** What is wrong with one primitive of a file; its id, or `''` for the graph as a whole. */
export type GraphDamage = { readonly primitive: string; readonly problem: string };

type Search = {
  readonly db: SqliteDb;
  readonly provenances: Provenances;
  readonly interner: Interner;
  readonly rowOf: ReadonlyMap<string, number>;
  /** Links that the primitives call for and that were not met yet. */
  readonly links: Set<string>;
  readonly found: GraphDamage[];
};

const MOST = 20;
const PAGE = 500;
const NEXT = `SELECT ${NODE_COLUMNS} FROM graph_node WHERE row > ? ORDER BY row LIMIT ${PAGE}`;
const WHOLE = 'SELECT count(*) AS found FROM graph_meta';

/**
 * Where the graph in a file contradicts itself, at most 20 places: rows that cannot be read, that are not what their
 * digest, name or index says, or that lead to nothing. SQLite cannot tell, and checks trust the rows. Reads everything.
 */
export function findGraphDamage(file: Pick<OpenedSqlite, 'layers' | 'read'>): readonly GraphDamage[] {
  if (!Object.hasOwn(file.layers(), 'graph')) return [];
  return file.read((db) => {
    if (db.get<{ found: number }>(WHOLE)?.found !== 1) return [{ primitive: '', problem: 'has no version' }];
    const rows = db.arrays<readonly [row: number, id: string]>('SELECT row, id FROM graph_node');
    const search: Search = {
      db,
      provenances: createProvenances(),
      interner: createInterner(),
      rowOf: new Map(rows.map(([row, id]) => [id, row])),
      links: new Set(),
      found: [],
    };
    searchRows(search);
    if (search.found.length === 0) searchLinks(search, new Map(rows));
    return search.found.slice(0, MOST);
  });
}

function searchRows(search: Search): void {
  const { db, found } = search;
  for (let last: number | undefined = 0; last !== undefined && found.length < MOST; ) {
    const page: readonly NodeRow[] = db.arrays<NodeRow>(NEXT, last);
    for (const row of page) {
      const problem = problemOf(row, search);
      if (problem !== undefined) found.push({ primitive: row[1], problem });
    }
    last = page.at(-1)?.[0];
  }
}

function problemOf(row: NodeRow, search: Search): string | undefined {
  const kept = contentOf(row, search);
  if (kept === undefined) return 'cannot be read';
  const { key, digest, prerequisites, targets } = storePrimitive(kept.primitive, search.interner);
  if (digest !== kept.digest) return 'is not what its digest says';
  if (key !== kept.key) return 'is kept under another name';
  const lost = targets.find((target) => !search.rowOf.has(target));
  if (lost !== undefined) return `leads to ${lost}, which is not there`;
  const rows = prerequisites.map((target) => search.rowOf.get(target));
  if (rows.join() !== kept.prerequisites.join()) return 'is kept with other prerequisites than it has';
  for (const target of targets) search.links.add(`${search.rowOf.get(target)} ${row[0]}`);
  return undefined;
}

function contentOf(row: NodeRow, { db, provenances }: Search): RowContent | undefined {
  try {
    return readRow(db, row, provenances);
  } catch (error) {
    if (isWarrantError(error, 'GRAPH_FILE_CORRUPT')) return undefined;
    throw error;
  }
}

/** The index of who leads where, by which a removal knows what it would leave dangling. */
function searchLinks({ db, links, found }: Search, ids: ReadonlyMap<number, string>): void {
  const wrong = (source: number): void => {
    found.push({ primitive: ids.get(source) ?? `in row ${source}`, problem: 'is missing from the index of relata' });
  };
  for (const [target, source] of db.arrays<readonly [number, number]>('SELECT target, source FROM graph_link')) {
    if (!links.delete(`${target} ${source}`)) wrong(source);
  }
  for (const link of links) wrong(Number(link.split(' ')[1]));
}
