import { type ActorKey, type DepthLevel, isWellFormed, WarrantError } from '@warrant/core';
import { isDepthLevel } from './levels.ts';

/** What is asked of the graph. */
export type GroundQuery = {
  /** Names of concepts, in any case; repeats are answered each. */
  readonly concepts: readonly string[];
  /** Depth every named concept must reach, from 0 to 4. It never reaches their prerequisites. @default none */
  readonly minDepth?: DepthLevel;
  /** Who asks; it never changes the answer. */
  readonly actor?: ActorKey;
};

/**
 * Refuses what is not a query: text where a list is meant, entries that are not text, depths outside 0 to 4.
 * @throws GROUNDING_QUERY_INVALID with the path of the fault.
 */
export function checkQuery(query: GroundQuery): void {
  if (typeof query !== 'object' || query === null) throw invalid('', 'a query is an object');
  const { concepts, minDepth, actor } = query;
  if (!Array.isArray(concepts)) throw invalid('/concepts', 'concepts are a list of names');
  for (let index = 0; index < concepts.length; index += 1) {
    if (typeof concepts[index] !== 'string') throw invalid(`/concepts/${index}`, 'a concept is a name');
  }
  if (minDepth !== undefined && !isDepthLevel(minDepth))
    throw invalid('/minDepth', 'a depth is an integer from 0 to 4');
  if (actor !== undefined && typeof actor !== 'string') throw invalid('/actor', "an actor is a key's text");
}

/**
 * Refuses text that no name can be. Stored names are well-formed, so only what is unknown has to be looked at.
 * @throws GROUNDING_QUERY_INVALID
 */
export function checkName(name: string, index: number): void {
  if (!isWellFormed(name)) throw invalid(`/concepts/${index}`, 'a concept has no lone surrogates');
}

function invalid(path: string, problem: string): WarrantError {
  return new WarrantError('GROUNDING_QUERY_INVALID', `${problem}: ${path || 'the query'}`, { data: { path, problem } });
}
