import type { Primitive, Provenance } from '@warrant/core';
import { decodeBody, encodeBody, type StoredBody } from '../body.ts';
import type { Interner } from '../interner.ts';
import { type StoredPrimitive, storePrimitive } from '../stored.ts';
import type { Rows } from './connection.ts';
import { neo4jError } from './errors.ts';

// The revision at which it was written stands inside the text: a text is replaced as one, so nobody reads the levels of
// one revision under the number of another.
type Body = readonly [revision: number, provenances: readonly Provenance[], levels: StoredBody];

/** A concept as it was read, with the revision that wrote it and the length of its text. */
export type ReadConcept = { readonly stored: StoredPrimitive; readonly revision: number; readonly length: number };

/** The parameters of CREATE and UPDATE for one concept. */
export function conceptRow(stored: StoredPrimitive, revision: number, interner: Interner): readonly unknown[] {
  const { primitive, key, digest } = stored;
  return [primitive.id, key, primitive.name, bodyText(primitive, revision, interner), digest, sourcesOf(primitive)];
}

function bodyText(primitive: Primitive, revision: number, interner: Interner): string {
  const numbers = new Map<string, number>();
  const numberOf = (provenance: Provenance): number => {
    const text = interner.textOf(provenance);
    const known = numbers.get(text) ?? numbers.size;
    numbers.set(text, known);
    return known;
  };
  const levels = encodeBody(primitive, numberOf, interner.textOf);
  return `[${revision},[${[...numbers.keys()].join(',')}],${levels}]`;
}

function sourcesOf(primitive: Primitive): readonly string[] {
  const sources = new Set<string>([primitive.provenance.source]);
  for (const depth of primitive.depths) {
    sources.add(depth.provenance.source);
    for (const relatum of depth.relata) sources.add(relatum.provenance.source);
  }
  return [...sources].sort();
}

/** The concepts of rows of id, name, body and digest; null for one whose parts are not of one piece. */
export function readConcepts(rows: Rows, interner: Interner): readonly (ReadConcept | { readonly torn: string })[] {
  return rows.map((row) => {
    const id = row.get(0) as string;
    return readConcept({ id, name: row.get(1) as string, body: row.get(2) as string }, row.get(3) as string, interner);
  });
}

function readConcept(
  { id, name, body }: { readonly id: string; readonly name: string; readonly body: string },
  digest: string,
  interner: Interner,
): ReadConcept | { readonly torn: string } {
  try {
    const [revision, texts, levels] = JSON.parse(body) as Body;
    const provenances = texts.map((provenance) => interner.provenance(provenance));
    const provenanceOf = (number: number): Provenance => {
      const provenance = provenances[number];
      if (provenance === undefined) throw new RangeError(`no provenance has the number ${number}`);
      return provenance;
    };
    const stored = storePrimitive(decodeBody({ id, name }, levels, provenanceOf), interner);
    return stored.digest === digest ? { stored, revision, length: body.length } : { torn: id };
  } catch {
    return { torn: id };
  }
}

/** The error for a concept whose text is not what its digest says. */
export function corrupt(id: string): Error {
  const message = `the concept ${id} is not what was written: its text and its digest disagree, or it is gone`;
  return neo4jError('GRAPH_STORE_CORRUPT', message, { data: { primitive: id } });
}
