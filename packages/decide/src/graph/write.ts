import { Writer } from 'n3';
import type { Provenance } from '../provenance.ts';
import { provenanceQuads } from './quads.ts';
import { AGENT_VOCABULARY, PROV, XSD } from './vocabulary.ts';

/** Turtle 1.2; annotations stand on triple terms. */
export function toTurtle(provenance: Provenance): Promise<string> {
  return write(provenance, { prefixes: { a: AGENT_VOCABULARY, prov: PROV, xsd: XSD } });
}

/** N-Triples 1.2, one line a triple. */
export function toNTriples(provenance: Provenance): Promise<string> {
  return write(provenance, { format: 'N-Triples' });
}

function write(provenance: Provenance, options: object): Promise<string> {
  const writer = new Writer(options);
  writer.addQuads([...provenanceQuads(provenance)]);
  return new Promise((resolve, reject) => {
    writer.end((error, text) => (error ? reject(error as Error) : resolve(text as string)));
  });
}
