import { isWarrantError } from '@warrant/core';
import { fault } from '../errors.ts';

/** The connection could not be made, so that nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN', '57P03', '53300'];
/** Ends of a connection: by the network, by an administrator, by a crash of another backend, by recovery. */
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
/** The server took the transaction back by itself: the same call may well succeed. */
const TRY_AGAIN = ['40001', '40P01', '55P03', '53100', '53200', '57014'];

/** A unique index refused a row: somebody else was first. @internal */
export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/**
 * The driver's error as a typed one.
 * @param writing a change may have been sent, so that a cut connection leaves open whether it was committed
 * @internal
 */
export function mapPostgresError(error: unknown, writing: boolean): unknown {
  if (isWarrantError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error) ?? '';
  const data = code === '' ? {} : { sqlState: code };
  const message = error.message;
  if (NOT_SENT.includes(code) || /timeout exceeded when trying to connect/.test(message)) {
    return fault('JOURNAL_UNAVAILABLE', 'PostgreSQL cannot be reached', data, error);
  }
  if (CUT.includes(code) || CUT_MESSAGES.test(message)) {
    return writing
      ? fault(
          'JOURNAL_OUTCOME_UNKNOWN',
          'the connection was cut before PostgreSQL answered: the same call with the same ids tells',
          data,
          error,
        )
      : fault('JOURNAL_UNAVAILABLE', 'the connection to PostgreSQL was cut', data, error);
  }
  if (TRY_AGAIN.includes(code))
    return fault('JOURNAL_UNAVAILABLE', 'PostgreSQL took the transaction back', data, error);
  return error;
}

function codeOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
}
