import type { Appended } from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { appendedOf } from '../cursor.ts';
import { type AppendPlan, decideAppend, type Expected } from '../decide-append.ts';
import { chainEntries, GENESIS, type Prepared, type Row } from '../row.ts';
import type { Lineage } from '../store.ts';
import { HeadCache, type OpenHeads } from './head-cache.ts';
import { knownRows } from './known-rows.ts';
import { bytesOf, insertRows, type PlacedRow } from './rows.ts';

type AppendOptions = { readonly expected: Expected; readonly time: number };
type Waiting = {
  readonly stream: string;
  readonly entries: readonly Prepared[];
  readonly options: AppendOptions;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
};
/** Rows `from` to `to` of the batch, whose cursor is known once they are in. */
type Placed = { readonly type: 'placed'; readonly from: number; readonly to: number; readonly skipped: Skipped };
type Skipped = Extract<AppendPlan, { type: 'append' }>['skipped'];
type Outcome = Placed | Exclude<Appended, { type: 'appended' }> | { readonly type: 'failed'; readonly error: unknown };

const MOVE = 'UPDATE journal_streams SET position = ?, digest = ? WHERE key = ?';
const NONE: ReadonlyMap<string, Row> = new Map();
const START = { position: 0, digest: GENESIS };
const queues = new WeakMap<SqliteFile<SqliteDb>, AppendQueue>();

/** The one queue of an open file: journals that share the file must share what is known of its heads. */
export function appendQueueOf(file: SqliteFile<SqliteDb>): AppendQueue {
  const known = queues.get(file);
  if (known !== undefined) return known;
  const queue = new AppendQueue(file);
  queues.set(file, queue);
  return queue;
}

/** Gathers appends of one turn of the event loop into one transaction and as few statements as will do. */
class AppendQueue {
  readonly #file: SqliteFile<SqliteDb>;
  readonly #heads: HeadCache;
  #waiting: Waiting[] = [];

  constructor(file: SqliteFile<SqliteDb>) {
    this.#file = file;
    this.#heads = new HeadCache(file);
  }

  append(stream: string, entries: readonly Prepared[], options: AppendOptions): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ stream, entries, options, resolve, reject });
      if (this.#waiting.length === 1) void this.#commit();
    });
  }

  async #commit(): Promise<void> {
    let taken: readonly Waiting[] = [];
    const take = (): readonly Waiting[] => {
      const all = this.#waiting;
      this.#waiting = [];
      return all;
    };
    try {
      const batch = await this.#file.writeSoon((db) => {
        taken = take();
        return new Batch(db, this.#heads.begin(db), taken);
      });
      this.#heads.keep(batch.heads);
      batch.settle();
    } catch (error) {
      // Nothing was committed; a transaction that could not even begin took nobody from the queue.
      for (const one of taken.length > 0 ? taken : take()) one.reject(error);
    }
  }
}

/** Appends inside one transaction. Whatever may refuse one of them does so before its first change. */
class Batch {
  readonly heads: OpenHeads;
  readonly #db: SqliteDb;
  readonly #appends: readonly Waiting[];
  readonly #outcomes: readonly Outcome[];
  readonly #rows: PlacedRow[] = [];
  /** Ids of rows that are not in the file yet, by stream. */
  readonly #unwritten = new Map<string, Set<string>>();
  readonly #moved = new Map<string, Lineage>();
  #written = 0;
  #lastSeq = 0;

  constructor(db: SqliteDb, heads: OpenHeads, appends: readonly Waiting[]) {
    this.#db = db;
    this.heads = heads;
    this.#appends = appends;
    this.#outcomes = appends.map((one) => this.#place(one));
    this.#write();
    for (const { row } of this.#moved.values()) {
      const { key, position, digest } = row;
      db.run(MOVE, position, bytesOf(digest), key);
    }
  }

  /** Tells the callers. To be called once all is committed. */
  settle(): void {
    this.#appends.forEach(({ resolve, reject }, index) => {
      const outcome = this.#outcomes[index] as Outcome;
      if (outcome.type === 'failed') reject(outcome.error);
      else resolve(outcome.type === 'placed' ? this.#appended(outcome) : outcome);
    });
  }

  #place({ stream, entries, options }: Waiting): Outcome {
    const head = this.heads.of(stream);
    const ids = entries.map((entry) => entry.id);
    const known = head === undefined ? NONE : this.#known(head, ids);
    const { position, digest } = head?.row ?? START;
    let plan: AppendPlan;
    try {
      plan = decideAppend(entries, known, position, options.expected);
    } catch (error) {
      return { type: 'failed', error };
    }
    if (plan.type !== 'append') return plan;
    const rows = chainEntries(plan.fresh, { stream, position, digest, time: options.time });
    const next = this.heads.move(stream, head, rows[rows.length - 1] as Row, ids);
    if (head !== undefined) this.#moved.set(stream, next);
    const from = this.#rows.length;
    for (const row of rows) this.#rows.push({ key: next.row.key, row });
    this.#wait(stream, ids);
    return { type: 'placed', from, to: this.#rows.length, skipped: plan.skipped };
  }

  #known(head: Lineage, ids: readonly string[]): ReadonlyMap<string, Row> {
    if (this.heads.areAfterAll(ids)) return NONE;
    // What waits to be written is found by no query.
    const waiting = this.#unwritten.get(head.row.stream);
    if (waiting !== undefined && ids.some((id) => waiting.has(id))) this.#write();
    return knownRows(this.#db, head, ids);
  }

  #wait(stream: string, ids: readonly string[]): void {
    const waiting = this.#unwritten.get(stream);
    if (waiting === undefined) this.#unwritten.set(stream, new Set(ids));
    else for (const id of ids) waiting.add(id);
  }

  #write(): void {
    if (this.#written < this.#rows.length) this.#lastSeq = insertRows(this.#db, this.#rows, this.#written);
    this.#written = this.#rows.length;
    this.#unwritten.clear();
  }

  #appended({ from, to, skipped }: Placed): Appended {
    const rows = this.#rows.slice(from, to).map(({ row }) => row);
    // Rows of one transaction are numbered without a gap.
    return appendedOf(rows, String(this.#lastSeq - (this.#rows.length - to)), skipped);
  }
}
