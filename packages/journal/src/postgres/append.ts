import type { Appended } from '@warrant/core';
import { sql } from 'kysely';
import { appendedOf } from '../cursor.ts';
import { type AppendPlan, decideAppend, type Expected } from '../decide-append.ts';
import { fault } from '../errors.ts';
import { chainEntries, GENESIS, type Prepared, type Row } from '../row.ts';
import type { Advance, Advanced, KnownHead } from './advance.ts';
import { isUniqueViolation, mapPostgresError } from './errors.ts';
import { knownRows, lineageByName, type Tables } from './rows.ts';
import type { Db } from './schema.ts';

type Options = { readonly expected: Expected; readonly time: number };
type Head = { readonly position: number; readonly digest: string };
const MAX_HEADS = 10_000;
/** Others were faster this often in a row: something is wrong with the clock of luck. */
const MAX_ATTEMPTS = 100;

/**
 * Appends to PostgreSQL. Writers of one process wait for one another within a stream; writers of different streams
 * never do. Where the head is known, one statement does it all. @internal
 */
export class PostgresAppender {
  readonly #db: Db;
  readonly #tables: Tables;
  readonly #schema: string;
  readonly #advance: Advance;
  /** Heads of root streams, as last written by this process. They may be old, which the statement finds out. */
  readonly #heads = new Map<string, Head>();
  readonly #queues = new Map<string, Promise<unknown>>();

  constructor(db: Db, tables: Tables, schema: string, advance: Advance) {
    this.#db = db;
    this.#tables = tables;
    this.#schema = schema;
    this.#advance = advance;
  }

  async append(stream: string, entries: readonly Prepared[], options: Options): Promise<Appended> {
    const before = this.#queues.get(stream) ?? Promise.resolve();
    const turn = before.then(() => this.#append(stream, entries, options));
    const quiet = turn.catch(() => undefined);
    this.#queues.set(stream, quiet);
    try {
      return await turn;
    } finally {
      if (this.#queues.get(stream) === quiet) this.#queues.delete(stream);
    }
  }

  async #append(stream: string, entries: readonly Prepared[], options: Options): Promise<Appended> {
    try {
      return (await this.#quick(stream, entries, options)) ?? (await this.#careful(stream, entries, options));
    } catch (error) {
      this.#heads.delete(stream);
      throw mapPostgresError(error, true);
    }
  }

  /** One statement on the remembered head. Undefined when that is not enough to tell. */
  async #quick(stream: string, entries: readonly Prepared[], options: Options): Promise<Appended | undefined> {
    const { expected } = options;
    const fresh = expected === 'none' || expected === 0 ? { position: 0, digest: GENESIS } : undefined;
    const head = this.#heads.get(stream) ?? fresh;
    if (head === undefined || entries.some((entry) => entry.erased === true)) return undefined;
    let plan: AppendPlan;
    try {
      plan = decideAppend(entries, new Map(), head.position, expected);
    } catch {
      // What the batch alone seems to break may look different beside the known entries.
      return undefined;
    }
    if (plan.type !== 'append') return undefined;
    const rows = chainEntries(plan.fresh, { stream, ...head, time: options.time });
    try {
      const from = { stream, ...head };
      return this.#appended(from, rows, plan, await this.#advance.alone(from, rows));
    } catch (error) {
      if (isUniqueViolation(error)) return undefined;
      throw error;
    }
  }

  /** Looks everything up under a lock of the stream, which is taken before the transaction gets its number. */
  async #careful(stream: string, entries: readonly Prepared[], options: Options): Promise<Appended> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const result = await this.#db.transaction().execute(async (transaction) => {
        const name = JSON.stringify([this.#schema, stream]);
        await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
        const lineage = await lineageByName(transaction, this.#tables, stream);
        const ids = entries.map((entry) => entry.id);
        const none: ReadonlyMap<string, Row> = new Map();
        const known = lineage === undefined ? none : await knownRows(transaction, this.#tables, lineage, ids);
        const head = lineage?.row ?? { position: 0, digest: GENESIS };
        const plan = decideAppend(entries, known, head.position, options.expected);
        if (plan.type !== 'append') return plan;
        const from = { stream, position: head.position, digest: head.digest };
        const rows = chainEntries(plan.fresh, { ...from, time: options.time });
        const isRoot = lineage?.row.parent === undefined;
        return this.#appended(from, rows, plan, await this.#advance.within(transaction, from, rows), isRoot);
      });
      if (result !== undefined) return result;
    }
    throw fault('JOURNAL_UNAVAILABLE', `stream ${stream}: other writers were faster ${MAX_ATTEMPTS} times`, { stream });
  }

  #appended(
    from: KnownHead,
    rows: readonly Omit<Row, 'cursor'>[],
    plan: Extract<AppendPlan, { type: 'append' }>,
    put: Advanced | undefined,
    remember = true,
  ): Appended | undefined {
    if (put === undefined) {
      this.#heads.delete(from.stream);
      return undefined;
    }
    const last = rows[rows.length - 1] as Omit<Row, 'cursor'>;
    if (remember) {
      if (this.#heads.size >= MAX_HEADS) this.#heads.clear();
      this.#heads.set(from.stream, { position: last.position, digest: last.digest });
    }
    return appendedOf(rows, `${put.tx}.${put.stream}.${last.position}`, plan.skipped);
  }
}
