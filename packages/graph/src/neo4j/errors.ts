import { isWarrantError, WarrantError } from '@warrant/core';

/** Codes that only the store in Neo4j throws. */
export type Neo4jGraphErrorCode =
  | 'GRAPH_UNREACHABLE'
  | 'GRAPH_UNAUTHORIZED'
  | 'GRAPH_BUSY'
  | 'GRAPH_TOO_LARGE'
  | 'GRAPH_READ_ONLY'
  | 'GRAPH_OUTCOME_UNKNOWN'
  | 'GRAPH_SERVER_FAILED'
  | 'GRAPH_SCHEMA_MISSING'
  | 'GRAPH_SCHEMA_NEWER'
  | 'GRAPH_STORE_CORRUPT';

const RETRYABLE: ReadonlySet<Neo4jGraphErrorCode> = new Set([
  'GRAPH_UNREACHABLE',
  'GRAPH_BUSY',
  'GRAPH_OUTCOME_UNKNOWN',
]);

/** An error of the store in Neo4j; whether it may go away by itself follows from its code. */
export function neo4jError(
  code: Neo4jGraphErrorCode,
  message: string,
  more: {
    readonly data?: Record<string, string | number>;
    readonly cause?: unknown;
    readonly retryable?: boolean;
  } = {},
): WarrantError<Neo4jGraphErrorCode> {
  const { data = {}, retryable = RETRYABLE.has(code) } = more;
  return new WarrantError(
    code,
    message,
    'cause' in more ? { data, retryable, cause: more.cause } : { data, retryable },
  );
}

/** Statuses by which a server says that a transaction took more memory than there is; all start with Neo.TransientError, yet none is. */
const OUT_OF_MEMORY: ReadonlySet<string> = new Set([
  'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
  'Neo.TransientError.General.TransactionMemoryLimit',
  'Neo.TransientError.General.OutOfMemoryError',
  'Neo.TransientError.General.TransactionOutOfMemoryError',
]);
const READ_ONLY: ReadonlySet<string> = new Set([
  'Neo.ClientError.Statement.AccessMode',
  'Neo.ClientError.General.ForbiddenOnReadOnlyDatabase',
  'Neo.ClientError.General.WriteOnReadOnlyAccessDatabase',
  'Neo.ClientError.Cluster.NotALeader',
]);
/** What the driver says when the connection is not there, as opposed to what a server answers. */
const LOST: ReadonlySet<string> = new Set(['ServiceUnavailable', 'SessionExpired']);

/** The status that a server gave, `Neo.<Class>.<Category>.<Title>`; undefined when no server spoke. */
function serverStatus(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.startsWith('Neo.') ? code : undefined;
}

/**
 * The typed error for what the driver threw. Messages of the server are left to `cause`: they quote properties.
 * Anything that is no driver's error is given back as it is.
 */
export function toGraphError(error: unknown, url: string): unknown {
  if (isWarrantError(error)) return error;
  const status = serverStatus(error);
  if (status !== undefined) return ofStatus(status, error);
  const code = (error as { code?: unknown } | null)?.code;
  if (!isDriversError(error)) return error;
  if (typeof code === 'string' && LOST.has(code)) {
    return neo4jError('GRAPH_UNREACHABLE', `no Neo4j server answers at ${url}`, { data: { url }, cause: error });
  }
  return strangeAnswer(url, error);
}

/** True for what the driver says itself or passes on from a server. */
export function isDriversError(error: unknown): boolean {
  return (error as { name?: unknown } | null)?.name === 'Neo4jError';
}

/** The error for what is no Neo4j server; one that gave no answer in time, or hung up, may be one later. */
export function strangeAnswer(url: string, cause: unknown): Error {
  const message = `what answers at ${url}, or does not, is no Neo4j server that this driver can talk to`;
  return neo4jError('GRAPH_UNREACHABLE', message, { data: { url }, cause, retryable: isPassing(cause) });
}

function isPassing(error: unknown): boolean {
  return /timed? ?out|connection was closed/iu.test(String((error as Error | null)?.message));
}

function ofStatus(status: string, cause: unknown): unknown {
  const data = { status };
  if (OUT_OF_MEMORY.has(status)) {
    const message =
      'this takes more memory than the server has for one transaction; nothing changed: send a batch in parts';
    return neo4jError('GRAPH_TOO_LARGE', message, { data, cause });
  }
  if (READ_ONLY.has(status)) return neo4jError('GRAPH_READ_ONLY', 'the server takes no writes here', { data, cause });
  if (status.startsWith('Neo.ClientError.Security.')) {
    return neo4jError('GRAPH_UNAUTHORIZED', 'the server refuses this user or password', { data, cause });
  }
  const retryable =
    status.startsWith('Neo.TransientError.') ||
    status === 'Neo.ClientError.Transaction.Terminated' ||
    status === 'Neo.ClientError.Transaction.LockClientStopped';
  return neo4jError('GRAPH_SERVER_FAILED', `the server failed with ${status}`, { data, cause, retryable });
}

/** True when the server may have committed although it did not say so. */
export function isUnsure(error: unknown): boolean {
  const status = serverStatus(error);
  return status === undefined || status.startsWith('Neo.DatabaseError.');
}
