import type { SqliteDb } from '@warrant/core/sqlite';

/** Layer name in the file's table of versions, and prefix of the journal's tables. */
export const LAYER = 'journal';

/** Data comes last in a row, so that reading digests does not walk through long ones. Digests are their 32 bytes. */
export const STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`
      CREATE TABLE journal_streams (
        key INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        position INTEGER NOT NULL,
        digest BLOB NOT NULL,
        parent INTEGER REFERENCES journal_streams (key),
        parent_position INTEGER,
        parent_digest BLOB
      ) STRICT;
      CREATE TABLE journal_entries (
        seq INTEGER PRIMARY KEY,
        stream INTEGER NOT NULL,
        position INTEGER NOT NULL,
        id TEXT NOT NULL,
        type TEXT NOT NULL,
        version INTEGER NOT NULL,
        time INTEGER NOT NULL,
        causation TEXT,
        correlation TEXT,
        agent TEXT,
        subject TEXT,
        segment TEXT,
        previous BLOB NOT NULL,
        digest BLOB NOT NULL,
        sealed TEXT,
        data TEXT
      ) STRICT;
      CREATE UNIQUE INDEX journal_entries_position ON journal_entries (stream, position);
      CREATE UNIQUE INDEX journal_entries_id ON journal_entries (stream, id);
      CREATE INDEX journal_entries_subject ON journal_entries (stream, subject, position) WHERE subject IS NOT NULL;
      CREATE TABLE journal_nodes (
        level INTEGER NOT NULL,
        place INTEGER NOT NULL,
        hash BLOB NOT NULL,
        PRIMARY KEY (level, place)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE journal_sealed (one INTEGER PRIMARY KEY CHECK (one = 1), size INTEGER NOT NULL) STRICT;
      INSERT INTO journal_sealed (one, size) VALUES (1, 0);
      CREATE TABLE journal_checkpoints (size INTEGER PRIMARY KEY, note TEXT NOT NULL) STRICT;
      CREATE TABLE journal_snapshots (
        stream TEXT NOT NULL,
        program TEXT NOT NULL,
        position INTEGER NOT NULL,
        digest TEXT NOT NULL,
        body TEXT NOT NULL,
        PRIMARY KEY (stream, program)
      ) STRICT`),
  // With the id first, time-ordered ids of all streams lie on one page at the end, so that an append writes one page less a stream.
  (db) =>
    db.exec(`
      CREATE UNIQUE INDEX journal_entries_ids ON journal_entries (id, stream);
      DROP INDEX journal_entries_id`),
];
