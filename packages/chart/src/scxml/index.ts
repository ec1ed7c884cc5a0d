export { readScxml, readScxmlDocument, surveyScxml } from './read.ts';
export { writeScxml } from './write.ts';
export type { XmlLimits } from './xml.ts';
