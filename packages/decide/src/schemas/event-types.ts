import type { EventTypes, EventTypesCompiler } from '@warrant/chart';
import { type JsonObject, WarrantError } from '@warrant/core';
import type { Schemas } from '../machine/program.ts';

/**
 * Event types written as JSON Schemas instead of the type language: the chart's `types` are one JSON object, schema by
 * event. For charts that programs make.
 */
export function jsonEventTypes(schemas: Schemas): EventTypesCompiler {
  return (declarations): EventTypes => {
    const types = parse(declarations);
    const schemaOf = (event: string) => (Object.hasOwn(types, event) ? types[event] : undefined);
    return {
      schemaOf,
      violations: (event, data) => {
        const schema = schemaOf(event);
        return schema === undefined ? [] : schemas.violations(schema, data);
      },
    };
  };
}

function parse(declarations: string): Readonly<Record<string, JsonObject>> {
  try {
    const value: unknown = JSON.parse(declarations);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, JsonObject>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new WarrantError('CHART_TYPES', 'the event types are not one JSON object of schemas');
}
