import type { SqliteDb } from '@warrant/core/sqlite';
import { createBulkInsert } from './bulk-insert.ts';

/** How rows of primitives are inserted. */
export const INTO_NODES = {
  into: 'graph_node (row, id, key, name, body, digest, prerequisites, sources)',
  // A digest comes as text: making bytes of it costs more outside than inside.
  values: '?,?,?,?,?,unhex(?),?,?',
  columns: 8,
  rowsPerStatement: 64,
};
const INTO_LINKS = { into: 'graph_link (target, source)', values: '?,?', columns: 2, rowsPerStatement: 256 };
/** Rows up to this fit into one number twice, which makes sorting pairs cheap. */
const PAIR = 2 ** 26;

/**
 * Inserts pairs of target and source, given one after the other: in the order of the index, so that its pages fill one
 * after another.
 */
export function insertLinks(links: readonly number[], db: SqliteDb): void {
  const insert = createBulkInsert(db, INTO_LINKS);
  if (links.some((row) => row >= PAIR)) {
    for (let index = 0; index < links.length; index += 2) insert.add(links.slice(index, index + 2));
  } else {
    const pairs = new Float64Array(links.length / 2);
    for (let index = 0; index < pairs.length; index += 1) {
      pairs[index] = (links[2 * index] as number) * PAIR + (links[2 * index + 1] as number);
    }
    for (const pair of pairs.sort()) insert.add([Math.floor(pair / PAIR), pair % PAIR]);
  }
  insert.flush();
}
