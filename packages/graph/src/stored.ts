import { type Depth, type Digest, digestBytes, foldName, type Primitive, type Relatum } from '@warrant/core';
import type { Interner } from './interner.ts';
import { isTransitive } from './relations.ts';

/** A primitive in normal form with what the stores keep beside it. */
export type StoredPrimitive = {
  readonly primitive: Primitive;
  /** The fold key of the name: equal keys are the same concept. */
  readonly key: string;
  readonly digest: Digest;
  /** Distinct ids that its relata name, in order of first occurrence. */
  readonly targets: readonly string[];
  /** Those of them that a transitive relatum names. */
  readonly prerequisites: readonly string[];
};

/** Derives what is kept beside a primitive in normal form. */
export function storePrimitive(primitive: Primitive, interner: Interner): StoredPrimitive {
  return {
    primitive,
    key: foldName(primitive.name),
    digest: digestBytes(primitiveText(primitive, interner)),
    ...relataTargets(primitive),
  };
}

/** The targets of a primitive's relata, each once. */
export function relataTargets(primitive: Primitive): Pick<StoredPrimitive, 'targets' | 'prerequisites'> {
  const targets: string[] = [];
  const prerequisites: string[] = [];
  const targetSet: Lookup = { known: null };
  const prerequisiteSet: Lookup = { known: null };
  for (const depth of primitive.depths) {
    for (const { target, relation } of depth.relata) {
      addOnce(target, targets, targetSet);
      if (isTransitive(relation)) addOnce(target, prerequisites, prerequisiteSet);
    }
  }
  return { targets, prerequisites };
}

type Lookup = { known: Set<string> | null };

/** Looking through a short list is cheaper than keeping a set; one is made once the list is long. */
function addOnce(target: string, list: string[], lookup: Lookup): void {
  if (list.length < 16) {
    if (!list.includes(target)) list.push(target);
    return;
  }
  lookup.known ??= new Set(list);
  if (lookup.known.has(target)) return;
  lookup.known.add(target);
  list.push(target);
}

/** The canonical JSON (RFC 8785) of a primitive, put together from texts that are kept. */
function primitiveText(primitive: Primitive, interner: Interner): string {
  let depths = '';
  for (const depth of primitive.depths) depths += (depths === '' ? '' : ',') + depthText(depth, interner);
  const provenance = interner.textOf(primitive.provenance);
  return `{"depths":[${depths}],"id":${JSON.stringify(primitive.id)},"name":${JSON.stringify(primitive.name)},"provenance":${provenance}}`;
}

function depthText(depth: Depth, interner: Interner): string {
  let relata = '';
  for (const relatum of depth.relata) relata += (relata === '' ? '' : ',') + relatumText(relatum, interner);
  const properties = interner.textOf(depth.properties);
  const provenance = interner.textOf(depth.provenance);
  return `{"level":${depth.level},"properties":${properties},"provenance":${provenance},"relata":[${relata}]}`;
}

function relatumText(relatum: Relatum, interner: Interner): string {
  const metadata = relatum.metadata === undefined ? '' : `"metadata":${interner.textOf(relatum.metadata)},`;
  const provenance = interner.textOf(relatum.provenance);
  return `{${metadata}"provenance":${provenance},"relation":"${relatum.relation}","target":${JSON.stringify(relatum.target)},"targetDepth":${relatum.targetDepth}}`;
}
