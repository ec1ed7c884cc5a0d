import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime, type JsonObject, type Proposal, systemClock, WarrantError } from '@warrant/core';
import { type ParsedPolicy, parsePolicy, type ReviewGate, readSubject } from '@warrant/review-policy';
import { parseYaml, readConfig } from '@warrant/review-policy/yaml';
import { readNamed } from '../cli/read-named.ts';
import { loadCompiler } from './desk.ts';

type Mapping = { readonly [key: string]: unknown };

/** The value of a YAML or JSON file. @throws REVIEW_FILE_INVALID with line and column */
export async function readValue(directory: string, file: string): Promise<unknown> {
  const text = await readNamed(directory, file);
  const read = parseYaml(text);
  if (read.type === 'document') return read.value;
  throw unreadable(file, read);
}

/**
 * The policy of a file: a whole configuration with `review.policy`, or the policy alone.
 * @throws REVIEW_FILE_INVALID when the file cannot be parsed
 */
export async function readPolicyFile(directory: string, file: string): Promise<ParsedPolicy> {
  const text = await readNamed(directory, file);
  const options = text.includes('cel') ? { compileExpression: await loadCompiler() } : {};
  const read = readConfig(text, options);
  if (read.type === 'refused') throw unreadable(file, read);
  const { config } = read;
  const isBare = !Object.hasOwn(config, 'review') && ['rules', 'default'].some((key) => Object.hasOwn(config, key));
  return isBare ? parsePolicy(config, options) : read.policy;
}

/** A proposal of a file (as vouch writes it) or of the queue. */
export type FoundProposal =
  | { readonly type: 'found'; readonly proposal: Proposal }
  | { readonly type: 'missing' }
  | { readonly type: 'invalid'; readonly paths: readonly string[] };

/** An existing path first, then an id of the queue. */
export async function findProposal(gate: ReviewGate, directory: string, what: string): Promise<FoundProposal> {
  if (existsSync(resolve(directory, what))) return toProposal(gate, await readValue(directory, what));
  const found = await gate.find(what);
  return found === undefined ? { type: 'missing' } : { type: 'found', proposal: found.proposal };
}

/** A proposal out of `{kind, proposed_by, payload, id?, proposed_at?, rationale?}`. */
export function toProposal(gate: ReviewGate, record: unknown): FoundProposal {
  const read = readSubject(record, gate.kinds());
  if (read.type === 'invalid') return read;
  const { id, proposed_at: at, rationale } = record as Mapping;
  return {
    type: 'found',
    proposal: {
      ...read.subject,
      payload: read.subject.payload as JsonObject,
      id: typeof id === 'string' && id !== '' ? id : gate.newProposalId(),
      proposedAt: typeof at === 'string' ? at : isoTime(systemClock),
      ...(typeof rationale === 'string' && { rationale }),
    },
  };
}

function unreadable(
  file: string,
  fault: { readonly message: string; readonly line: number | null; readonly column: number | null },
): WarrantError {
  const { line, column } = fault;
  const place = line === null ? file : `${file}:${line}:${column ?? 1}`;
  return new WarrantError('REVIEW_FILE_INVALID', `${place}: ${fault.message}`, { data: { file, line, column } });
}
