export { readScxml } from './read.ts';
export type { XmlLimits } from './xml.ts';
