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
  const targets = new Set<string>();
  const prerequisites = new Set<string>();
  for (const depth of primitive.depths) {
    for (const relatum of depth.relata) {
      targets.add(relatum.target);
      if (isTransitive(relatum.relation)) prerequisites.add(relatum.target);
    }
  }
  return { targets: [...targets], prerequisites: [...prerequisites] };
}

/** The canonical JSON (RFC 8785) of a primitive, put together from texts that are kept. */
export function primitiveText(primitive: Primitive, interner: Interner): string {
  const depths = primitive.depths.map((depth) => depthText(depth, interner)).join(',');
  const provenance = interner.textOf(primitive.provenance);
  return `{"depths":[${depths}],"id":${JSON.stringify(primitive.id)},"name":${JSON.stringify(primitive.name)},"provenance":${provenance}}`;
}

function depthText(depth: Depth, interner: Interner): string {
  const relata = depth.relata.map((relatum) => relatumText(relatum, interner)).join(',');
  const properties = interner.textOf(depth.properties);
  const provenance = interner.textOf(depth.provenance);
  return `{"level":${depth.level},"properties":${properties},"provenance":${provenance},"relata":[${relata}]}`;
}

function relatumText(relatum: Relatum, interner: Interner): string {
  const metadata = relatum.metadata === undefined ? '' : `"metadata":${interner.textOf(relatum.metadata)},`;
  const provenance = interner.textOf(relatum.provenance);
  return `{${metadata}"provenance":${provenance},"relation":"${relatum.relation}","target":${JSON.stringify(relatum.target)},"targetDepth":${relatum.targetDepth}}`;
}
