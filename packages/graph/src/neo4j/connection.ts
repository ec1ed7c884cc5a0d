import { systemClock, systemTimer, type Timer } from '@warrant/core';
import neo4j, { type Driver, type Record as Neo4jRecord, type Session } from 'neo4j-driver';
import { isDriversError, isUnsure, neo4jError, strangeAnswer, toGraphError } from './errors.ts';
import type { Neo4jTarget } from './settings.ts';

type Parameters = Readonly<Record<string, unknown>>;
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
      retrying(link, signal, (elapsed) =>
        statementOnce(link, { mode: 'READ', ms: left(link, ms, elapsed), signal }, statement, parameters),
      ),
    write: (work, how) =>
      retrying(link, how?.signal, (elapsed) => transactionOnce(link, work, { elapsed, signal: how?.signal })),
    execute: (statement, parameters = {}) =>
      retrying(link, undefined, () =>
        statementOnce(link, { mode: 'WRITE', ms: settings.statementMs }, statement, parameters),
      ),
    close: () => driver.close(),
  };
}

async function retrying<T>(
  link: Link,
  signal: AbortSignal | undefined,
  attempt: (elapsedMs: number) => Promise<T>,
): Promise<T> {
  const { retryMs, timer = systemTimer } = link.settings;
  const start = systemClock.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    signal?.throwIfAborted();
    try {
      return await attempt(systemClock.now() - start);
    } catch (thrown) {
      const error = toGraphError(thrown, link.target.url);
      const { retryable, code } = error as { readonly retryable?: boolean; readonly code?: string };
      if (code === 'GRAPH_OUTCOME_UNKNOWN') throw error;
      signal?.throwIfAborted();
      const isOver = systemClock.now() - start + pause > retryMs;
      if (retryable !== true || isOver) throw error;
      await pauseFor(pause, timer, signal);
    }
  }
}

/** Ends early when the call is aborted. */
async function pauseFor(ms: number, timer: Timer, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    let cancel = (): void => undefined;
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    cancel = timer.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}

/** What an attempt may take, so that all of them together take no longer than one, or than the budget where that is more. */
function left({ settings }: Link, ms: number, elapsed: number): number {
  // The clock of a machine may go back.
  return Math.min(Math.max(Math.max(ms, settings.retryMs) - elapsed, 1), ms);
}

type Scope = {
  readonly session: Session;
  /** The answer, unless it does not come in time or the call is aborted first. */
  readonly answer: <T>(ms: number, pending: PromiseLike<T>) => Promise<T>;
  /** From here on the call cannot be aborted. */
  readonly hold: () => void;
};

/** An aborted call ends at once; its session is closed, which makes the server stop what it does for it. */
async function inSession<T>(
  { driver, target, settings }: Link,
  { mode, signal }: { readonly mode: 'READ' | 'WRITE' } & Cancelled,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  const { database, url } = target;
  const session = driver.session({ defaultAccessMode: mode, ...(database === undefined ? {} : { database }) });
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => undefined);
  const abort = (): void => fail(signal?.reason);
  const hold = (): void => signal?.removeEventListener('abort', abort);
  signal?.addEventListener('abort', abort, { once: true });
  const expire = (ms: number) => (): void =>
    fail(neo4jError('GRAPH_UNREACHABLE', `the server at ${url} gave no answer within ${ms} ms`, { data: { ms, url } }));
  const answer: Scope['answer'] = async (ms, pending) => {
    const cancel = (settings.timer ?? systemTimer).after(ms, expire(ms));
    try {
      return await Promise.race([spoken(pending, url), failed]);
    } finally {
      cancel();
    }
  };
  try {
    return await work({ session, answer, hold });
  } finally {
    hold();
    // Not waited for: a server that does not answer does not answer to this either.
    session.close().catch(() => undefined);
  }
}

/** What the driver itself stumbles over, which is none of its own errors, was said by something else than a server. */
async function spoken<T>(pending: PromiseLike<T>, url: string): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    throw isDriversError(error) ? error : strangeAnswer(url, error);
  }
}

function statementOnce(
  link: Link,
  how: { readonly mode: 'READ' | 'WRITE'; readonly ms: number } & Cancelled,
  statement: string,
  parameters: Parameters,
): Promise<Rows> {
  return inSession(link, how, async ({ session, answer }) => {
    const { records } = await answer(how.ms, session.run(statement, parameters));
    return records;
  });
}

function transactionOnce<T>(
  link: Link,
  work: (tx: Tx) => Promise<Settled<T>>,
  { elapsed, signal }: { readonly elapsed: number } & Cancelled,
): Promise<T> {
  const { connectMs, statementMs } = link.settings;
  return inSession(link, { mode: 'WRITE', signal }, async ({ session, answer, hold }) => {
    const transaction = await answer(left(link, connectMs, elapsed), session.beginTransaction());
    const run: Tx['run'] = async (statement, parameters) => {
      const { records } = await answer(statementMs, transaction.run(statement, parameters));
      return records;
    };
    const { commit, value } = await work({ run });
    signal?.throwIfAborted();
    hold();
    if (!commit) await answer(statementMs, transaction.rollback());
    else await answer(statementMs, transaction.commit()).catch(rethrowCommit);
    return value;
  });
}

function rethrowCommit(cause: unknown): never {
  if (!isUnsure(cause)) throw cause;
  const message =
    'the connection was lost during the commit: apply the batch again under the same id, which is harmless';
  throw neo4jError('GRAPH_OUTCOME_UNKNOWN', message, { cause });
}
