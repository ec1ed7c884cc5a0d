import type { Json, JsonObject } from '@warrant/core';
import type { Literal, Quad, Term } from 'n3';
import type { Provenance } from '../provenance.ts';
import { provenanceQuads } from './quads.ts';
import { AGENT_VOCABULARY, PROV, RDF, RDFS, XSD } from './vocabulary.ts';

const IRIS = ['run', 'chose', 'offered', 'ran', 'grant'];
const PROV_IRIS = [
  'wasAssociatedWith',
  'wasInformedBy',
  'wasGeneratedBy',
  'wasDerivedFrom',
  'qualifiedAssociation',
  'agent',
  'hadPlan',
];
/** Always lists, so that readers need not tell one from many. */
const LISTS: ReadonlySet<string> = new Set(['@type', 'offered', 'targets', 'tools', 'deciders', 'functions']);
const IS_IRI = { '@type': '@id' };

const CONTEXT: JsonObject = {
  '@vocab': AGENT_VOCABULARY,
  prov: PROV,
  rdfs: RDFS,
  xsd: XSD,
  ...Object.fromEntries(IRIS.map((name) => [name, IS_IRI])),
  ...Object.fromEntries(PROV_IRIS.map((name) => [`prov:${name}`, IS_IRI])),
  'rdfs:subClassOf': IS_IRI,
  'prov:endedAtTime': { '@type': 'xsd:dateTime' },
};

/** JSON-LD 1.1, which knows no triple terms: the same graph, with a decision's annotations on the decision itself. */
export function toJsonLd(provenance: Provenance): JsonObject {
  const quads = provenanceQuads(provenance);
  const decisions = new Map<string, string>();
  for (const { subject, object } of quads)
    if (isTriple(object)) decisions.set(subject.value, (object as unknown as Quad).subject.value);
  const nodes = new Map<string, Record<string, Json[]>>();
  for (const { subject, predicate, object } of quads) {
    if (isTriple(object)) continue;
    const id = decisions.get(subject.value) ?? nameOf(subject);
    const node = nodes.get(id) ?? {};
    nodes.set(id, node);
    const name = compact(predicate.value);
    const value = object.termType === 'Literal' ? literalValue(object) : compactIn(name, nameOf(object));
    const values = node[name] ?? [];
    if (!values.includes(value)) node[name] = [...values, value];
  }
  return {
    '@context': CONTEXT,
    '@graph': [...nodes].map(([id, node]) => ({ '@id': id, ...compactValues(node) })),
  };
}

function compactValues(node: Readonly<Record<string, readonly Json[]>>): JsonObject {
  return Object.fromEntries(
    Object.entries(node).map(([name, values]) => [
      name,
      values.length === 1 && !LISTS.has(name) ? (values[0] as Json) : [...values],
    ]),
  );
}

/** The types of the library do not know of triples as terms yet. */
function isTriple(term: Term): boolean {
  return (term.termType as string) === 'Quad';
}

function nameOf({ termType, value }: Term): string {
  return termType === 'BlankNode' ? `_:${value}` : value;
}

function compact(iri: string): string {
  if (iri === `${RDF}type`) return '@type';
  if (iri.startsWith(AGENT_VOCABULARY)) return iri.slice(AGENT_VOCABULARY.length);
  if (iri.startsWith(PROV)) return `prov:${iri.slice(PROV.length)}`;
  return iri.startsWith(RDFS) ? `rdfs:${iri.slice(RDFS.length)}` : iri;
}

/** Types are names of the vocabulary; what other properties lead to is named in full. */
function compactIn(property: string, iri: string): string {
  return property === '@type' ? compact(iri) : iri;
}

function literalValue({ value, datatype }: Literal): Json {
  switch (datatype.value) {
    case `${XSD}integer`:
    case `${XSD}decimal`:
      return Number(value);
    case `${XSD}boolean`:
      return value === 'true';
    default:
      return value;
  }
}
