import type { JsonObject, Reason } from '@warrant/core';

/** Why a candidate is refused. */
export type LearningReasonCode =
  | 'learning.malformed'
  | 'learning.kind-mismatch'
  | 'learning.other-name'
  | 'learning.no-content'
  | 'learning.wrong-level'
  | 'learning.duplicate-level'
  | 'learning.beyond-required'
  | 'learning.level-known'
  | 'learning.not-contiguous'
  | 'learning.unknown-concept'
  | 'learning.unrelated-edge'
  | 'learning.self-edge'
  | 'learning.out-of-scope'
  | 'learning.missing-depth'
  | 'learning.already-closed'
  | 'learning.proposal-spent'
  | 'learning.built-upon';

export function reason(code: LearningReasonCode, message: string, data: JsonObject, remedy?: JsonObject): Reason {
  return remedy === undefined ? { code, message, data } : { code, message, data, remedy };
}
