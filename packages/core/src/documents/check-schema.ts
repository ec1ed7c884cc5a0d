import type * as z from 'zod';
import { nearest } from '../nearest.ts';
import { type DocumentFault, type DocumentPath, jsonPointer } from './place.ts';
import { faultAt, type RawDocument } from './read-yaml.ts';

type Issue = z.core.$ZodIssue;

/** The schema's complaints as faults with places, unknown keys with the key that was probably meant. */
export function schemaFaults(
  document: RawDocument,
  schema: z.ZodType,
  issues: readonly Issue[],
): readonly DocumentFault[] {
  return issues.flatMap((issue) => faultsOf(document, schema, issue, []));
}

function faultsOf(
  document: RawDocument,
  schema: z.ZodType,
  issue: Issue,
  before: DocumentPath,
): readonly DocumentFault[] {
  const path = [...before, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(document, path, key, knownKeys(schema, path)));
    case 'invalid_union': {
      const branch = closestBranch(issue.errors);
      if (branch !== undefined) return branch.flatMap((inner) => faultsOf(document, schema, inner, path));
      return [faultAt(document, path, { code: 'wrong-value', message: issue.message })];
    }
    case 'invalid_type':
      return [wrongType(document, path, issue.expected)];
    case 'invalid_value':
      return [wrongValue(document, path, issue.values.map(String))];
    default:
      return [faultAt(document, path, { code: 'wrong-value', message: issue.message })];
  }
}

function unknownKey(document: RawDocument, path: DocumentPath, key: string, known: readonly string[]): DocumentFault {
  const meant = nearest(key, known);
  const expected =
    meant !== undefined ? `did you mean '${meant}'?` : known.length > 0 ? `known keys: ${known.join(', ')}` : undefined;
  return {
    ...document.placeOfKey(path, key),
    path: jsonPointer([...path, key]),
    code: 'unknown-key',
    message: `unknown key '${key}'`,
    ...(expected === undefined ? {} : { expected }),
  };
}

function wrongType(document: RawDocument, path: DocumentPath, expected: string): DocumentFault {
  const value = valueAt(document.value, path);
  if (value !== undefined)
    return faultAt(document, path, {
      code: 'wrong-type',
      message: `this is ${kindOf(value)}`,
      expected: `expected ${article(expected)}`,
    });
  const key = path.at(-1);
  return faultAt(document, path, {
    code: 'missing-key',
    message: key === undefined ? 'the document is empty' : `'${key}' is missing`,
    expected: `expected ${article(expected)}`,
  });
}

function wrongValue(document: RawDocument, path: DocumentPath, allowed: readonly string[]): DocumentFault {
  const value = valueAt(document.value, path);
  if (value === undefined)
    return faultAt(document, path, {
      code: 'missing-key',
      message: `'${path.at(-1) ?? ''}' is missing`,
      expected: `expected ${allowed.join(' or ')}`,
    });
  const meant = typeof value === 'string' ? nearest(value, allowed) : undefined;
  const shown = typeof value === 'string' ? `'${value.slice(0, 60)}'` : kindOf(value);
  const expected = meant === undefined ? `expected ${allowed.join(' or ')}` : `did you mean '${meant}'?`;
  return faultAt(document, path, { code: 'wrong-value', message: `${shown} is not known here`, expected });
}

/** Of a union's branches, the one that the document came closest to: its first complaint lies deepest. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const depth = (issues: readonly Issue[]) =>
    Math.max(0, ...issues.map((issue) => issue.path.length + (issue.code === 'unrecognized_keys' ? 1 : 0)));
  return [...branches].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0];
}

/** The keys that the schema's object at the path knows. */
function knownKeys(schema: z.ZodType, path: DocumentPath): readonly string[] {
  const inner = unwrap(schema);
  const def = inner.def as {
    shape?: Record<string, z.ZodType>;
    element?: z.ZodType;
    valueType?: z.ZodType;
    options?: readonly z.ZodType[];
  };
  if (def.options !== undefined) return [...new Set(def.options.flatMap((option) => knownKeys(option, path)))];
  const [step, ...rest] = path;
  if (step === undefined) return def.shape === undefined ? [] : Object.keys(def.shape);
  const next = def.shape?.[String(step)] ?? def.element ?? def.valueType;
  return next === undefined ? [] : knownKeys(next, rest);
}

function unwrap(schema: z.ZodType): z.ZodType {
  const def = schema.def as { innerType?: z.ZodType; in?: z.ZodType; getter?: () => z.ZodType };
  const inner = def.innerType ?? def.in ?? def.getter?.();
  return inner === undefined ? schema : unwrap(inner);
}

function valueAt(value: unknown, path: DocumentPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = (current as Record<string | number, unknown>)[step];
  }
  return current;
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'a map' : article(typeof value);
}

function article(kind: string): string {
  const word =
    ({ object: 'map', record: 'map', array: 'list', int: 'whole number', string: 'text' } as Record<string, string>)[
      kind
    ] ?? kind;
  return `a ${word}`;
}
