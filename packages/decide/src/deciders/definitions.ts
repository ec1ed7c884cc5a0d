import { canonicalJson, type Json, type JsonObject } from '@warrant/core';

/** Schemas that stand inside another one, and the definitions that they share at its top: a reference counts from there. */
export type Shared = { readonly schemas: readonly JsonObject[]; readonly definitions: JsonObject };

const PREFIX = '#/$defs/';

/** Brings the definitions of several schemas together. What is equal is one; names that mean something else are told apart by a number. */
export function shareDefinitions(schemas: readonly JsonObject[]): Shared {
  const texts = new Map<string, string>();
  const definitions: Record<string, Json> = {};
  const shared = schemas.map((schema, index): JsonObject => {
    const { $schema: _, $defs, ...rest } = schema;
    const own = Object.entries(($defs ?? {}) as JsonObject);
    const isOther = ([name, value]: readonly [string, Json]) =>
      (texts.get(name) ?? canonicalJson(value)) !== canonicalJson(value);
    const suffix = own.some(isOther) ? `_${index + 1}` : '';
    for (const [name, value] of own) {
      texts.set(name + suffix, canonicalJson(value));
      definitions[name + suffix] = renamed(value, suffix);
    }
    return renamed(rest, suffix) as JsonObject;
  });
  return { schemas: shared, definitions };
}

function renamed(value: Json, suffix: string): Json {
  if (suffix === '' || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => renamed(item, suffix));
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, member]) =>
      key === '$ref' && typeof member === 'string' && member.startsWith(PREFIX)
        ? [key, member.replace(/^#\/\$defs\/[^/]+/, (name) => name + suffix)]
        : [key, renamed(member, suffix)],
    ),
  );
}
