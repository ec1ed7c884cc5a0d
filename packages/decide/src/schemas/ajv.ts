import { typeSchema } from '@warrant/chart/types';
import { isWarrantError, type Json, type JsonObject, WarrantError } from '@warrant/core';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Schemas } from '../machine/program.ts';

const MAX_PATHS = 20;

/** Checks by ajv, JSON Schema 2020-12. What the schema itself gets wrong is a violation of everything. */
export function ajvSchemas(): Schemas {
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  const compiled = new WeakMap<JsonObject, ValidateFunction>();
  const types = new Map<string, JsonObject>();
  const compile = (schema: JsonObject): ValidateFunction => {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const { $id: _, ...anonymous } = schema;
    const made = ajv.compile(anonymous);
    compiled.set(schema, made);
    return made;
  };
  return {
    violations: (schema, value) => violationsOf(() => compile(schema), value),
    ofType: (type) => {
      const known = types.get(type);
      if (known !== undefined) return known;
      const made = read(type);
      types.set(type, made);
      return made;
    },
  };
}

function read(type: string): JsonObject {
  try {
    return typeSchema(type);
  } catch (cause) {
    if (!isWarrantError(cause)) throw cause;
    throw new WarrantError('DECIDE_TYPE', cause.message, { cause });
  }
}

function violationsOf(compile: () => ValidateFunction, value: Json): readonly string[] {
  try {
    const validate = compile();
    if (validate(value)) return [];
    const paths = (validate.errors ?? []).map(({ instancePath, params }) => {
      const { missingProperty, additionalProperty } = params as {
        readonly missingProperty?: string;
        readonly additionalProperty?: string;
      };
      const field = missingProperty ?? additionalProperty;
      return field === undefined
        ? instancePath
        : `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    });
    return [...new Set(paths)].slice(0, MAX_PATHS);
  } catch {
    // A schema that does not compile, or a value nested beyond the stack.
    return [''];
  }
}
