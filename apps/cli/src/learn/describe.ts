import type { Reason } from '@warrant/core';

/** Reasons, a line each. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map((reason) => `  ${reason.message} (${reason.code})`).join('\n');
}
