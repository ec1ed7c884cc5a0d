import { isWarrantError } from '@warrant/core';
import { postgresFailure, sqlState } from '@warrant/core/kysely';
import { fault } from '../errors.ts';

/** A unique index refused a row: somebody else was first. @internal */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === '23505';
}

/** A standby, or a server that was set so. */
const READ_ONLY = '25006';
/** No such schema, table or column, or one that is there already. */
const SCHEMA_STATES: readonly string[] = ['3F000', '42P01', '42P07', '42703', '42710'];

/**
 * The driver's error as a typed one.
 * @param writing a change may have been sent, so that a cut connection leaves open whether it was committed
 * @internal
 */
export function mapPostgresError(error: unknown, writing: boolean): unknown {
  if (isWarrantError(error) || !(error instanceof Error)) return error;
  const code = sqlState(error);
  const data = code === undefined || code === '' ? {} : { sqlState: code };
  switch (postgresFailure(error)) {
    case 'not-sent':
      return fault('JOURNAL_UNAVAILABLE', 'PostgreSQL cannot be reached', data, error);
    case 'cut':
      return writing
        ? fault(
            'JOURNAL_OUTCOME_UNKNOWN',
            'the connection was cut before PostgreSQL answered: the same call with the same ids tells',
            data,
            error,
          )
        : fault('JOURNAL_UNAVAILABLE', 'the connection to PostgreSQL was cut', data, error);
    case 'taken-back':
      return fault('JOURNAL_UNAVAILABLE', 'PostgreSQL took the transaction back', data, error);
    default:
      if (code === READ_ONLY) {
        return fault('JOURNAL_UNAVAILABLE', 'PostgreSQL takes no changes: it is read-only', data, error);
      }
      if (!SCHEMA_STATES.includes(code ?? '')) return error;
      return fault('JOURNAL_SCHEMA_WRONG', `the tables are not those of this version: ${error.message}`, data, error);
  }
}
