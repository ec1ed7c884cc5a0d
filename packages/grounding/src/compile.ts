import type { Depth, DepthLevel, Edge, InformedPart, Primitive, Relatum } from '@warrant/core';
import { checkPrimitive } from './check-primitive.ts';
import { frozenCopy } from './copy.ts';
import { countedParts } from './counted.ts';
import { deepFreeze } from './freeze.ts';
import { contiguousDepth, knowledgeBits } from './levels.ts';
import { isTransitive } from './relations.ts';

/** What grounding needs to know of one primitive, whatever the query. */
export type CompiledPrimitive = {
  readonly primitive: Primitive;
  /** Bit n: level n holds knowledge. */
  readonly knowledge: number;
  /** Deepest level reached from 0 without a hole; -1 when level 0 is absent. */
  readonly contiguous: number;
  /** Targets of transitive relata at any depth, each once. */
  readonly requires: readonly string[];
  /** Edges at levels up to `contiguous`: the transitive ones first, then the others, each in stored order. */
  readonly visible: readonly Edge[];
  /** How many of them are transitive; their targets are in every closure that holds the primitive. */
  readonly tied: number;
  readonly gated: readonly Edge[];
  /** The primitive without levels above `contiguous`; the same object when there are none. */
  readonly capped: Primitive;
  /** Already built forms of `capped` with some relata dropped, by the dropped ones' bits; null as long as there are none. */
  trimmed: Map<number, Primitive> | null;
  /** What peers told without counting; targets by id. */
  readonly informed: readonly InformedPart[];
};

/** How many trimmed forms are kept per primitive; more are built anew. */
const TRIMMED_KEPT = 16;
/** Relata beyond this many do not fit into the bits of a trimmed form's key. */
const TRIMMED_BITS = 32;

const compiled = new WeakMap<Primitive, CompiledPrimitive>();

/**
 * Compiles a primitive, once for each frozen object; one that can still change is copied and compiled anew each time.
 * @throws GROUNDING_VIEW_INVALID when it is not what a store can hold.
 */
export function compilePrimitive(primitive: Primitive): CompiledPrimitive {
  const known = compiled.get(primitive);
  if (known !== undefined) return known;
  checkPrimitive(primitive);
  const fixed = frozenCopy(primitive);
  const built = build(fixed);
  if (fixed === primitive) compiled.set(primitive, built);
  return built;
}

/** The primitive as a result shows it, without those edges of `visible` from `first` on that are dropped. */
export function trimPrimitive(
  node: CompiledPrimitive,
  first: number,
  isDropped: (index: number) => boolean,
): Primitive {
  const keyed = node.visible.length <= TRIMMED_BITS;
  const bits = keyed ? bitsOf(node, first, isDropped) : 0;
  const known = keyed ? node.trimmed?.get(bits) : undefined;
  if (known !== undefined) return known;
  let [tied, loose] = [0, node.tied];
  const keep = ({ relation }: Relatum) => {
    const index = isTransitive(relation) ? tied++ : loose++;
    return index < first || !isDropped(index);
  };
  const depths = node.capped.depths.map((depth) => withRelata(depth, depth.relata.filter(keep)));
  const built = Object.freeze({ ...node.capped, depths: Object.freeze(depths) });
  if (keyed) {
    node.trimmed ??= new Map();
    if (node.trimmed.size < TRIMMED_KEPT) node.trimmed.set(bits, built);
  }
  return built;
}

/** The level with some of its relata, frozen as it was: the level itself when none is missing. */
function withRelata(depth: Depth, relata: readonly Relatum[]): Depth {
  return relata.length === depth.relata.length ? depth : Object.freeze({ ...depth, relata: Object.freeze(relata) });
}

function bitsOf(node: CompiledPrimitive, first: number, isDropped: (index: number) => boolean): number {
  let bits = 0;
  for (let index = first; index < node.visible.length; index += 1) if (isDropped(index)) bits |= 1 << index;
  return bits;
}

function build(primitive: Primitive): CompiledPrimitive {
  const counted = countedParts(primitive);
  const depths = ascending(counted.depths);
  const knowledge = knowledgeBits(depths) & ~counted.hollow;
  const contiguous = contiguousDepth(knowledge);
  const kept = depths.filter((depth) => depth.level <= contiguous);
  const { tied, loose, gated, requires } = sortEdges(primitive.id, depths, contiguous);
  return {
    primitive,
    knowledge,
    contiguous,
    requires: distinct(requires),
    visible: loose.length === 0 ? tied : [...tied, ...loose],
    tied: tied.length,
    gated,
    capped: isSame(kept, primitive.depths) ? primitive : deepFreeze({ ...primitive, depths: kept }),
    trimmed: null,
    informed: counted.informed,
  };
}

/** The edges by what they mean to a walk, each in stored order, and the targets of all transitive ones. */
type SortedEdges = {
  readonly tied: readonly Edge[];
  readonly loose: readonly Edge[];
  readonly gated: readonly Edge[];
  readonly requires: readonly string[];
};

/** One pass: every first check of a primitive waits for it. */
function sortEdges(source: string, depths: readonly Depth[], contiguous: number): SortedEdges {
  const tied: Edge[] = [];
  const loose: Edge[] = [];
  const gated: Edge[] = [];
  const requires: string[] = [];
  for (const { level, relata } of depths) {
    for (const relatum of relata) {
      const edge = edgeOf(source, level, relatum);
      const pulls = isTransitive(relatum.relation);
      if (pulls) requires.push(relatum.target);
      if (level > contiguous) gated.push(edge);
      else if (pulls) tied.push(edge);
      else loose.push(edge);
    }
  }
  return { tied, loose, gated, requires };
}

/** Up to this many texts are compared one by one, which is cheaper than a set. */
const FEW = 8;

function distinct(texts: readonly string[]): readonly string[] {
  if (texts.length > FEW) return [...new Set(texts)];
  return texts.filter((text, index) => texts.indexOf(text) === index);
}

function isSame(a: readonly Depth[], b: readonly Depth[]): boolean {
  return a.length === b.length && a.every((depth, index) => depth === b[index]);
}

function ascending(depths: readonly Depth[]): readonly Depth[] {
  for (let index = 1; index < depths.length; index += 1) {
    const [before, after] = [depths[index - 1] as Depth, depths[index] as Depth];
    if (before.level > after.level) return [...depths].sort((a, b) => a.level - b.level);
  }
  return depths;
}

function edgeOf(source: string, sourceDepth: DepthLevel, relatum: Relatum): Edge {
  return Object.freeze({
    source,
    sourceDepth,
    relation: relatum.relation,
    target: relatum.target,
    targetDepth: relatum.targetDepth,
  });
}
