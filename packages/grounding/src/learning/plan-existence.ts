import type { Reason } from '@warrant/core';
import type { ExistenceCandidate } from './candidate.ts';
import { findConcept, hasContent } from './live.ts';
import type { ConceptGap, LearningPlan, PlanInput } from './plan.ts';
import { reason } from './reasons.ts';

/** A new concept with its existence and its identity. */
export function planExistence({ gap, candidate, view, stamp }: PlanInput<ExistenceCandidate>): LearningPlan {
  const name = (gap as ConceptGap).concept;
  const reasons = faultsOf(name, candidate);
  if (reasons.length > 0) return { type: 'refused', reasons };
  if (findConcept(view, name) !== undefined) return { type: 'already-closed' };
  const { provenance } = stamp;
  const identity = candidate.identity?.properties ?? {};
  const depths = [
    { level: 0 as const, properties: { exists: true }, relata: [], provenance },
    { level: 1 as const, properties: identity, relata: [], provenance },
  ];
  const primitive = { id: stamp.newId(name), name, depths, provenance };
  return { type: 'plan', changes: [{ type: 'put-primitive', primitive }] };
}

function faultsOf(name: string, candidate: ExistenceCandidate): readonly Reason[] {
  if (candidate.name !== name) {
    return [reason('learning.other-name', 'the candidate names another concept than the gap', { concept: name })];
  }
  const { identity } = candidate;
  const remedy = { action: 'fill-level', concept: name, level: 1 };
  if (identity === null) {
    return [reason('learning.no-content', 'a new concept needs its identity (level 1)', { concept: name }, remedy)];
  }
  if (identity.level !== 1) {
    return [reason('learning.wrong-level', 'the identity of a concept is level 1', { level: identity.level }, remedy)];
  }
  if (hasContent(identity)) return [];
  return [reason('learning.no-content', 'level 1 of a new concept has no content', { concept: name }, remedy)];
}
