import { foldName } from '@warrant/core';
import type { CompiledPrimitive } from './compile.ts';
import { checkName } from './query.ts';
import type { LinkedView } from './tables.ts';

/** What the submitted concepts stand for. */
export type Roots = {
  /** Numbers of the known concepts, each once, in query order. */
  readonly known: readonly number[];
  /** First spellings of the unknown concepts, each concept once, in query order. */
  readonly unknown: readonly string[];
  /** One name per submitted concept: the stored one, or the first spelling of an unknown one. */
  readonly resolved: string[];
};

/** From this many concepts on a set tells repeats faster than a look through the list. */
const MANY = 16;

/**
 * Finds the concepts in the view.
 * @throws GROUNDING_QUERY_INVALID for a name that is not well-formed text.
 */
export function resolveRoots(view: LinkedView, concepts: readonly string[]): Roots {
  const known: number[] = [];
  const seen = concepts.length > MANY ? new Set<number>() : undefined;
  const resolved = concepts.slice();
  let unknown: Map<string, string> | undefined;
  for (let index = 0; index < concepts.length; index += 1) {
    const concept = concepts[index] as string;
    const node = view.find(concept);
    if (node === undefined) {
      checkName(concept, index);
      unknown ??= new Map();
      const key = foldName(concept);
      if (!unknown.has(key)) unknown.set(key, concept);
      resolved[index] = unknown.get(key) as string;
      continue;
    }
    if (seen === undefined ? !known.includes(node) : !seen.has(node)) known.push(node);
    seen?.add(node);
    resolved[index] = (view.nodes[node] as CompiledPrimitive).primitive.name;
  }
  return { known, unknown: unknown === undefined ? NONE : [...unknown.values()], resolved };
}

const NONE: readonly string[] = [];
