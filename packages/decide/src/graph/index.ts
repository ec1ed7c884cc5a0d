export { provenanceQuads } from './quads.ts';
export { AGENT_SHAPES, AGENT_VOCABULARY } from './vocabulary.ts';
export { toJsonLd, toNTriples, toTurtle } from './write.ts';
