import { systemClock, systemTimer, type Timer } from '@warrant/core';
import neo4j, { type Driver, type Record as Neo4jRecord, type Session } from 'neo4j-driver';
import { isUnsure, neo4jError, toGraphError } from './errors.ts';
import type { Neo4jTarget } from './settings.ts';

export type Parameters = Readonly<Record<string, unknown>>;
export type Rows = readonly Neo4jRecord[];
/** One transaction; statements answer in the order in which they were sent. */
export type Tx = { readonly run: (statement: string, parameters?: Parameters) => Promise<Rows> };
/** What a transaction leaves behind: committed or rolled back, and the value for its caller. */
export type Settled<T> = { readonly commit: boolean; readonly value: T };

/** Calls to one database. Every failure is a typed error; what is certain not to have happened is tried again within the budget. */
export type Connection = {
  /** One statement in READ access mode, answered within `ms`. */
  readonly read: (statement: string, parameters: Parameters, how: { readonly ms: number } & Cancelled) => Promise<Rows>;
  /** One transaction in WRITE access mode; `work` may run more than once, never after a commit. */
  readonly write: <T>(work: (tx: Tx) => Promise<Settled<T>>, how?: Cancelled) => Promise<T>;
  /** One statement in WRITE access mode that is a transaction by itself. */
  readonly execute: (statement: string, parameters?: Parameters) => Promise<Rows>;
  readonly close: () => Promise<void>;
};
type Cancelled = { readonly signal?: AbortSignal | undefined };
export type ConnectionSettings = {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly retryMs: number;
  readonly maxConnections: number;
  readonly timer?: Timer;
};
type Link = { readonly driver: Driver; readonly target: Neo4jTarget; readonly settings: ConnectionSettings };

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 800;

/** Makes no connection yet. @throws GRAPH_INVALID */
export function openConnection(target: Neo4jTarget, settings: ConnectionSettings): Connection {
  const { connectMs, maxConnections } = settings;
  const auth =
    target.password === undefined || target.password === ''
      ? undefined
      : neo4j.auth.basic(target.user, target.password);
  const driver = neo4j.driver(target.url, auth, {
    disableLosslessIntegers: true,
    connectionTimeout: connectMs,
    connectionAcquisitionTimeout: connectMs,
    maxConnectionPoolSize: maxConnections,
    maxTransactionRetryTime: 0,
    telemetryDisabled: true,
    userAgent: 'warrant',
  });
  const link: Link = { driver, target, settings };
  return {
    read: (statement, parameters, { ms, signal }) =>
      retrying(link, signal, () => statementOnce(link, { mode: 'READ', ms, signal }, statement, parameters)),
    write: (work, how) => retrying(link, how?.signal, () => transactionOnce(link, work, how?.signal)),
    execute: (statement, parameters = {}) =>
      retrying(link, undefined, () =>
        statementOnce(link, { mode: 'WRITE', ms: settings.statementMs }, statement, parameters),
      ),
    close: () => driver.close(),
  };
}

async function retrying<T>(link: Link, signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
  const { retryMs, timer = systemTimer } = link.settings;
  const start = systemClock.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (thrown) {
      const error = toGraphError(thrown, link.target.url);
      const { retryable, code } = error as { readonly retryable?: boolean; readonly code?: string };
      if (code === 'GRAPH_OUTCOME_UNKNOWN') throw error;
      signal?.throwIfAborted();
      const isOver = systemClock.now() - start + pause > retryMs;
      if (retryable !== true || code === 'GRAPH_TIMEOUT' || isOver) throw error;
      await new Promise<void>((resolve) => timer.after(pause, resolve));
    }
  }
}

type Scope = {
  readonly session: Session;
  /** From here on the call cannot be aborted. */
  readonly hold: () => void;
};

/** An aborted call closes its session, which makes the server stop what it does for it. */
async function inSession<T>(
  { driver, target }: Link,
  { mode, signal }: { readonly mode: 'READ' | 'WRITE' } & Cancelled,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const { database } = target;
  const session = driver.session({ defaultAccessMode: mode, ...(database === undefined ? {} : { database }) });
  const stop = (): void => void session.close().catch(() => undefined);
  const hold = (): void => signal?.removeEventListener('abort', stop);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await work({ session, hold });
  } finally {
    hold();
    await session.close().catch(() => undefined);
  }
}

/** Gives up on an answer that does not come, and on the session with it. */
async function within<T>({ settings, target }: Link, ms: number, session: Session, answer: PromiseLike<T>): Promise<T> {
  let cancel = (): void => undefined;
  const expired = new Promise<never>((_, reject) => {
    cancel = (settings.timer ?? systemTimer).after(ms, () => {
      const data = { ms, url: target.url };
      reject(neo4jError('GRAPH_TIMEOUT', `the server gave no answer within ${ms} ms`, { data }));
      session.close().catch(() => undefined);
    });
  });
  try {
    return await Promise.race([answer, expired]);
  } finally {
    cancel();
  }
}

function statementOnce(
  link: Link,
  how: { readonly mode: 'READ' | 'WRITE'; readonly ms: number } & Cancelled,
  statement: string,
  parameters: Parameters,
): Promise<Rows> {
  return inSession(link, how, async ({ session }) => {
    const { records } = await within(link, how.ms, session, session.run(statement, parameters));
    return records;
  });
}

function transactionOnce<T>(
  link: Link,
  work: (tx: Tx) => Promise<Settled<T>>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const { statementMs } = link.settings;
  return inSession(link, { mode: 'WRITE', signal }, async ({ session, hold }) => {
    const transaction = await session.beginTransaction();
    const run: Tx['run'] = async (statement, parameters) => {
      signal?.throwIfAborted();
      const { records } = await within(link, statementMs, session, transaction.run(statement, parameters));
      return records;
    };
    const { commit, value } = await work({ run });
    signal?.throwIfAborted();
    hold();
    if (!commit) await within(link, statementMs, session, transaction.rollback());
    else await within(link, statementMs, session, transaction.commit()).catch(rethrowCommit);
    return value;
  });
}

function rethrowCommit(cause: unknown): never {
  if (!isUnsure(cause)) throw cause;
  const message =
    'the connection was lost during the commit: apply the batch again under the same id, which is harmless';
  throw neo4jError('GRAPH_OUTCOME_UNKNOWN', message, { cause });
}
