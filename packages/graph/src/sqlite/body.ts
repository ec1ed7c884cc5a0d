import type { Depth, DepthLevel, JsonObject, Primitive, Provenance, Relatum } from '@warrant/core';
import { graphError } from '../errors.ts';
import { deepFreeze } from '../freeze.ts';
import { freezeDepth, freezePrimitive } from '../normalize.ts';
import { RELATION_TYPES } from '../relations.ts';

// Stored compactly: positions instead of keys, relations by number, provenance by the row that many share.
// A relation's number is its place in RELATION_TYPES, which therefore never changes order.
type StoredRelatum = readonly [
  relation: number,
  target: string,
  targetDepth: DepthLevel,
  provenance: number,
  metadata?: JsonObject,
];
type StoredDepth = readonly [
  level: DepthLevel,
  provenance: number,
  properties: JsonObject,
  relata: readonly StoredRelatum[],
];
type StoredBody = readonly [provenance: number, depths: readonly StoredDepth[]];

const NOTHING: JsonObject = Object.freeze({});

/** The text of a primitive's levels as the file holds it. */
export function encodeBody(primitive: Primitive, numberOf: (provenance: Provenance) => number): string {
  const body: StoredBody = [
    numberOf(primitive.provenance),
    primitive.depths.map(
      (depth): StoredDepth => [
        depth.level,
        numberOf(depth.provenance),
        depth.properties,
        depth.relata.map((relatum) => encodeRelatum(relatum, numberOf)),
      ],
    ),
  ];
  return JSON.stringify(body);
}

function encodeRelatum(relatum: Relatum, numberOf: (provenance: Provenance) => number): StoredRelatum {
  const relation = RELATION_TYPES.indexOf(relatum.relation);
  const provenance = numberOf(relatum.provenance);
  return relatum.metadata === undefined
    ? [relation, relatum.target, relatum.targetDepth, provenance]
    : [relation, relatum.target, relatum.targetDepth, provenance, relatum.metadata];
}

/**
 * The frozen primitive of a stored row.
 * @throws GRAPH_FILE_CORRUPT when the text is not what encodeBody writes
 */
export function decodeBody(
  head: { readonly id: string; readonly name: string; readonly body: string },
  provenanceOf: (number: number) => Provenance,
): Primitive {
  try {
    const [provenance, depths] = JSON.parse(head.body) as StoredBody;
    return freezePrimitive(
      { id: head.id, name: head.name, provenance: provenanceOf(provenance) },
      depths.map((depth) => decodeDepth(depth, provenanceOf)),
    );
  } catch (cause) {
    throw corrupt(head.id, cause);
  }
}

function decodeDepth(stored: StoredDepth, provenanceOf: (number: number) => Provenance): Depth {
  const [level, provenance, properties, relata] = stored;
  const kept = Object.keys(properties).length === 0 ? NOTHING : deepFreeze(properties);
  return freezeDepth(
    { level, properties: kept, provenance: provenanceOf(provenance) },
    relata.map((relatum) => decodeRelatum(relatum, provenanceOf)),
  );
}

function decodeRelatum(stored: StoredRelatum, provenanceOf: (number: number) => Provenance): Relatum {
  const relation = RELATION_TYPES[stored[0]];
  if (relation === undefined) throw new RangeError(`no relation has the number ${stored[0]}`);
  const relatum = { relation, target: stored[1], targetDepth: stored[2], provenance: provenanceOf(stored[3]) };
  return Object.freeze(stored[4] === undefined ? relatum : { ...relatum, metadata: deepFreeze(stored[4]) });
}

/** The error for a file whose tables contradict themselves. */
export function corrupt(id: string, cause?: unknown): Error {
  return graphError('GRAPH_FILE_CORRUPT', `the file's row of the primitive ${id} is damaged`, { primitive: id }, cause);
}
