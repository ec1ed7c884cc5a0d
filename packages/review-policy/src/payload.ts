import type { EvaluationContext } from './conditions.ts';
import type { KindProfile } from './kinds.ts';
import type { Subject } from './proposal.ts';
import { isBlank } from './text.ts';

/** The type that `claim_type` looks at: `null` when the kind has none or the payload names none. */
export function claimTypeOf({ payload }: Subject, profile: KindProfile): string | null {
  if (!profile.hasClaimType) return null;
  const type = payload['type'];
  return typeof type === 'string' && Object.hasOwn(payload, 'type') ? type : null;
}

/** The confidence that counts; NaN, which is neither at least nor at most anything, when there is none. */
export function confidenceOf({ payload }: Subject, profile: KindProfile): number {
  if (!profile.hasConfidence) return Number.NaN;
  const confidence = payload['confidence'];
  return typeof confidence === 'number' && Object.hasOwn(payload, 'confidence') ? confidence : Number.NaN;
}

/** True when there is evidence, no entry is blank and every entry is known. */
export function hasEvidence(subject: Subject, profile: KindProfile, context: EvaluationContext): boolean {
  let count = 0;
  for (const key of profile.evidenceKeys) {
    const list = subject.payload[key];
    if (!Array.isArray(list) || !Object.hasOwn(subject.payload, key)) continue;
    for (const entry of list as readonly unknown[]) {
      if (typeof entry !== 'string' || isBlank(entry)) return false;
      if (context.knownIds !== undefined && !context.knownIds.has(entry)) return false;
      count += 1;
    }
  }
  return count > 0;
}

/** True when the payload has the key itself and its value is not `null`, `""`, `[]` or `{}`. */
export function isSet({ payload }: Subject, key: string): boolean {
  if (!Object.hasOwn(payload, key)) return false;
  const value = payload[key];
  if (value === null || value === undefined || value === '') return false;
  if (typeof value !== 'object') return true;
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}
