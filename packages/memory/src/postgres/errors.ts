import { isWarrantError } from '@warrant/core';
import { postgresFailure, sqlState } from '@warrant/core/kysely';
import { fault } from '../errors.ts';

/** A unique index, a serialization or a deadlock: the same work may well succeed at once. */
const WORTH_REPEATING = ['23505', '40001', '40P01'];

/** True for an error after which the same work may well succeed at once. */
export function isWorthRepeating(error: unknown): boolean {
  return WORTH_REPEATING.includes(sqlState(error) ?? '');
}

/**
 * The driver's error as a typed one.
 * @param writing a change may have been sent, so that a cut connection leaves open whether it was committed
 */
export function mapPostgresError(error: unknown, writing: boolean): unknown {
  if (isWarrantError(error) || !(error instanceof Error)) return error;
  const code = sqlState(error);
  const data = code === undefined || code === '' ? {} : { sqlState: code };
  switch (postgresFailure(error)) {
    case 'not-sent':
      return fault('MEMORY_UNAVAILABLE', 'PostgreSQL cannot be reached', data, error);
    case 'cut':
      return writing
        ? fault('MEMORY_OUTCOME_UNKNOWN', 'the connection was cut before PostgreSQL answered', data, error)
        : fault('MEMORY_UNAVAILABLE', 'the connection to PostgreSQL was cut', data, error);
    case 'taken-back':
      return fault('MEMORY_UNAVAILABLE', 'PostgreSQL took the transaction back', data, error);
    default:
      return error;
  }
}
