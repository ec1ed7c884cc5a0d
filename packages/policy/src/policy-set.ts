import { type Digest, digest, foldName, type JsonObject, WarrantError } from '@warrant/core';
import type { Placement } from './placement.ts';

/** Placements that no longer change, in order. What a gate and a guard work with. */
export interface PolicySet {
  readonly placements: readonly Placement[];
  /** Names the set in every verdict; computed at the first use. Functions count by name and version. */
  readonly digest: () => Digest;
  /** Placements on the edge, in order. Names are compared as the graph compares them. */
  readonly on: (edge: {
    readonly source: string;
    readonly sourceDepth: number;
    readonly target: string;
  }) => readonly Placement[];
  /** Placements whose edge starts at the concept, in order. */
  readonly from: (source: string) => readonly Placement[];
}

const NONE: readonly Placement[] = Object.freeze([]);

/** @throws POLICY_DUPLICATE_KEY when two placements share a key. */
export function createPolicySet(placements: readonly Placement[]): PolicySet {
  const byEdge = new Map<string, Placement[]>();
  const bySource = new Map<string, Placement[]>();
  const keys = new Set<string>();
  for (const placement of placements) {
    if (keys.has(placement.key)) throw duplicateKey(placement.key);
    keys.add(placement.key);
    const source = foldName(placement.source);
    push(byEdge, edgeKey(source, placement.sourceDepth, foldName(placement.target)), placement);
    push(bySource, source, placement);
  }
  let name: Digest | undefined;
  return Object.freeze({
    placements: Object.freeze([...placements]),
    digest: () => {
      name ??= digest(placements.map(declarationOf));
      return name;
    },
    on: (edge) => byEdge.get(edgeKey(foldName(edge.source), edge.sourceDepth, foldName(edge.target))) ?? NONE,
    from: (source) => bySource.get(foldName(source)) ?? NONE,
  } satisfies PolicySet);
}

/**
 * One set of several, in the order given.
 * @throws POLICY_DUPLICATE_KEY when two of them use a key.
 */
export function combinePolicies(...sets: readonly PolicySet[]): PolicySet {
  return createPolicySet(sets.flatMap((set) => set.placements));
}

/** What the digest covers and the journal keeps: everything but the function itself. */
export function declarationOf(placement: Placement): JsonObject {
  const { condition } = placement;
  return {
    key: placement.key,
    name: placement.name,
    source: placement.source,
    target: placement.target,
    sourceDepth: placement.sourceDepth,
    effect: placement.effect,
    triggerCardinality: placement.triggerCardinality,
    confirmationMessage: placement.confirmationMessage,
    metadata: placement.metadata,
    sticky: placement.sticky,
    condition:
      condition.type === 'callback'
        ? { type: 'callback', name: condition.name, version: condition.version }
        : { type: 'expression', text: condition.text },
  };
}

export function duplicateKey(key: string): WarrantError {
  return new WarrantError('POLICY_DUPLICATE_KEY', `a policy with the key '${key}' is there already`, { data: { key } });
}

function edgeKey(source: string, sourceDepth: number, target: string): string {
  // A name may hold any character, so its length keeps two edges apart.
  return `${source.length}:${source}${sourceDepth}${target}`;
}

function push(map: Map<string, Placement[]>, key: string, placement: Placement): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [placement]);
  else list.push(placement);
}
