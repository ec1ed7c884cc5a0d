import { RE2JS } from '@bufbuild/re2';
import { celError, limitError } from './errors.ts';
import type { CelLimits } from './limits.ts';

const MAX_KEPT = 200;

/** Matches in time linear in the text, whatever the pattern (RE2). Compiled patterns are kept. */
export interface RegexMatcher {
  /** @throws CEL_LIMIT for a long pattern, CEL_EVALUATION for one that RE2 does not accept. */
  test(text: string, pattern: string): boolean;
}

export function createRegexMatcher(limits: CelLimits): RegexMatcher {
  const kept = new Map<string, RE2JS>();
  return {
    test: (text, pattern) => {
      const known = kept.get(pattern);
      if (known !== undefined) return known.test(text);
      if (pattern.length > limits.pattern) throw limitError('pattern', limits.pattern);
      const compiled = compile(pattern);
      if (kept.size >= MAX_KEPT) kept.clear();
      kept.set(pattern, compiled);
      return compiled.test(text);
    },
  };
}

function compile(pattern: string): RE2JS {
  try {
    return new RE2JS(pattern);
  } catch {
    throw celError('CEL_EVALUATION', 'invalid_regular_expression');
  }
}
