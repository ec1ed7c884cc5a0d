import { type Clock, type Entry, isoTime, systemClock, type Trust } from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { joinTrust, MOST_LISTED } from '../labels/seen-memory.ts';
import { isMode, type Mode } from '../mode.ts';
import type { SessionState } from '../session-state.ts';
import {
  CLAUDE_STREAM,
  type KeptSession,
  keyOf,
  type SeenHashes,
  type SessionStore,
  type Told,
} from '../session-store.ts';

export type SqliteSessionStoreOptions = {
  /** Hands what is in the file's outbox to the journal; called after each event that left records. */
  readonly drain?: () => Promise<unknown>;
  /** Dates sessions, for those that are forgotten. @default systemClock */
  readonly clock?: Clock;
  /** Days after which a session that nothing happened in is forgotten; its records stay. @default 30 */
  readonly keepDays?: number;
};

const STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`CREATE TABLE claude_sessions (
      name TEXT PRIMARY KEY,
      session TEXT NOT NULL,
      agent TEXT,
      state TEXT NOT NULL,
      at TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE claude_events (id TEXT PRIMARY KEY, session TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX claude_events_session ON claude_events (session);
    CREATE TABLE claude_seen (
      seq INTEGER PRIMARY KEY,
      session TEXT NOT NULL,
      trust TEXT NOT NULL,
      hashes BLOB NOT NULL
    ) STRICT;
    CREATE INDEX claude_seen_session ON claude_seen (session, trust);
    CREATE TABLE claude_contents (id TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`),
  (db) =>
    db.exec(`ALTER TABLE claude_events ADD COLUMN content TEXT NOT NULL DEFAULT '';
    ALTER TABLE claude_events ADD COLUMN mode TEXT NOT NULL DEFAULT 'enforce';
    ALTER TABLE claude_events ADD COLUMN sources TEXT NOT NULL DEFAULT '[]'`),
];

const LOAD = 'SELECT state FROM claude_sessions WHERE name = ?';
const KNOWS = 'SELECT content, mode, sources FROM claude_events WHERE id = ?';
const SAVE = `INSERT INTO claude_sessions (name, session, agent, state, at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET state = excluded.state, at = excluded.at`;
const TELL = `INSERT INTO claude_events (id, session, content, mode, sources) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET content = excluded.content, mode = excluded.mode, sources = excluded.sources`;
const SEE = 'INSERT INTO claude_seen (session, trust, hashes) VALUES (?, ?, ?)';
const SEEN = 'SELECT trust, hashes FROM claude_seen WHERE session = ? ORDER BY seq';
const LISTED =
  'SELECT sum(length(hashes)) AS bytes FROM claude_seen WHERE session = ? AND trust = ? AND length(hashes) % 8 = 0';
const FORGET = 'DELETE FROM claude_seen WHERE session = ? AND trust = ?';
const SENT = 'INSERT INTO claude_contents (id) VALUES (?) ON CONFLICT DO NOTHING';
const HELD = 'SELECT 1 FROM claude_contents WHERE id = ?';
const OLD = 'SELECT DISTINCT session FROM claude_sessions GROUP BY session HAVING max(at) < ?';
const DAY_MS = 86_400_000;

/**
 * Sessions in a database file, for any number of hook processes: an event, its state and its records are one
 * transaction. The file stays its opener's to close.
 */
export function createSqliteSessionStore(
  file: SqliteFile<SqliteDb>,
  options: SqliteSessionStoreOptions = {},
): SessionStore {
  file.migrate('claude', STEPS);
  const clock = options.clock ?? systemClock;
  const keepMs = (options.keepDays ?? 30) * DAY_MS;
  return {
    load: async (key) => file.read((db) => load(db, keyOf(key))),
    look: async (question) =>
      file.read<unknown>((db) => question((event) => toldIn(db, event))) as ReturnType<typeof question>,
    update: async (key, step) => {
      const name = keyOf(key);
      const done = file.write<unknown>((db, outbox) => {
        const made = step(load(db, name), (event) => toldIn(db, event));
        if (made.type === 'known') {
          if (made.told !== undefined) tell(db, key.session, made.told.event, made.told.as);
          return made;
        }
        const now = isoTime(clock);
        if (load(db, name) === null) forgetOld(db, isoTime({ now: () => clock.now() - keepMs }));
        tell(db, key.session, made.event, made.told);
        db.run(SAVE, name, key.session, key.agent, JSON.stringify(made.state), now);
        keepSeen(db, key.session, made.seen ?? {});
        for (const entry of made.records) if (isNew(db, entry)) outbox(CLAUDE_STREAM, entry);
        return made;
      }) as ReturnType<typeof step>;
      if (done.type === 'known') return done;
      if (done.records.length > 0) await options.drain?.();
      return { type: 'done', value: done.value };
    },
    seen: async (session) => file.read<unknown>((db) => loadSeen(db, session)) as SeenHashes,
    holds: async (content) => file.read((db) => db.get(HELD, content) !== undefined),
    sessions: async () => file.read<unknown>(list) as readonly KeptSession[],
  };
}

function toldIn(db: SqliteDb, event: string): Told | null {
  const row = db.get<{ readonly content: string; readonly mode: Mode; readonly sources: string }>(KNOWS, event);
  if (row === undefined) return null;
  const sources = parsed(row.sources);
  // Who answered, and how, is damaged: then nobody did, and whoever refuses more does so now.
  const whole = Array.isArray(sources) && isMode(row.mode);
  return whole ? { ...row, sources: sources as readonly string[] } : { ...row, sources: [], mode: 'observe' };
}

function tell(db: SqliteDb, session: string, event: string, { content, mode, sources }: Told): void {
  db.run(TELL, event, session, content, mode, JSON.stringify(sources));
}

function load(db: SqliteDb, name: string): SessionState | null {
  const row = db.get<{ readonly state: string }>(LOAD, name);
  return row === undefined ? null : stateIn(row.state);
}

/** Looked at by whoever goes on from it: what is no JSON is no session. */
function stateIn(text: string): SessionState {
  return (parsed(text) ?? {}) as SessionState;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function list(db: SqliteDb): readonly KeptSession[] {
  return db
    .all<{ session: string; agent: string | null; state: string; at: string }>(
      'SELECT session, agent, state, at FROM claude_sessions ORDER BY at DESC, name',
    )
    .map(({ session, agent, state, at }) => ({ session, agent, at, state: stateIn(state) }));
}

/** Content stands in the record once, under its digest; what else is told has an id of its own. */
function isNew(db: SqliteDb, { id }: Entry): boolean {
  return !id.startsWith('sha256:') || db.run(SENT, id).changes === 1;
}

function keepSeen(db: SqliteDb, session: string, seen: SeenHashes): void {
  for (const [trust, hashes] of Object.entries(seen) as [Trust, Uint8Array][]) {
    if (hashes.length === 0) continue;
    db.run(SEE, session, trust, Buffer.from(hashes));
    const listed = db.get<{ readonly bytes: number | null }>(LISTED, session, trust)?.bytes ?? 0;
    if (listed <= MOST_LISTED) continue;
    // Looked at before each call: what became long is made short once.
    const joined = loadSeen(db, session)[trust] ?? new Uint8Array();
    db.run(FORGET, session, trust);
    db.run(SEE, session, trust, Buffer.from(joined));
  }
}

function loadSeen(db: SqliteDb, session: string): SeenHashes {
  const rows: { [trust in Trust]?: Uint8Array[] } = {};
  for (const { trust, hashes } of db.all<{ readonly trust: Trust; readonly hashes: Uint8Array }>(SEEN, session)) {
    const list = rows[trust] ?? [];
    list.push(hashes);
    rows[trust] = list;
  }
  const joined = (Object.entries(rows) as [Trust, Uint8Array[]][]).map(
    // Only the first may be more than hashes: it was made when the others were not yet there.
    ([trust, [first = new Uint8Array(), ...rest]]) => [trust, joinTrust(trust, first, Buffer.concat(rest))] as const,
  );
  return Object.fromEntries(joined) as SeenHashes;
}

/** A new session is the time to forget those that nobody came back to. */
function forgetOld(db: SqliteDb, before: string): void {
  for (const { session } of db.all<{ readonly session: string }>(OLD, before)) {
    for (const table of ['claude_sessions', 'claude_events', 'claude_seen']) {
      db.run(`DELETE FROM ${table} WHERE session = ?`, session);
    }
  }
}
