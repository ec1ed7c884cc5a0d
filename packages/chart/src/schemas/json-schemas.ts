import * as z from 'zod';
import { chartIrSchema } from './chart-ir.ts';
import { chartYamlSchema } from './chart-yaml.ts';

/** The JSON Schemas of this package by file name: of the JSON form, and of the YAML surface for editors. */
export function chartJsonSchemas(): Readonly<Record<string, object>> {
  return {
    'chart.schema.json': z.toJSONSchema(chartIrSchema, { io: 'input' }),
    'chart-yaml.schema.json': z.toJSONSchema(chartYamlSchema, { io: 'input' }),
  };
}
