import { foldName, type Gap } from '@warrant/core';
import type { LearningCandidate } from '@warrant/grounding';
import type { LessonCandidate } from './lessons.ts';

/** The lesson's answers to a gap, in order; the same objects at every call. */
export function candidatesOf(candidates: readonly LessonCandidate[]): (gap: Gap) => readonly LearningCandidate[] {
  const known = candidates.map((candidate) => ({ candidate, learnable: learnableOf(candidate) }));
  return (gap) => known.filter(({ candidate }) => answers(candidate, gap)).map(({ learnable }) => learnable);
}

function learnableOf(candidate: LessonCandidate): LearningCandidate {
  switch (candidate.type) {
    case 'existence':
      return candidate as LearningCandidate;
    case 'depth':
    case 'relational':
      return { type: candidate.type, levels: candidate.levels } as LearningCandidate;
    case 'reachability': {
      const { concept: _, ...edge } = candidate;
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
