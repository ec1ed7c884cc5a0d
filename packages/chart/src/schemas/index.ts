export { chartIrSchema } from './chart-ir.ts';
export { chartYamlSchema } from './chart-yaml.ts';
export { chartJsonSchemas } from './json-schemas.ts';
export { parseChart } from './parse-chart.ts';
