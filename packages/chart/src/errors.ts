import { isWarrantError } from '@warrant/core';

/** The reason code of a failed evaluation, such as `cel.type`; faults of the program itself are thrown on. */
export function reasonOf(error: unknown): string {
  if (!isWarrantError(error)) throw error;
  const { reason } = error.data;
  if (typeof reason === 'string' && /^cel[.](cost|size)$/.test(reason)) return reason;
  return error.code.toLowerCase().replace('_', '.').replaceAll('_', '-');
}
