import type { SqliteDb } from '@warrant/core/sqlite';

/** Layer name in the file's table of versions, and prefix of its tables. */
export const LAYER = 'memory';

/** The text index cuts at blanks only, since words were cut and folded before: for it, all beyond ASCII is letters. */
const TEXT_INDEX = `fts5(own, context, content = '', tokenize = "porter ascii tokenchars '_'")`;

/**
 * A row holds what differs from the usual in `extra`, ids as 16 bytes, times as milliseconds, and nothing for a time
 * that never comes or is the usual one. The text index holds no copy of the texts: what has to be taken out of it is cut
 * from the row again, and stands in `words` where another version of Node might cut otherwise. `fold` stands where it is not the key itself.
 */
export const STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`
      CREATE TABLE memory_records (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        id ANY NOT NULL UNIQUE,
        key TEXT NOT NULL,
        fold TEXT,
        origin INTEGER NOT NULL,
        agent TEXT NOT NULL,
        subject TEXT,
        grouping INTEGER,
        recorded_at INTEGER NOT NULL,
        valid_from INTEGER,
        valid_to INTEGER,
        closed_at INTEGER,
        expires_at INTEGER,
        archived INTEGER NOT NULL,
        disputed INTEGER NOT NULL,
        confidence REAL NOT NULL,
        retrievals INTEGER NOT NULL,
        last_retrieved INTEGER,
        audit ANY NOT NULL,
        value TEXT NOT NULL,
        extra TEXT,
        words TEXT
      ) STRICT;
      CREATE INDEX memory_records_fold ON memory_records (coalesce(fold, key));
      CREATE INDEX memory_records_subject ON memory_records (subject) WHERE subject IS NOT NULL;
      CREATE INDEX memory_records_grouping ON memory_records (grouping) WHERE grouping IS NOT NULL;
      CREATE TABLE memory_groupings (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE
      ) STRICT;
      CREATE TABLE memory_counters (
        name TEXT PRIMARY KEY,
        value INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE memory_conflicts (
        seq INTEGER PRIMARY KEY,
        id ANY NOT NULL UNIQUE,
        type TEXT NOT NULL,
        earlier ANY NOT NULL,
        later ANY NOT NULL,
        state TEXT NOT NULL,
        kept ANY
      ) STRICT;
      CREATE INDEX memory_conflicts_earlier ON memory_conflicts (earlier);
      CREATE INDEX memory_conflicts_later ON memory_conflicts (later);
      CREATE INDEX memory_conflicts_open ON memory_conflicts (state) WHERE state = 'open';
      CREATE TABLE memory_handed (
        seq INTEGER PRIMARY KEY,
        session TEXT NOT NULL,
        record INTEGER NOT NULL,
        UNIQUE (session, record)
      ) STRICT;
      CREATE INDEX memory_handed_record ON memory_handed (record);
      CREATE TABLE memory_entities (
        entity TEXT NOT NULL,
        record INTEGER NOT NULL,
        PRIMARY KEY (entity, record)
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE memory_vectors (
        record INTEGER PRIMARY KEY,
        vector BLOB NOT NULL
      ) STRICT;
      CREATE VIRTUAL TABLE memory_text USING ${TEXT_INDEX};
      INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1);
      CREATE VIRTUAL TABLE memory_text_terms USING fts5vocab(memory_text, row);
      CREATE VIRTUAL TABLE memory_text_places USING fts5vocab(memory_text, instance)`),
  // Revisions of keys, which are made from their rows now.
  (db) => db.exec('DROP TABLE IF EXISTS memory_keys'),
];
