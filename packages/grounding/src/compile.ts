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
  /** Already built forms of `capped` with some relata dropped, by the dropped ones' bits. */
  readonly trimmed: Map<number, Primitive>;
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
  const known = keyed ? node.trimmed.get(bits) : undefined;
  if (known !== undefined) return known;
  let [tied, loose] = [0, node.tied];
  const keep = ({ relation }: Relatum) => {
    const index = isTransitive(relation) ? tied++ : loose++;
    return index < first || !isDropped(index);
  };
  const built = deepFreeze({
    ...node.capped,
    depths: node.capped.depths.map((depth) => ({ ...depth, relata: depth.relata.filter(keep) })),
  });
  if (keyed && node.trimmed.size < TRIMMED_KEPT) node.trimmed.set(bits, built);
  return built;
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
  const visible = edgesOf(primitive.id, kept);
  return {
    primitive,
    knowledge,
    contiguous,
    requires: transitiveTargets(depths),
    visible: [...visible.filter(isTied), ...visible.filter((edge) => !isTied(edge))],
    tied: visible.filter(isTied).length,
    gated: edgesOf(
      primitive.id,
      depths.filter((depth) => depth.level > contiguous),
    ),
    capped: isSame(kept, primitive.depths) ? primitive : deepFreeze({ ...primitive, depths: kept }),
    trimmed: new Map(),
    informed: counted.informed,
  };
}

function isTied(edge: Edge): boolean {
  return isTransitive(edge.relation);
}

function isSame(a: readonly Depth[], b: readonly Depth[]): boolean {
  return a.length === b.length && a.every((depth, index) => depth === b[index]);
}

function ascending(depths: readonly Depth[]): readonly Depth[] {
  return [...depths].sort((a, b) => a.level - b.level);
}

function transitiveTargets(depths: readonly Depth[]): readonly string[] {
  const targets = new Set<string>();
  for (const depth of depths) {
    for (const relatum of depth.relata) if (isTransitive(relatum.relation)) targets.add(relatum.target);
  }
  return [...targets];
}

function edgesOf(source: string, depths: readonly Depth[]): readonly Edge[] {
  return depths.flatMap((depth) => depth.relata.map((relatum) => edgeOf(source, depth.level, relatum)));
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
