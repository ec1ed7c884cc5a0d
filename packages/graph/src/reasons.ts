import type { JsonObject, Reason } from '@warrant/core';
import { GRAPH_LIMITS } from './limits.ts';

/** Why a batch of changes is refused, or what it did beside. */
export type GraphReasonCode =
  | 'graph.cycle'
  | 'graph.unknown-target'
  | 'graph.unknown-primitive'
  | 'graph.unknown-level'
  | 'graph.unknown-relatum'
  | 'graph.name-taken'
  | 'graph.dangling'
  | 'graph.relata-removed'
  | 'graph.invalid'
  | 'graph.limit';

/** A reason of this package; `data` names concepts, levels and limits. */
export function graphReason(code: GraphReasonCode, message: string, data: JsonObject, remedy?: JsonObject): Reason {
  return remedy === undefined ? { code, message, data } : { code, message, data, remedy };
}

/** A list of reasons of bounded length whose last one counts those that were left out. */
export function boundReasons(reasons: readonly Reason[]): readonly Reason[] {
  if (reasons.length <= GRAPH_LIMITS.reasons) return reasons;
  const more = reasons.length - GRAPH_LIMITS.reasons;
  return [
    ...reasons.slice(0, GRAPH_LIMITS.reasons),
    graphReason('graph.limit', `${more} more reasons are not listed`, { limit: GRAPH_LIMITS.reasons, more }),
  ];
}
