import type { Json, JsonObject } from '@warrant/core';
import { WarrantError } from '@warrant/core';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import type { EventTypes, EventTypesCompiler } from '../event-types.ts';
import { parseDeclarations, parseType, type TypeNode } from './parse.ts';
import { schemaOf } from './schema.ts';

/** Paths that one event reports at most. */
const MAX_PATHS = 20;

/** Compiles the event types that charts declare in their extension `types`; for the option `types` of `compileChart`. */
export function eventTypes(): EventTypesCompiler {
  return compileEventTypes;
}

function compileEventTypes(source: string): EventTypes {
  const { types, events } = parseDeclarations(source);
  checkCycles(types);
  // Also a type that no event uses must name only declared ones.
  for (const node of types.values()) schemaOf(node, types);
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  const compiled = new Map(
    [...events].map(([name, node]) => {
      const schema = schemaOf(node, types);
      return [name, { schema, validate: ajv.compile(schema) }] as const;
    }),
  );
  return {
    violations: (event, data) => {
      const entry = compiled.get(event);
      return entry === undefined ? [] : violationsOf(entry.validate, data);
    },
    schemaOf: (event) => compiled.get(event)?.schema,
  };
}

/** The JSON Schema 2020-12 of one type, such as `{ category: billing | other, urgency: int }`, with declarations it may use. @throws CHART_TYPES */
export function typeSchema(type: string, declarations = ''): JsonObject {
  const { types } = parseDeclarations(declarations);
  checkCycles(types);
  return schemaOf(parseType(type), types);
}

function violationsOf(validate: ValidateFunction, data: Json): readonly string[] {
  try {
    if (validate(data)) return [];
  } catch (error) {
    // A recursive type follows the data down; what is nested beyond the stack is not of the type.
    if (error instanceof RangeError) return [''];
    throw error;
  }
  return [...new Set((validate.errors ?? []).map(pathOf))].slice(0, MAX_PATHS);
}

/** The path of what is wrong: for a field that is missing or not known, of the field itself. */
function pathOf({ instancePath, params, keyword }: ErrorObject): string {
  const given = params as { readonly missingProperty?: string; readonly additionalProperty?: string };
  const field =
    keyword === 'required'
      ? given.missingProperty
      : keyword === 'additionalProperties'
        ? given.additionalProperty
        : undefined;
  return field === undefined ? instancePath : `${instancePath}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A type that is only itself, as in `type A = B; type B = A;`, means nothing. */
function checkCycles(types: ReadonlyMap<string, TypeNode>): void {
  const done = new Set<string>();
  const visit = (name: string, path: ReadonlySet<string>): void => {
    if (path.has(name))
      throw new WarrantError('CHART_TYPES', `the type '${name}' is defined by nothing but itself`, {
        data: { type: name },
      });
    if (done.has(name)) return;
    const node = types.get(name);
    for (const next of node === undefined ? [] : namesIn(node)) visit(next, new Set([...path, name]));
    done.add(name);
  };
  for (const name of types.keys()) visit(name, new Set());
}

/** The names that a type stands for without a field or a list between. */
function namesIn(node: TypeNode): readonly string[] {
  if (node.type === 'union') return node.options.flatMap(namesIn);
  return node.type === 'named' ? [node.name] : [];
}
