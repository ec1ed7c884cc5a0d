import type { JsonObject } from '@warrant/core';
import { isMapping, member } from './faults.ts';
import { DEFAULT_KINDS, type KindProfile, type KindTable } from './kinds.ts';
import { compareCodePoints, isBlank } from './text.ts';

/** The actor that the gate itself uses; nobody else may carry the name. */
export const POLICY_ACTOR = 'policy-engine';

/** What rules look at. Every core `Proposal` is one. */
export type Subject = { readonly kind: string; readonly proposedBy: string; readonly payload: JsonObject };

/** A proposal of a vouch file, checked: what rules look at, or the JSON pointers of all that is wrong with it, sorted. */
export type ReadSubject =
  | { readonly type: 'subject'; readonly subject: Subject }
  | { readonly type: 'invalid'; readonly paths: readonly string[] };

/** Reads `{kind, proposed_by, payload}` as vouch writes it; further members are passed over. */
export function readSubject(value: unknown, kinds: KindTable = DEFAULT_KINDS): ReadSubject {
  if (!isMapping(value)) return { type: 'invalid', paths: [''] };
  const kind = member(value, 'kind');
  const proposedBy = member(value, 'proposed_by');
  const payload = member(value, 'payload');
  const paths = subjectFaults({ kind, proposedBy, payload }, kinds, '/proposed_by');
  if (paths.length > 0) return { type: 'invalid', paths };
  return { type: 'subject', subject: { kind, proposedBy, payload } as Subject };
}

/** JSON pointers of everything that keeps rules from judging the proposal, sorted; empty when it can be judged. */
export function subjectFaults(
  subject: { readonly kind: unknown; readonly proposedBy: unknown; readonly payload: unknown },
  kinds: KindTable,
  actorPath = '/proposedBy',
): readonly string[] {
  const paths: string[] = [];
  const profile = typeof subject.kind === 'string' ? kinds.get(subject.kind) : undefined;
  if (profile === undefined) paths.push('/kind');
  const actor = subject.proposedBy;
  if (typeof actor !== 'string' || isBlank(actor) || actor === POLICY_ACTOR) paths.push(actorPath);
  if (!isMapping(subject.payload)) paths.push('/payload');
  else if (profile !== undefined) paths.push(...payloadFaults(subject.payload, profile));
  return paths.sort(compareCodePoints);
}

/** True when {@link subjectFaults} finds nothing for a proposal of this kind; many times faster. */
export function isJudgeable(subject: Subject, profile: KindProfile): boolean {
  const { proposedBy: actor, payload } = subject;
  if (typeof actor !== 'string' || isBlank(actor) || actor === POLICY_ACTOR || !isMapping(payload)) return false;
  if (profile.hasClaimType && !fits(payload, 'type', isString)) return false;
  if (profile.hasConfidence && !fits(payload, 'confidence', isConfidence)) return false;
  for (const key of profile.evidenceKeys) if (!fits(payload, key, isTexts)) return false;
  return true;
}

// Whether a member is the payload's own is asked only where it would be a fault.
function fits(payload: JsonObject, key: string, isRight: (value: unknown) => boolean): boolean {
  const value = payload[key];
  return value === undefined || value === null || isRight(value) || !Object.hasOwn(payload, key);
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isString);
}

function payloadFaults(payload: { readonly [key: string]: unknown }, profile: KindProfile): readonly string[] {
  const paths: string[] = [];
  if (profile.hasClaimType && !isAbsentOr(member(payload, 'type'), (value) => typeof value === 'string')) {
    paths.push('/payload/type');
  }
  if (profile.hasConfidence && !isAbsentOr(member(payload, 'confidence'), isConfidence)) {
    paths.push('/payload/confidence');
  }
  for (const key of profile.evidenceKeys) paths.push(...evidenceFaults(member(payload, key), `/payload/${key}`));
  return paths;
}

function evidenceFaults(value: unknown, path: string): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return [path];
  return value.flatMap((entry: unknown, index) => (typeof entry === 'string' ? [] : [`${path}/${index}`]));
}

function isAbsentOr(value: unknown, fits: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || fits(value);
}

function isConfidence(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1;
}
