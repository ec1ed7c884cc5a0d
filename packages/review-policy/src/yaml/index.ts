export { type ReviewConfig, readConfig } from './config.ts';
export { MAX_YAML_LENGTH, parseYaml, type YamlDocument } from './document.ts';
