import { foldName, type Gap } from '@warrant/core';
import type { LearningCandidate } from '@warrant/grounding';
import type { LessonCandidate } from './lessons.ts';

/** The lesson's answer to a gap, if it has one. */
export function candidateFor(gap: Gap, candidates: readonly LessonCandidate[]): LearningCandidate | undefined {
  const found = candidates.find((candidate) => answers(candidate, gap));
  if (found === undefined) return undefined;
  switch (found.type) {
    case 'existence':
      return found as LearningCandidate;
    case 'depth':
    case 'relational':
      return { type: found.type, levels: found.levels } as LearningCandidate;
    case 'reachability': {
      const { concept: _, ...edge } = found;
      return edge as LearningCandidate;
    }
  }
}

function answers(candidate: LessonCandidate, gap: Gap): boolean {
  if (candidate.type !== gap.type) return false;
  if (candidate.type === 'existence') return gap.type === 'existence' && same(candidate.name, gap.concept);
  if (candidate.type === 'relational')
    return gap.type === 'relational' && same(candidate.source, gap.source) && same(candidate.target, gap.target);
  return 'concept' in gap && same(candidate.concept, gap.concept);
}

function same(a: string, b: string): boolean {
  return foldName(a) === foldName(b);
}
