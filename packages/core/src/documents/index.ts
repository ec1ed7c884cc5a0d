export { nearest } from '../nearest.ts';
export type { ParsedDocument } from './parse-document.ts';
export { parseDocument } from './parse-document.ts';
export type { DocumentFault, DocumentPath, Place } from './place.ts';
export { formatFault, jsonPointer } from './place.ts';
export type { DocumentLimits, DocumentSource, RawDocument } from './read-yaml.ts';
export { faultAt, readYaml } from './read-yaml.ts';
export type { DocumentReading } from './reading.ts';
export { noteFault, readMap } from './reading.ts';
