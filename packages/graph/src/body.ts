import type { Depth, DepthLevel, JsonObject, Primitive, Provenance, Relatum } from '@warrant/core';
import { isDepthLevel, RELATION_TYPES } from './relations.ts';

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
/** The parsed text of a primitive's levels. */
export type StoredBody = readonly [provenance: number, depths: readonly StoredDepth[]];

const NOTHING: JsonObject = Object.freeze({});
const NO_RELATA: readonly Relatum[] = Object.freeze([]);

/** The text of a primitive's levels as databases hold it, put together from texts that are kept. */
export function encodeBody(
  primitive: Primitive,
  numberOf: (provenance: Provenance) => number,
  textOf: (value: JsonObject) => string,
): string {
  let depths = '';
  for (const depth of primitive.depths) {
    let relata = '';
    for (const relatum of depth.relata) {
      const metadata = relatum.metadata === undefined ? '' : `,${textOf(relatum.metadata)}`;
      const head = `${RELATION_TYPES.indexOf(relatum.relation)},${JSON.stringify(relatum.target)},${relatum.targetDepth}`;
      relata += `${relata === '' ? '' : ','}[${head},${numberOf(relatum.provenance)}${metadata}]`;
    }
    const head = `${depth.level},${numberOf(depth.provenance)},${textOf(depth.properties)}`;
    depths += `${depths === '' ? '' : ','}[${head},[${relata}]]`;
  }
  return `[${numberOf(primitive.provenance)},[${depths}]]`;
}

/** One bit a source of provenance. */
export const SOURCE_BITS = { authored: 1, learned: 2, peer: 4 } as const satisfies Record<Provenance['source'], number>;

/** The bits of every source that the primitive, one of its levels or one of its relata has. */
export function sourceBits(primitive: Primitive): number {
  let bits: number = SOURCE_BITS[primitive.provenance.source];
  for (const depth of primitive.depths) {
    bits |= SOURCE_BITS[depth.provenance.source];
    for (const relatum of depth.relata) bits |= SOURCE_BITS[relatum.provenance.source];
  }
  return bits;
}

/** The primitive of a stored text, not frozen yet. @throws RangeError or TypeError when it is not what encodeBody writes */
export function decodeBody(
  head: { readonly id: string; readonly name: string },
  [provenance, depths]: StoredBody,
  provenanceOf: (number: number) => Provenance,
): Primitive {
  const levels = depths.map((depth) => decodeDepth(depth, provenanceOf));
  for (let index = 1; index < levels.length; index += 1) {
    if ((levels[index - 1] as Depth).level >= (levels[index] as Depth).level)
      throw new RangeError('levels out of order');
  }
  return { id: head.id, name: head.name, depths: levels, provenance: provenanceOf(provenance) };
}

function decodeDepth(stored: StoredDepth, provenanceOf: (number: number) => Provenance): Depth {
  const [level, provenance, properties, relata] = stored;
  if (!isDepthLevel(level)) throw new RangeError('a level that is none');
  if (typeof properties !== 'object' || properties === null) throw new TypeError('properties that are no object');
  return {
    level,
    properties: isEmpty(properties) ? NOTHING : properties,
    relata: relata.length === 0 ? NO_RELATA : relata.map((relatum) => decodeRelatum(relatum, provenanceOf)),
    provenance: provenanceOf(provenance),
  };
}

function decodeRelatum(stored: StoredRelatum, provenanceOf: (number: number) => Provenance): Relatum {
  const relation = RELATION_TYPES[stored[0]];
  if (relation === undefined) throw new RangeError(`no relation has the number ${stored[0]}`);
  const [, target, targetDepth] = stored;
  if (typeof target !== 'string' || !isDepthLevel(targetDepth)) throw new RangeError('a relatum that leads nowhere');
  const relatum = { relation, target, targetDepth, provenance: provenanceOf(stored[3]) };
  return stored[4] === undefined ? relatum : { ...relatum, metadata: stored[4] };
}

function isEmpty(properties: JsonObject): boolean {
  for (const _ in properties) return false;
  return true;
}
