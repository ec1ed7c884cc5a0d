import { nearest } from '../nearest.ts';
import type { DocumentFault, DocumentPath } from './place.ts';
import { faultAt, type RawDocument } from './read-yaml.ts';

/** A document that is read by hand, part by part, with what was found wrong so far. */
export type DocumentReading = { readonly document: RawDocument; readonly faults: DocumentFault[] };

/**
 * The map at a path; anything else, and every unknown key, is noted as a fault.
 * @param keys the keys that may be there; null allows all
 */
export function readMap(
  reading: DocumentReading,
  value: unknown,
  path: DocumentPath,
  keys: readonly string[] | null,
): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    noteFault(reading, path, 'wrong-type', 'not a map');
    return {};
  }
  for (const key of Object.keys(value)) {
    if (keys === null || keys.includes(key)) continue;
    const meant = nearest(key, keys);
    const expected = meant === undefined ? `known keys: ${keys.join(', ')}` : `did you mean '${meant}'?`;
    noteFault(reading, [...path, key], 'unknown-key', `unknown key ${JSON.stringify(key)}`, expected);
  }
  return value as Record<string, unknown>;
}

/** Notes a fault at a path. */
export function noteFault(
  { document, faults }: DocumentReading,
  path: DocumentPath,
  code: string,
  message: string,
  expected?: string,
): void {
  faults.push(faultAt(document, path, { code, message, ...(expected === undefined ? {} : { expected }) }));
}
