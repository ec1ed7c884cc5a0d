import { type DepthLevel, isWarrantError, type JsonObject } from '@warrant/core';
import type { CelEnvironment } from '@warrant/core/cel';
import {
  type DocumentFault,
  type DocumentSource,
  faultAt,
  parseDocument,
  type RawDocument,
} from '@warrant/core/documents';
import { frozenJson } from '../frozen-json.ts';
import { DEFAULT_CONFIRMATION, type Placement } from '../placement.ts';
import { createPolicySet, type PolicySet } from '../policy-set.ts';
import { type CompiledCondition, compileCondition, createPolicyEnvironment } from './expression.ts';
import { type PolicyEntry, policyDocument } from './schema.ts';

export type ParsedPolicies =
  | { readonly type: 'ok'; readonly policies: PolicySet }
  | { readonly type: 'faulty'; readonly faults: readonly DocumentFault[] };

/** How large a policy file may be, in bytes. */
export const MAX_POLICY_FILE_BYTES = 1024 * 1024;

/**
 * Reads a `warrant.policy/1` document, YAML or JSON. Every fault comes with its line: syntax, unknown and missing keys,
 * duplicate policy keys, conditions that do not compile.
 */
export function parsePolicies(source: DocumentSource): ParsedPolicies {
  const parsed = parseDocument(source, policyDocument, { maxBytes: MAX_POLICY_FILE_BYTES });
  if (parsed.type === 'faulty') return parsed;
  const environment = createPolicyEnvironment();
  const faults: DocumentFault[] = [];
  const placements: Placement[] = [];
  const seen = new Map<string, number>();
  for (const [index, entry] of parsed.value.policies.entries()) {
    const first = seen.get(entry.key);
    if (first !== undefined) faults.push(duplicateFault(parsed.document, index, entry.key, first));
    else seen.set(entry.key, parsed.document.placeOf(['policies', index, 'key']).line);
    const compiled = compileEntry(environment, parsed.document, index, entry);
    if ('code' in compiled) faults.push(compiled);
    else placements.push(placementOf(entry, compiled, parsed.document.placeOf(['policies', index])));
  }
  return faults.length > 0 ? { type: 'faulty', faults } : { type: 'ok', policies: createPolicySet(placements) };
}

function compileEntry(
  environment: CelEnvironment,
  document: RawDocument,
  index: number,
  entry: PolicyEntry,
): CompiledCondition | DocumentFault {
  const key = entry.blockWhen === undefined ? 'confirmWhen' : 'blockWhen';
  try {
    return compileCondition(environment, entry.blockWhen ?? entry.confirmWhen ?? '');
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    const message = `${entry.key}: ${error.message}`;
    return faultAt(document, ['policies', index, key], { code: 'wrong-condition', message });
  }
}

function duplicateFault(document: RawDocument, index: number, key: string, first: number): DocumentFault {
  const message = `the key '${key}' is used before, in line ${first}`;
  return faultAt(document, ['policies', index, 'key'], { code: 'duplicate-policy', message });
}

function placementOf(
  entry: PolicyEntry,
  condition: CompiledCondition,
  place: { readonly file: string; readonly line: number },
): Placement {
  return Object.freeze({
    key: entry.key,
    name: entry.name ?? entry.key,
    source: entry.source,
    target: entry.target,
    sourceDepth: entry.sourceDepth as DepthLevel,
    effect: entry.blockWhen === undefined ? 'confirm' : 'block',
    triggerCardinality: entry.triggerCardinality ?? null,
    confirmationMessage: entry.message ?? (entry.blockWhen === undefined ? DEFAULT_CONFIRMATION : BLOCKED),
    metadata: frozenJson(entry.metadata ?? {}) as JsonObject,
    sticky: entry.sticky ?? 'never',
    condition,
    origin: Object.freeze({ type: 'file' as const, file: place.file, line: place.line }),
  } satisfies Placement);
}

const BLOCKED = 'A policy does not allow this action.';
