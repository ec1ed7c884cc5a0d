import { isWarrantError } from '@warrant/core';
import { fault } from '../errors.ts';

/** The connection could not be made, so that nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN', '57P03', '53300'];
const CUT = [
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P05',
  '25P03',
  '08000',
  '08003',
  '08006',
  '08007',
];
const CUT_MESSAGES = /connection terminated|connection ended|client has encountered a connection error|not queryable/i;
/** The server took the transaction back: deadlock, serialization, lock not available, out of room, cancelled. */
const TAKEN_BACK = ['40001', '40P01', '55P03', '53100', '53200', '57014'];
const UNIQUE = '23505';

/** True for an error after which the same work may well succeed at once. */
export function isWorthRepeating(error: unknown): boolean {
  const code = codeOf(error);
  return code === UNIQUE || code === '40001' || code === '40P01';
}

/**
 * The driver's error as a typed one.
 * @param writing a change may have been sent, so that a cut connection leaves open whether it was committed
 */
export function mapPostgresError(error: unknown, writing: boolean): unknown {
  if (isWarrantError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error) ?? '';
  const data = code === '' ? {} : { sqlState: code };
  if (NOT_SENT.includes(code) || /timeout exceeded when trying to connect/.test(error.message))
    return fault('MEMORY_UNAVAILABLE', 'PostgreSQL cannot be reached', data, error);
  if (CUT.includes(code) || CUT_MESSAGES.test(error.message))
    return writing
      ? fault('MEMORY_OUTCOME_UNKNOWN', 'the connection was cut before PostgreSQL answered', data, error)
      : fault('MEMORY_UNAVAILABLE', 'the connection to PostgreSQL was cut', data, error);
  if (TAKEN_BACK.includes(code))
    return fault('MEMORY_UNAVAILABLE', 'PostgreSQL took the transaction back', data, error);
  return error;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
