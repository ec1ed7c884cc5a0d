import type { DepthLevel, Primitive, RelationType, Relatum } from '@warrant/core';

/**
 * The generated graphs of the reference's speed table: primitive i is `c<i>`, every level up to 3 has content, and three
 * relata lead to earlier primitives: of the same 40 (clustered) or of all (uniform). Repeated relata are kept once.
 */
export type VreGraphKind = 'clustered' | 'uniform';

const RELATIONS: readonly RelationType[] = ['requires', 'depends-on', 'constrained-by', 'applies-to', 'includes'];
const CLUSTER = 40;
const PROVENANCE = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;

/** The generator's stream: numbers below `bound`. */
export function numbers(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(1_664_525, state) + 1_013_904_223) >>> 0;
    return (state >>> 8) % bound;
  };
}

export function generateGraph(kind: VreGraphKind, count: number): readonly Primitive[] {
  return [...generatePrimitives(kind, count)];
}

/** The same one after another, for graphs that are too large to be held. */
export function* generatePrimitives(kind: VreGraphKind, count: number): Generator<Primitive> {
  const next = numbers(12_345);
  for (let index = 0; index < count; index += 1) {
    const low = kind === 'clustered' ? index - (index % CLUSTER) : 0;
    const relata = relataOf(index, low, next);
    yield {
      id: idOf(index),
      name: `c${index}`,
      depths: relata.map((own, level) => ({
        level: level as DepthLevel,
        properties: { k: level },
        relata: own,
        provenance: PROVENANCE,
      })),
      provenance: PROVENANCE,
    };
  }
}

/** By level. */
function relataOf(index: number, low: number, next: (bound: number) => number): readonly (readonly Relatum[])[] {
  const relata: Relatum[][] = [[], [], [], []];
  for (let edge = 0; index > low && edge < 3; edge += 1) {
    const target = idOf(low + next(index - low));
    const relation = RELATIONS[next(5)] as RelationType;
    const own = relata[1 + next(3)] as Relatum[];
    const targetDepth = next(4) as DepthLevel;
    if (own.some((other) => isEqual(other, relation, target, targetDepth))) continue;
    own.push({ relation, target, targetDepth, provenance: PROVENANCE });
  }
  return relata;
}

/** An endless stream of queries over such a graph: lists of primitives' numbers. */
export function queries(kind: VreGraphKind, count: number, concepts: 1 | 5): () => readonly number[] {
  const next = numbers(777);
  return () => {
    if (concepts === 1) return [next(count)];
    const base = kind === 'clustered' ? CLUSTER * next(Math.floor(count / CLUSTER)) : 0;
    return Array.from({ length: 5 }, () => (kind === 'clustered' ? base + next(CLUSTER) : next(count)));
  };
}

function idOf(index: number): string {
  return `p${String(index).padStart(7, '0')}`;
}

function isEqual(other: Relatum, relation: RelationType, target: string, targetDepth: number): boolean {
  return other.relation === relation && other.target === target && other.targetDepth === targetDepth;
}
