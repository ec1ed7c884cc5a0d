import type { IdSource } from '@warrant/core';
import type { OpenedSqlite } from '@warrant/core/sqlite';

/**
 * Gives the graph in a file another epoch; a file without a graph stays as it is. For whoever puts an older copy in the
 * place of a file: its revisions are counted on from there, and a version that somebody remembers from before would name
 * another content by the same number.
 */
export function renewEpoch(file: Pick<OpenedSqlite, 'layers' | 'write'>, ids: IdSource): void {
  if (!Object.hasOwn(file.layers(), 'graph')) return;
  file.write((db) => {
    db.run('UPDATE graph_meta SET epoch = ?', ids.next());
  });
}
