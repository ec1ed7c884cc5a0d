import type { SqliteDb } from '@warrant/core/sqlite';

/** Layer name in the file's table of versions, and prefix of its tables. */
export const LAYER = 'memory';

/**
 * Rows hold times as milliseconds, open ends as the largest whole number. The text index keeps its own copy of the words:
 * taking a row out must not depend on how this version of Node cuts words.
 */
export const STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`
      CREATE TABLE memory_records (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        key TEXT NOT NULL,
        fold TEXT NOT NULL,
        subject TEXT,
        neighbours TEXT,
        valid_from INTEGER NOT NULL,
        valid_to INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL,
        closed_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        archived INTEGER NOT NULL,
        confidence REAL NOT NULL,
        retrievals INTEGER NOT NULL,
        last_retrieved INTEGER,
        body TEXT NOT NULL
      ) STRICT;
      CREATE INDEX memory_records_fold ON memory_records (fold);
      CREATE INDEX memory_records_subject ON memory_records (subject) WHERE subject IS NOT NULL;
      CREATE INDEX memory_records_neighbours ON memory_records (neighbours, seq) WHERE neighbours IS NOT NULL;
      CREATE TABLE memory_keys (
        fold TEXT PRIMARY KEY,
        revision INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE memory_conflicts (
        seq INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        type TEXT NOT NULL,
        earlier TEXT NOT NULL,
        later TEXT NOT NULL,
        state TEXT NOT NULL,
        kept TEXT
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
      CREATE INDEX memory_entities_record ON memory_entities (record);
      CREATE TABLE memory_vectors (
        record INTEGER PRIMARY KEY,
        vector BLOB NOT NULL
      ) STRICT;
      CREATE VIRTUAL TABLE memory_text USING fts5(
        own, context,
        tokenize = "porter unicode61 remove_diacritics 0 categories 'L* N* Co Mn Mc Pc'"
      );
      INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1)`),
  (db) =>
    db.exec(`
      CREATE TABLE memory_counters (
        name TEXT PRIMARY KEY,
        value INTEGER NOT NULL,
        at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID`),
];
