import { canonicalJson } from '../canonical.ts';
import { type Clock, systemClock } from '../clock.ts';
import {
  admitQuestion,
  checkSame,
  copy,
  decideConsumption,
  FORGET_EVERY,
  findKnown,
  type InboxRecord,
  isPending,
  judgeAnswer,
  KEEP_SETTLED,
} from '../inbox/rules.ts';
import { createWaiters } from '../inbox/waiting.ts';
import type { Json } from '../json.ts';
import type { Answer, Inbox, Question } from '../people.ts';
import { systemTimer, type Timer } from '../timer.ts';
import type { SqliteDb } from './database.ts';
import type { SqliteFile } from './file.ts';

export type SqliteInboxOptions = {
  /** Decides what has expired. @default systemClock */
  readonly clock?: Clock;
  /** Wakes who waits. @default systemTimer */
  readonly timer?: Timer;
  /** How often, while someone waits, the file is asked whether another process changed it; milliseconds. @default 200 */
  readonly pollMs?: number;
  /** Settled questions are forgotten once so many later ones were asked. @default 10000 */
  readonly keepSettled?: number;
};

const STEPS: readonly ((db: SqliteDb) => void)[] = [
  (db) =>
    db.exec(`CREATE TABLE inbox_questions (
      seq INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      subject TEXT NOT NULL,
      kind TEXT NOT NULL,
      vote_group TEXT,
      question TEXT NOT NULL,
      answer TEXT,
      answered_by TEXT,
      withdrawn TEXT,
      consumed_by TEXT
    ) STRICT;
    CREATE INDEX inbox_by_subject ON inbox_questions (subject);
    CREATE INDEX inbox_open ON inbox_questions (seq) WHERE answer IS NULL AND withdrawn IS NULL;
    CREATE UNIQUE INDEX inbox_one_vote ON inbox_questions (vote_group, answered_by)
      WHERE vote_group IS NOT NULL AND answered_by IS NOT NULL`),
  (db) => db.exec('ALTER TABLE inbox_questions ADD COLUMN seen_at INTEGER'),
];

const COLUMNS = 'question, answer, withdrawn, consumed_by AS consumedBy, seen_at AS seenAt';
const BY_ID = `SELECT ${COLUMNS} FROM inbox_questions WHERE id = ?`;
const BY_SUBJECT = `SELECT ${COLUMNS} FROM inbox_questions WHERE subject = ? ORDER BY seq`;
const OPEN = `SELECT ${COLUMNS} FROM inbox_questions WHERE answer IS NULL AND withdrawn IS NULL ORDER BY seq`;
const VOTED = 'SELECT 1 FROM inbox_questions WHERE vote_group = ? AND answered_by = ?';
const INSERT =
  'INSERT INTO inbox_questions (id, subject, kind, vote_group, question, seen_at) VALUES (?, ?, ?, ?, ?, ?)';
const ANSWER =
  'UPDATE inbox_questions SET answer = ?, answered_by = ?, seen_at = max(?, coalesce(seen_at, 0)) WHERE id = ?';
const WITHDRAW = 'UPDATE inbox_questions SET withdrawn = ? WHERE id = ?';
const CONSUME = 'UPDATE inbox_questions SET consumed_by = ? WHERE id = ?';

// The same rule as `isSettled`, for all that is old enough.
const RAN_OUT = (question: string): string =>
  `coalesce(unixepoch(json_extract(${question}.question, '$.expiresAt'), 'subsec') <= ?, 0)`;
const FORGET = `DELETE FROM inbox_questions AS q WHERE q.seq <= ? AND CASE WHEN q.vote_group IS NULL
    THEN q.consumed_by IS NOT NULL OR q.withdrawn IS NOT NULL OR ${RAN_OUT('q')}
    ELSE NOT EXISTS (SELECT 1 FROM inbox_questions o WHERE o.answer IS NULL AND o.withdrawn IS NULL
      AND o.vote_group = q.vote_group AND NOT ${RAN_OUT('o')}) END`;

type Row = {
  readonly question: string;
  readonly answer: string | null;
  readonly withdrawn: string | null;
  readonly consumedBy: string | null;
  readonly seenAt: number | null;
};

/** An inbox in a database file: asked in one process, answered in another, used once among all. The file stays its opener's to close. */
export function createSqliteInbox(file: SqliteFile<SqliteDb>, options: SqliteInboxOptions = {}): Inbox {
  file.migrate('inbox', STEPS);
  const { clock = systemClock, keepSettled = KEEP_SETTLED } = options;
  const timer = options.timer ?? systemTimer;
  const poll = createPoll(file, timer, options.pollMs ?? 200);
  const waiters = createWaiters((id) => file.read((db) => byId(db, id)), { clock, timer, changed: () => poll.run() });
  poll.watch(waiters);
  const write = <T>(work: (db: SqliteDb) => T): T => {
    const value = file.write<unknown>(work as (db: SqliteDb) => unknown) as T;
    waiters.wake();
    return value;
  };
  return {
    ask: async (asked, cancel) => {
      cancel?.signal?.throwIfAborted();
      const question = admitQuestion(asked);
      return write((db) => ask(db, question, { now: clock.now(), keepSettled }));
    },
    pending: async (filter) => {
      filter?.signal?.throwIfAborted();
      return file
        .read((db) => db.all<Row>(OPEN).map(toRecord))
        .filter((record) => isPending(record, clock.now()))
        .map((record) => record.question)
        .filter((question) => filter?.kind === undefined || question.kind === filter.kind);
    },
    answer: async (given) => {
      const answer = copy(given);
      return write((db) => ({ type: putAnswer(db, answer, clock.now()) }));
    },
    wait: (id, cancel) => waiters.wait(id, cancel?.signal),
    withdraw: async (id, reason) =>
      write((db) => {
        const record = byId(db, id);
        if (record === undefined) return { type: 'unknown' as const };
        if (record.answer !== null) return { type: 'already-answered' as const };
        if (record.withdrawn === null) db.run(WITHDRAW, reason, id);
        return { type: 'withdrawn' as const };
      }),
    consume: async (subject, { by }) => {
      const decide = (db: SqliteDb): ReturnType<typeof decideConsumption> =>
        decideConsumption(db.all<Row>(BY_SUBJECT, subject).map(toRecord), by, clock.now());
      // Most calls have nothing to use: they need no lock.
      const seen = file.read<unknown>(decide) as ReturnType<typeof decide>;
      if (seen.type !== 'consumed') return seen;
      if (!seen.first) return { type: 'consumed', answer: seen.answer };
      return write((db) => {
        const decided = decide(db);
        if (decided.type !== 'consumed') return decided;
        if (decided.first) db.run(CONSUME, by, decided.record.question.id);
        return { type: 'consumed' as const, answer: decided.answer };
      });
    },
  };
}

function ask(
  db: SqliteDb,
  question: Question,
  { now, keepSettled }: { readonly now: number; readonly keepSettled: number },
): Awaited<ReturnType<Inbox['ask']>> {
  const known =
    byId(db, question.id) ?? findKnown(db.all<Row>(BY_SUBJECT, question.subject).map(toRecord), question, now);
  if (known !== undefined) {
    checkSame(known, question);
    return { type: 'known', question: known.question };
  }
  const { id, subject, kind, group } = question;
  const asked = Number(
    db.run(INSERT, id, subject, kind, group ?? null, canonicalJson(question as Json), Math.floor(now)).lastInsertRowid,
  );
  if (asked % Math.min(FORGET_EVERY, keepSettled) === 0) db.run(FORGET, asked - keepSettled, now / 1000, now / 1000);
  return { type: 'asked', question };
}

function putAnswer(db: SqliteDb, answer: Answer, now: number): Awaited<ReturnType<Inbox['answer']>>['type'] {
  const record = byId(db, answer.questionId);
  const group = record?.question.group;
  const voted = group !== undefined && db.get(VOTED, group, answer.answeredBy) !== undefined;
  const type = judgeAnswer(record, answer, { now, voted });
  if (type === 'answered')
    db.run(ANSWER, canonicalJson(answer as Json), answer.answeredBy, Math.floor(now), answer.questionId);
  return type;
}

function byId(db: SqliteDb, id: string): InboxRecord | undefined {
  const row = db.get<Row>(BY_ID, id);
  return row === undefined ? undefined : toRecord(row);
}

function toRecord(row: Row): InboxRecord {
  return {
    question: JSON.parse(row.question) as Question,
    answer: row.answer === null ? null : (JSON.parse(row.answer) as Answer),
    withdrawn: row.withdrawn,
    consumedBy: row.consumedBy,
    seenAt: row.seenAt,
  };
}

type Watched = { wake(): void; count(): number };

/** Asks the file for its version, and only while someone waits: a read of the version costs microseconds. */
function createPoll(
  file: SqliteFile<SqliteDb>,
  timer: Timer,
  everyMs: number,
): { watch(waiters: Watched): void; run(): void } {
  let watched: Watched | undefined;
  let cancel: (() => void) | undefined;
  let version = -1;
  const tick = (): void => {
    cancel = undefined;
    if (watched === undefined || watched.count() === 0) return;
    if (moved()) watched.wake();
    run();
  };
  const moved = (): boolean => {
    try {
      const now = file.dataVersion();
      const changed = now !== version;
      version = now;
      return changed;
    } catch {
      // A closed or vanished file: looking again tells those who wait why.
      return true;
    }
  };
  const run = (): void => {
    if ((watched?.count() ?? 0) === 0) {
      cancel?.();
      cancel = undefined;
    } else cancel ??= timer.after(everyMs, tick);
  };
  return {
    watch: (waiters) => {
      watched = waiters;
    },
    run,
  };
}
