import type { Depth, DepthLevel } from '@warrant/core';

/** Deepest level there is. */
const DEEPEST: DepthLevel = 4;

/** True for an integer from 0 to 4. */
export function isDepthLevel(value: unknown): value is DepthLevel {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= DEEPEST;
}

/**
 * True when a stored level counts as knowledge: level 0 by being there, the others by content or relata.
 * It asks only the level itself, so the answer is the same in every query and in learning.
 */
function holdsKnowledge(depth: Depth): boolean {
  return depth.level === 0 || depth.relata.length > 0 || !isEmpty(depth.properties);
}

/** The levels that hold knowledge, as bits: bit n stands for level n. */
export function knowledgeBits(depths: readonly Depth[]): number {
  let bits = 0;
  for (const depth of depths) if (holdsKnowledge(depth)) bits |= 1 << depth.level;
  return bits;
}

/** The deepest level reached from 0 without a hole; -1 when level 0 is absent. */
export function contiguousDepth(bits: number): number {
  let level = -1;
  while (bits & (1 << (level + 1))) level += 1;
  return level;
}

/** Contiguous depth as results write it: null when level 0 is absent. */
export function asCurrent(contiguous: number): DepthLevel | null {
  return contiguous < 0 ? null : (contiguous as DepthLevel);
}

/** The levels in (contiguous, required] that hold no knowledge, ascending. */
export function missingLevels(bits: number, contiguous: number, required: number): readonly DepthLevel[] {
  const missing: DepthLevel[] = [];
  for (let level = contiguous + 1; level <= required; level += 1) {
    if (!(bits & (1 << level))) missing.push(level as DepthLevel);
  }
  return missing;
}

function isEmpty(value: object): boolean {
  for (const key in value) if (Object.hasOwn(value, key)) return false;
  return true;
}
