import type * as z from 'zod';
import { schemaFaults } from './check-schema.ts';
import type { DocumentFault } from './place.ts';
import { type DocumentLimits, type DocumentSource, type RawDocument, readYaml } from './read-yaml.ts';

export type ParsedDocument<T> =
  | { readonly type: 'ok'; readonly value: T; readonly document: RawDocument }
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] };

/** Reads a YAML or JSON document that a person wrote and holds it to a schema; every fault comes with its place, sorted by it. */
export function parseDocument<T>(
  source: DocumentSource,
  schema: z.ZodType<T>,
  limits: DocumentLimits = {},
): ParsedDocument<T> {
  const read = readYaml(source, limits);
  if (read.type === 'faulty') return read;
  const checked = schema.safeParse(read.document.value);
  if (checked.success) return { type: 'ok', value: checked.data, document: read.document };
  const faults = schemaFaults(read.document, schema, checked.error.issues);
  return { type: 'faulty', faults: [...faults].sort((a, b) => a.line - b.line || a.column - b.column) };
}
