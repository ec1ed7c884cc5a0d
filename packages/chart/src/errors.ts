import { isWarrantError } from '@warrant/core';

/** The reason code of a failed evaluation, such as `cel.type`; faults of the program itself are thrown on. */
export function reasonOf(error: unknown): string {
  if (!isWarrantError(error)) throw error;
  return error.code.toLowerCase().replace('_', '.').replaceAll('_', '-');
}
