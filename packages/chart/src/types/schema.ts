import type { Json, JsonObject } from '@warrant/core';
import { nearest } from '@warrant/core/documents';
import type { Builtin, TypeNode } from './parse.ts';
import { typesError } from './tokens.ts';

type Types = ReadonlyMap<string, TypeNode>;

const BUILTIN_SCHEMAS: Readonly<Record<Builtin, JsonObject>> = {
  string: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  bool: { type: 'boolean' },
  null: { type: 'null' },
  any: {},
};

/** The type as a JSON Schema 2020-12 that stands alone: named types that it uses are in its `$defs`. @throws CHART_TYPES for a name that is not declared */
export function schemaOf(node: TypeNode, types: Types): JsonObject {
  const used = new Map<string, JsonObject>();
  const schema = convert(node, types, used);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    ...schema,
    ...(used.size === 0 ? {} : { $defs: Object.fromEntries(used) }),
  };
}

function convert(node: TypeNode, types: Types, used: Map<string, JsonObject>): JsonObject {
  switch (node.type) {
    case 'builtin':
      return BUILTIN_SCHEMAS[node.name];
    case 'literal':
      return { const: node.value };
    case 'array':
      return { type: 'array', items: convert(node.item, types, used) };
    case 'union':
      return union(node.options, types, used);
    case 'object':
      return object(node, types, used);
    case 'named':
      return named(node, types, used);
  }
}

function union(options: readonly TypeNode[], types: Types, used: Map<string, JsonObject>): JsonObject {
  const literals = options.flatMap((option) => (option.type === 'literal' ? [option.value] : []));
  const others = options.filter((option) => option.type !== 'literal').map((option) => convert(option, types, used));
  const literal: readonly JsonObject[] = literals.length === 0 ? [] : [{ enum: [...new Set<Json>(literals)] }];
  const [only, second] = [...literal, ...others];
  return second === undefined ? (only as JsonObject) : { anyOf: [...literal, ...others] };
}

/** Fields that are not named are refused, unless the type says what they are. */
function object(
  node: Extract<TypeNode, { readonly type: 'object' }>,
  types: Types,
  used: Map<string, JsonObject>,
): JsonObject {
  const required = node.fields.filter((field) => !field.optional).map((field) => field.name);
  return {
    type: 'object',
    properties: Object.fromEntries(node.fields.map(({ name, value }) => [name, convert(value, types, used)])),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: node.rest === undefined ? false : convert(node.rest, types, used),
  };
}

function named(
  { name, at }: Extract<TypeNode, { readonly type: 'named' }>,
  types: Types,
  used: Map<string, JsonObject>,
): JsonObject {
  const declared = types.get(name);
  if (declared === undefined) {
    const meant = nearest(name, types.keys());
    throw typesError(
      `the type '${name}' is not declared${meant === undefined ? '' : `: did you mean '${meant}'?`}`,
      at,
    );
  }
  if (!used.has(name)) {
    used.set(name, {});
    used.set(name, convert(declared, types, used));
  }
  return { $ref: `#/$defs/${name}` };
}
