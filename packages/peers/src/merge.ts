import {
  canonicalJson,
  type Depth,
  type DepthLevel,
  type Json,
  type JsonObject,
  type Primitive,
  type Provenance,
  type Relatum,
} from '@warrant/core';
import type { BundleLevel, BundlePrimitive, BundleRelatum } from './format.ts';
import { isHollow } from './withdraw.ts';

/** Where a peer says something else than what is known already. Ours stands. */
export type Contradiction = {
  readonly concept: string;
  readonly level: DepthLevel;
  readonly ours: JsonObject;
  readonly theirs: JsonObject;
  /** Where ours comes from. */
  readonly source: Provenance['source'];
};

export type Merged = {
  readonly primitive: Primitive;
  readonly levels: number;
  readonly relata: number;
  readonly contradictions: readonly Contradiction[];
};

type Merging = { readonly stamp: Provenance; readonly idOf: (name: string) => string };

/** Lays a peer's concept under what is there: it fills what is missing and changes nothing. */
export function mergeConcept(
  stored: Primitive | undefined,
  concept: BundlePrimitive,
  id: string,
  merging: Merging,
): Merged {
  const base = stored ?? { id, name: concept.name, depths: [], provenance: merging.stamp };
  const depths = new Map(base.depths.map((depth) => [depth.level, depth]));
  const contradictions: Contradiction[] = [];
  let [levels, relata] = [0, 0];
  for (const given of concept.levels) {
    const before = depths.get(given.level);
    const level = before === undefined || isHollow(before) ? filled(before, given, merging) : before;
    if (level !== before) levels += 1;
    else if (differs(level.properties, given.properties)) {
      const { properties: ours, provenance } = level;
      const theirs = given.properties;
      contradictions.push({ concept: base.name, level: given.level, ours, theirs, source: provenance.source });
    }
    const all = withRelata(level.relata, given.relata, merging);
    relata += all.length - level.relata.length;
    depths.set(given.level, all.length === level.relata.length ? level : { ...level, relata: all });
  }
  const sorted = [...depths.values()].sort((left, right) => left.level - right.level);
  const primitive = levels + relata === 0 && stored !== undefined ? stored : { ...base, depths: sorted };
  return { primitive, levels, relata, contradictions };
}

function filled(before: Depth | undefined, { level, properties }: BundleLevel, { stamp }: Merging): Depth {
  return { level, properties, relata: before?.relata ?? [], provenance: stamp };
}

/** A level that says nothing contradicts nothing. */
function differs(ours: JsonObject, theirs: JsonObject): boolean {
  return Object.keys(theirs).length > 0 && canonicalJson(ours as Json) !== canonicalJson(theirs as Json);
}

function withRelata(
  ours: readonly Relatum[],
  theirs: readonly BundleRelatum[],
  { stamp, idOf }: Merging,
): readonly Relatum[] {
  const seen = new Set(ours.map(keyOf));
  const added: Relatum[] = [];
  for (const { target, ...rest } of theirs) {
    const relatum: Relatum = { ...rest, target: idOf(target), provenance: stamp };
    if (seen.has(keyOf(relatum))) continue;
    seen.add(keyOf(relatum));
    added.push(relatum);
  }
  return added.length === 0 ? ours : [...ours, ...added];
}

function keyOf({ relation, target, targetDepth }: Relatum): string {
  return `${relation} ${targetDepth} ${target}`;
}
