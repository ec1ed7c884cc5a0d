import { foldName } from '@warrant/core';
import type { LinkedView } from './link.ts';

/** What the submitted concepts stand for. */
export type Roots = {
  /** Numbers of the known concepts, each once, in query order. */
  readonly known: readonly number[];
  /** First spellings of the unknown concepts, each concept once, in query order. */
  readonly unknown: readonly string[];
  /** One name per submitted concept: the stored one, or the first spelling of an unknown one. */
  readonly resolved: string[];
};

/** Finds the concepts in the view. */
export function resolveRoots(view: LinkedView, concepts: readonly string[]): Roots {
  const known = new Set<number>();
  const resolved: string[] = [];
  let unknown: Map<string, string> | undefined;
  for (const concept of concepts) {
    const node = view.find(concept);
    if (node === undefined) {
      unknown ??= new Map();
      const key = foldName(concept);
      if (!unknown.has(key)) unknown.set(key, concept);
      resolved.push(unknown.get(key) as string);
    } else {
      known.add(node);
      resolved.push((view.nodes[node] as { primitive: { name: string } }).primitive.name);
    }
  }
  return { known: [...known], unknown: unknown === undefined ? [] : [...unknown.values()], resolved };
}
