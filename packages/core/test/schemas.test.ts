import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { digest, type Json } from '../src/index.ts';
import { parseModel, toolCallSchema } from '../src/schemas/index.ts';
import { namedSchemas, schemaFiles } from './schema-files.ts';

type Schema = { readonly [keyword: string]: unknown };

/** Texts for each pattern that the schemas use; an unknown pattern fails the run. */
const EXAMPLES: readonly (readonly [start: string, examples: readonly string[]])[] = [
  ['^sha256:', [digest('a'), digest('b')]],
  ['^\\d{4}-', ['2026-01-01T00:00:00Z', '2026-12-31T23:59:60.123456Z']],
  ['^(?:\\/', ['', '/to', '/a/0']],
];

function examplesOf(pattern: string): readonly string[] {
  const found = EXAMPLES.find(([start]) => pattern.startsWith(start));
  if (found === undefined) throw new Error(`no examples for the pattern ${pattern}`);
  return found[1];
}

/** Values that fit a schema, for the keywords that the schemas use. */
function fitting(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  if (typeof schema['$ref'] === 'string') {
    const name = schema['$ref'].replace('#/$defs/', '');
    return fitting((root['$defs'] as { [name: string]: Schema })[name] as Schema, root);
  }
  const options = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((option) => fitting(option, root)));
  if ('const' in schema) return fc.constant(schema['const']);
  if ('enum' in schema) return fc.constantFrom(...(schema['enum'] as unknown[]));
  if (Array.isArray(schema['type'])) {
    return fc.oneof(...(schema['type'] as string[]).map((type) => fitting({ ...schema, type }, root)));
  }
  switch (schema['type']) {
    case 'object':
      return fittingObject(schema, root);
    case 'array':
      return Array.isArray(schema['prefixItems'])
        ? fc.tuple(...(schema['prefixItems'] as Schema[]).map((item) => fitting(item, root)))
        : fc.array(fitting(schema['items'] as Schema, root), {
            minLength: Number(schema['minItems'] ?? 0),
            maxLength: 3,
          });
    case 'string':
      if (typeof schema['pattern'] === 'string') return fc.constantFrom(...examplesOf(schema['pattern']));
      return fc.string({ minLength: Number(schema['minLength'] ?? 0), maxLength: 8, unit: 'grapheme-ascii' });
    case 'integer':
      return fc.integer({ min: Math.max(Number(schema['minimum'] ?? -9), -9), max: 9 });
    case 'number':
      return fc.double({ min: Number(schema['minimum'] ?? -9), max: Number(schema['maximum'] ?? 9), noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function fittingObject(schema: Schema, root: Schema): fc.Arbitrary<unknown> {
  const properties = schema['properties'] as { [name: string]: Schema } | undefined;
  if (properties !== undefined) {
    const required = schema['required'] as string[];
    const members = Object.entries(properties).map(([name, member]) => [name, fitting(member, root)] as const);
    return fc.record(Object.fromEntries(members), { requiredKeys: required as never[], noNullPrototype: true });
  }
  const names = schema['propertyNames'] as Schema | undefined;
  const member = schema['additionalProperties'] as Schema | undefined;
  if (names === undefined || member === undefined) return fc.constantFrom({}, { a: 1 }, { b: { c: [null] } });
  return fc.dictionary(fitting(names, root) as fc.Arbitrary<string>, fitting(member, root), {
    maxKeys: 3,
    noNullPrototype: true,
  });
}

const strange = fc.constantFrom<Json>(
  null,
  true,
  0,
  -1,
  1.5,
  5,
  '',
  'x',
  '2026-13-01T00:00:00Z',
  'sha256:x',
  [],
  {},
  ['x'],
  { x: 1 },
  1e21,
);

/** The value with one place in it changed, taken out or added to. */
function spoil(value: Json, path: readonly number[], how: number, by: Json): Json {
  if (typeof value !== 'object' || value === null || path.length === 0) return by;
  const [first, ...rest] = path as [number, ...number[]];
  const names = Object.keys(value);
  const copy = structuredClone(value) as { [name: string]: Json };
  if (how === 0 || names.length === 0) {
    if (Array.isArray(copy)) copy.push(by);
    else copy['extra'] = by;
    return copy;
  }
  const name = names[first % names.length] as string;
  if (how === 1 && rest.length === 0 && !Array.isArray(copy)) delete copy[name];
  else copy[name] = spoil(copy[name] as Json, rest, how, by);
  return copy;
}

describe('the JSON Schemas', () => {
  const directory = join(import.meta.dirname, '../schema');
  it('are committed as the schemas of this version give them', () => {
    const files = schemaFiles();
    expect(files.size).toBeGreaterThan(30);
    expect(readdirSync(directory).sort()).toEqual([...files.keys()].sort());
    for (const [name, text] of files) expect(readFileSync(join(directory, name), 'utf8'), name).toBe(text);
  });

  it.each([...namedSchemas()])('agree with %s on what fits and what does not', (_name, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input', reused: 'inline' }) as Schema;
    const validate = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false }).compile(json);
    const outcomes = { fits: 0, differs: 0 };
    fc.assert(
      fc.property(
        fitting(json, json),
        fc.option(fc.tuple(fc.array(fc.nat(20), { maxLength: 4 }), fc.nat(2), strange), { freq: 2 }),
        (value, change) => {
          const plain = JSON.parse(JSON.stringify(value)) as Json;
          const given = change === null ? plain : spoil(plain, ...change);
          const fits = validate(given);
          outcomes[fits ? 'fits' : 'differs'] += 1;
          expect(schema.safeParse(given).success, JSON.stringify(given)).toBe(fits);
          if (fits) expect(schema.parse(given)).toEqual(given);
        },
      ),
      { numRuns: process.env['WARRANT_SOAK'] === undefined ? 100 : 5000, seed: 11 },
    );
    expect(Math.min(outcomes.fits, outcomes.differs)).toBeGreaterThan(5);
  });
});

describe('parseModel', () => {
  const call = { id: '1', tool: 'write', arguments: { path: '/a' } };

  it('hands on what fits, members named like those of the host included', () => {
    const hostile = JSON.parse('{"id": "1", "tool": "t", "arguments": {"__proto__": {"a": 1}, "constructor": 2}}');
    expect(JSON.stringify(parseModel(toolCallSchema, hostile, 'call'))).toBe(JSON.stringify(hostile));
  });

  it.each([
    [{ ...call, secret: 'hunter2' }, '', 'unknown: secret'],
    [{ ...call, tool: 7 }, '/tool', 'invalid_type'],
    [{ ...call, arguments: { path: undefined } }, '/arguments', 'custom'],
    [{ ...call, arguments: { when: new Date() } }, '/arguments', 'custom'],
    [{ ...call, arguments: { text: '\uD800' } }, '/arguments', 'custom'],
    [{ ...call, arguments: 'hunter2' }, '/arguments', 'custom'],
    [{ ...call, labels: { '/a~b': { trust: 'hunter2', sources: [] } } }, '/labels/~1a~0b/trust', 'invalid_value'],
  ])('names the place in %j and no value', (value, at, fault) => {
    let error: unknown;
    try {
      parseModel(toolCallSchema, value, 'call');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code: 'SCHEMA_INVALID', data: { what: 'call', faults: [{ at, fault }] } });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});
