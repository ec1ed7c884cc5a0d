import {
  type Depth,
  type Digest,
  digest,
  foldName,
  type GraphVersion,
  type GraphView,
  type Json,
  type Primitive,
  type Relatum,
  type ViewSnapshot,
  WarrantError,
} from '@warrant/core';
import { checkPrimitive } from './check-primitive.ts';
import { frozenCopy } from './copy.ts';

/** The version of a view that was not read from a store. */
const NO_VERSION: GraphVersion = Object.freeze({ epoch: 'snapshot', revision: 0 });

/**
 * A view over recorded primitives, so that a verdict can be recomputed without its store. The snapshot is copied.
 * The digest is computed when first read, by the rule every store follows.
 * @param options.version what the record says the graph's version was. @default { epoch: 'snapshot', revision: 0 }
 * @throws GROUNDING_VIEW_INVALID for primitives that no store can hold, and for two with one id or one name.
 */
export function viewOf(snapshot: ViewSnapshot, options: { readonly version?: GraphVersion } = {}): GraphView {
  const copy = fixedCopy(snapshot);
  let known: Digest | undefined;
  return {
    version: Object.freeze({ ...(options.version ?? NO_VERSION) }),
    get digest() {
      known ??= viewDigest(copy);
      return known;
    },
    snapshot: () => copy,
  };
}

/** Names a view by what it holds: the folded names asked for and the digests of its primitives, both sorted. */
function viewDigest(snapshot: ViewSnapshot): Digest {
  return digest(viewContent(snapshot));
}

/** What a view's digest covers. */
export function viewContent(snapshot: ViewSnapshot): { readonly names: string[]; readonly primitives: Digest[] } {
  return {
    names: [...new Set(snapshot.names.map(foldName))].sort(),
    primitives: snapshot.primitives.map((primitive) => digest(primitive as Json)).sort(),
  };
}

function fixedCopy(snapshot: ViewSnapshot): ViewSnapshot {
  const { names, primitives } = snapshot;
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) throw invalid('/names');
  if (!Array.isArray(primitives)) throw invalid('/primitives');
  const ids = new Set<string>();
  const keys = new Set<string>();
  for (const [index, primitive] of (primitives as readonly Primitive[]).entries()) {
    checkPrimitive(primitive);
    ids.add(primitive.id);
    keys.add(foldName(primitive.name));
    if (ids.size <= index || keys.size <= index) throw invalid(`/primitives/${index}`);
  }
  return Object.freeze({ names: Object.freeze([...names]), primitives: Object.freeze(primitives.map(normalForm)) });
}

/** Levels ascending and equal relata once, as stores keep them; what is so already stays the same object. */
function normalForm(primitive: Primitive): Primitive {
  const { depths } = primitive;
  const isNormal = depths.every(
    (depth, index) =>
      (index === 0 || (depths[index - 1] as Depth).level < depth.level) &&
      distinct(depth.relata).length === depth.relata.length,
  );
  if (isNormal) return frozenCopy(primitive);
  const ascending = depths
    .map((depth) => ({ ...depth, relata: distinct(depth.relata) }))
    .sort((one, other) => one.level - other.level);
  return frozenCopy({ ...primitive, depths: ascending });
}

function distinct(relata: readonly Relatum[]): readonly Relatum[] {
  if (relata.length < 2) return relata;
  const seen = new Map<string, Relatum>();
  for (const relatum of relata) {
    const key = `${relatum.relation} ${relatum.targetDepth} ${relatum.target}`;
    if (!seen.has(key)) seen.set(key, relatum);
  }
  return [...seen.values()];
}

function invalid(path: string): WarrantError {
  return new WarrantError('GROUNDING_VIEW_INVALID', `a snapshot is wrong at ${path}`, {
    data: { path, problem: 'is not what a store can hold' },
  });
}
