import type { Gap, Reason } from '@warrant/core';

/** A gap in a sentence. */
export function describeGap(gap: Gap): string {
  switch (gap.type) {
    case 'existence':
      return `'${gap.concept}' is not known at all`;
    case 'depth':
      return `'${gap.concept}' is known to level ${gap.current ?? 'none'}, level ${gap.required} is needed (missing: ${gap.missing.join(', ')})`;
    case 'relational':
      return `'${gap.source}' needs '${gap.target}' to level ${gap.required}, it is known to level ${gap.current ?? 'none'} (missing: ${gap.missing.join(', ')})`;
    case 'reachability':
      return `'${gap.concept}' is not connected to the other concepts`;
  }
}

/** Reasons, a line each. */
export function describeReasons(reasons: readonly Reason[]): string {
  return reasons.map((reason) => `  ${reason.message} (${reason.code})`).join('\n');
}
