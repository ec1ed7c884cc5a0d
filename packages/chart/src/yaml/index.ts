export type { YamlLimits } from './read.ts';
export { readYaml, readYamlDocument, surveyYaml } from './read.ts';
export type { WriteYamlOptions } from './write.ts';
export { writeYaml } from './write.ts';
