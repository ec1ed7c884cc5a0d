import {
  canonicalJson,
  type Depth,
  type JsonObject,
  type Primitive,
  type Provenance,
  type Relatum,
} from '@warrant/core';
import { relatumKey } from '../normalize.ts';
import type { DocumentConcept, DocumentLevel, DocumentRelatum } from './format.ts';

/** How one document is laid over what is stored. */
export type Merge = {
  /** What new parts are stamped with; `document` is set. */
  readonly stamp: Provenance;
  /** Whether parts that this document brought in before, and no longer holds, go. */
  readonly prune: boolean;
  /** The id of a target by its fold key. */
  readonly idOf: (key: string) => string;
};

/** The primitive of a concept that is new. */
export function newPrimitive(concept: DocumentConcept, id: string, merge: Merge): Primitive {
  const depths = concept.levels.map((level) => newDepth(level, merge));
  return { id, name: concept.name, depths, provenance: merge.stamp };
}

/** A stored primitive with a document's concept laid over it: what the document says is added or changed. */
export function mergePrimitive(stored: Primitive, concept: DocumentConcept, merge: Merge): Primitive {
  const depths: Depth[] = [];
  for (const level of [0, 1, 2, 3, 4] as const) {
    const before = stored.depths.find((depth) => depth.level === level);
    const given = concept.levels.find((one) => one.level === level);
    if (given !== undefined)
      depths.push(before === undefined ? newDepth(given, merge) : mergeDepth(before, given, merge));
    else if (before !== undefined) depths.push(...leftOver(before, merge));
  }
  const name = isOwn(stored.provenance, merge) ? concept.name : stored.name;
  return { ...stored, name, depths, provenance: vouched(stored.provenance, merge) };
}

/** What is left of a concept that its document no longer holds. */
export function withoutOwn(stored: Primitive, merge: Merge): Primitive {
  return { ...stored, depths: stored.depths.flatMap((depth) => leftOver(depth, merge)) };
}

/** True for what this document brought in; learned parts are never a document's. */
export function isOwn(provenance: Provenance, { stamp }: Pick<Merge, 'stamp'>): boolean {
  return provenance.source === 'authored' && provenance.document === stamp.document;
}

/** What a document says is authored, also where a peer said the same before: it stays when the peer is revoked. */
function vouched(before: Provenance, { stamp }: Merge): Provenance {
  return before.source === 'peer' ? stamp : before;
}

function leftOver(before: Depth, merge: Merge): readonly Depth[] {
  if (!merge.prune) return [before];
  const relata = before.relata.filter((relatum) => !isOwn(relatum.provenance, merge));
  if (!isOwn(before.provenance, merge)) return [relata.length < before.relata.length ? { ...before, relata } : before];
  return relata.length === 0 ? [] : [{ ...before, properties: {}, relata }];
}

function newDepth({ level, properties, relata }: DocumentLevel, merge: Merge): Depth {
  return { level, properties, relata: relata.map((one) => newRelatum(one, merge)), provenance: merge.stamp };
}

function newRelatum({ relation, key, targetDepth, metadata }: DocumentRelatum, { stamp, idOf }: Merge): Relatum {
  const relatum = { relation, target: idOf(key), targetDepth, provenance: stamp };
  return metadata === null ? relatum : { ...relatum, metadata };
}

function mergeDepth(before: Depth, given: DocumentLevel, merge: Merge): Depth {
  const relata = mergeRelata(
    before.relata,
    given.relata.map((one) => newRelatum(one, merge)),
    merge,
  );
  // A level that says nothing leaves alone what another document or learning has said.
  const isSilent = Object.keys(given.properties).length === 0 && !isOwn(before.provenance, merge);
  if (isSilent) return { ...before, relata };
  if (isSame(before.properties, given.properties))
    return { ...before, relata, provenance: vouched(before.provenance, merge) };
  return { ...before, relata, properties: given.properties, provenance: merge.stamp };
}

function mergeRelata(before: readonly Relatum[], given: readonly Relatum[], merge: Merge): readonly Relatum[] {
  const wanted = new Map(given.map((one) => [relatumKey(one), one]));
  const merged: Relatum[] = [];
  for (const old of before) {
    const now = wanted.get(relatumKey(old));
    wanted.delete(relatumKey(old));
    const own = isOwn(old.provenance, merge);
    if (now === undefined) {
      if (!merge.prune || !own) merged.push(old);
    } else if (isSame(old.metadata ?? {}, now.metadata ?? {}) || (now.metadata === undefined && !own)) {
      merged.push({ ...old, provenance: vouched(old.provenance, merge) });
    } else merged.push(now);
  }
  return [...merged, ...wanted.values()];
}

function isSame(left: JsonObject, right: JsonObject): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
