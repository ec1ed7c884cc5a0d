import { type DepthLevel, foldName } from '@warrant/core';

/**
 * How well a level of a concept has served, from 0 to 1; null where nothing is known. It is shown beside a verdict and is
 * no part of it.
 */
export type ConfidenceOf = (concept: string, level: DepthLevel) => number | null;
/** The confidence of one level. */
export type LevelConfidence = { readonly concept: string; readonly level: DepthLevel; readonly confidence: number };

const LEVELS: readonly DepthLevel[] = [0, 1, 2, 3, 4];

/** What is known of the levels of concepts, in the order of the concepts, each once. */
export function confidencesOf(concepts: Iterable<string>, confidence: ConfidenceOf): readonly LevelConfidence[] {
  const byKey = new Map<string, string>();
  for (const concept of concepts) {
    const key = foldName(concept);
    if (!byKey.has(key)) byKey.set(key, concept);
  }
  return [...byKey.values()].flatMap((concept) =>
    LEVELS.flatMap((level) => {
      const known = confidence(concept, level);
      return known === null ? [] : [{ concept, level, confidence: known }];
    }),
  );
}

/** A confidence in words. */
export function percentText(confidence: number): string {
  return `${Math.round(100 * confidence)} %`;
}
