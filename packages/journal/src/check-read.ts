import type { Journal } from '@warrant/core';
import { fault } from './errors.ts';

type ReadOptions = NonNullable<Parameters<Journal['read']>[1]>;

/** @throws JOURNAL_INVALID_RANGE for a bound that is no whole number, and for a direction that is none */
export function checkRead(options: ReadOptions): void {
  checkWhole('from', options.from);
  checkWhole('to', options.to);
  checkWhole('limit', options.limit);
  const { direction = 'forward' } = options;
  if (direction === 'forward' || direction === 'backward') return;
  throw fault('JOURNAL_INVALID_RANGE', "direction must be 'forward' or 'backward'", { field: 'direction' });
}

/** Infinity is no bound. @throws JOURNAL_INVALID_RANGE */
export function checkWhole(field: string, value: unknown): void {
  if (value === undefined || value === Number.POSITIVE_INFINITY || Number.isSafeInteger(value)) return;
  throw fault('JOURNAL_INVALID_RANGE', `${field} must be a whole number`, { field });
}
