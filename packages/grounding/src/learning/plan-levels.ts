import type { Gap, GraphChange, Reason } from '@warrant/core';
import type { CompiledPrimitive } from '../compile.ts';
import { contiguousDepth } from '../levels.ts';
import type { LevelsCandidate, ProposedLevel } from './candidate.ts';
import { findConcept, findStored, hasContent } from './live.ts';
import type { LearningPlan, PlanInput } from './plan.ts';
import { reason } from './reasons.ts';

type LevelGap = Extract<Gap, { type: 'depth' | 'relational' }>;

/** Missing levels of a stored concept; filling only the lower ones is a step forward and accepted. */
export function planLevels({ gap, candidate, view, stamp }: PlanInput<LevelsCandidate>): LearningPlan {
  const levelGap = gap as LevelGap;
  const name = levelGap.type === 'depth' ? levelGap.concept : levelGap.target;
  const concept = findConcept(view, name);
  if (concept === undefined) {
    const unknown = reason('learning.unknown-concept', 'the concept is no longer in the graph', { concept: name });
    return { type: 'refused', reasons: [unknown] };
  }
  if (concept.contiguous >= levelGap.required) return { type: 'already-closed' };
  const reasons = faultsOf(candidate.levels, concept, levelGap.required);
  if (reasons.length > 0) return { type: 'refused', reasons };
  const { provenance } = stamp;
  const stored = findStored(view, name);
  const changes = candidate.levels.map(({ level, properties }): GraphChange => {
    // What others put on a level of a peer that only informs stays on it.
    const relata = stored?.depths.find((depth) => depth.level === level)?.relata ?? [];
    return { type: 'put-depth', primitive: concept.primitive.id, depth: { level, properties, relata, provenance } };
  });
  return { type: 'plan', changes };
}

function faultsOf(levels: readonly ProposedLevel[], concept: CompiledPrimitive, required: number): readonly Reason[] {
  const { name } = concept.primitive;
  if (levels.length === 0) return [reason('learning.no-content', 'the candidate proposes no level', { concept: name })];
  const reasons = levels.flatMap((level, index) => faultsOfLevel(level, levels.slice(0, index), concept, required));
  if (reasons.length > 0) return reasons;
  const highest = Math.max(...levels.map(({ level }) => level));
  const bits = levels.reduce((known, { level }) => known | (1 << level), concept.knowledge);
  if (contiguousDepth(bits) >= highest) return [];
  const hole = contiguousDepth(bits) + 1;
  return [
    reason(
      'learning.not-contiguous',
      `level ${highest} of '${name}' would stand above a hole at level ${hole}`,
      { concept: name, level: highest, hole },
      { action: 'add-levels', concept: name, levels: [hole] },
    ),
  ];
}

function faultsOfLevel(
  proposed: ProposedLevel,
  before: readonly ProposedLevel[],
  concept: CompiledPrimitive,
  required: number,
): readonly Reason[] {
  const { level } = proposed;
  const data = { concept: concept.primitive.name, level };
  if (before.some((other) => other.level === level)) {
    return [reason('learning.duplicate-level', `level ${level} is proposed twice`, data)];
  }
  if (level > required) {
    return [reason('learning.beyond-required', `level ${level} is deeper than the gap asks`, { ...data, required })];
  }
  if (concept.knowledge & (1 << level)) {
    return [reason('learning.level-known', `level ${level} holds knowledge already`, data)];
  }
  if (!hasContent(proposed)) {
    return [reason('learning.no-content', `level ${level} has no content`, data, { action: 'fill-level', ...data })];
  }
  return [];
}
