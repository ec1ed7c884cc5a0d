export { readScxml, readScxmlDocument } from './read.ts';
export { writeScxml } from './write.ts';
export type { XmlLimits } from './xml.ts';
