import { CASE_FOLDING_VERSION, type IdSource } from '@warrant/core';
import type { SqliteDb } from '@warrant/core/sqlite';

// Primitives are known inside by small integers: they keep the file, the closure walk and the reverse index compact.
// `prerequisites` repeats what the body holds, as row numbers, so that a walk need not look ids up.
// `graph_change` tells other processes which rows a revision touched; `bulk` is the last revision it does not list.
// `key` is null only within a transaction, while names change hands.
const VERSION_1 = `
CREATE TABLE graph_meta (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  epoch TEXT NOT NULL,
  revision INTEGER NOT NULL,
  bulk INTEGER NOT NULL,
  folding TEXT NOT NULL
) STRICT;
CREATE TABLE graph_node (
  row INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT UNIQUE,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  digest BLOB NOT NULL,
  prerequisites TEXT NOT NULL,
  sources INTEGER NOT NULL
) STRICT;
CREATE TABLE graph_link (
  target INTEGER NOT NULL,
  source INTEGER NOT NULL,
  PRIMARY KEY (target, source)
) STRICT, WITHOUT ROWID;
CREATE TABLE graph_change (
  revision INTEGER NOT NULL,
  row INTEGER NOT NULL,
  PRIMARY KEY (revision, row)
) STRICT, WITHOUT ROWID;
CREATE TABLE graph_provenance (number INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE graph_batch (id TEXT PRIMARY KEY, digest TEXT NOT NULL, revision INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE graph_metric (
  key TEXT PRIMARY KEY,
  concept TEXT NOT NULL,
  checked INTEGER NOT NULL,
  grounded INTEGER NOT NULL,
  existence INTEGER NOT NULL,
  depth INTEGER NOT NULL,
  relational INTEGER NOT NULL,
  reachability INTEGER NOT NULL,
  last_grounded_at TEXT,
  last_failed_at TEXT
) STRICT, WITHOUT ROWID;
`;

// Two histories of one file may reach the same revision: after an older copy was put back, for one. What was written at a
// revision has a stamp of its own, by which who was there finds out whether the file still goes on from there.
const VERSION_2 = 'CREATE TABLE graph_stamp (revision INTEGER PRIMARY KEY, stamp TEXT NOT NULL) STRICT';

/** The steps that bring the graph's tables up to date. */
export function graphSteps(ids: IdSource): readonly ((db: SqliteDb) => void)[] {
  return [
    (db) => {
      db.exec(VERSION_1);
      const sql = 'INSERT INTO graph_meta (one, epoch, revision, bulk, folding) VALUES (1, ?, 0, 0, ?)';
      db.run(sql, ids.next(), CASE_FOLDING_VERSION);
    },
    (db) => {
      db.exec(VERSION_2);
      db.run('INSERT INTO graph_stamp (revision, stamp) SELECT revision, ? FROM graph_meta', ids.next());
    },
  ];
}
