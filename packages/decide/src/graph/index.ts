export { toJsonLd } from './json-ld.ts';
export { provenanceQuads } from './quads.ts';
export { AGENT_SHAPES, AGENT_VOCABULARY } from './vocabulary.ts';
export { toNTriples, toTurtle } from './write.ts';
