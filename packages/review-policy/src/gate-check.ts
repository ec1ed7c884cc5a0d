import { canonicalJson, isWarrantError, type Json, type JsonObject, type Proposal, type Reason } from '@warrant/core';
import type { EvaluationContext } from './conditions.ts';
import { isMapping } from './faults.ts';
import type { ReviewKind } from './gate-types.ts';
import { isSafeId } from './ids.ts';
import type { KindTable } from './kinds.ts';
import { checkKnowledge } from './knowledge.ts';
import type { ParsedPolicy } from './policy.ts';
import { POLICY_ACTOR, subjectFaults } from './proposal.ts';
import { EXPIRE_ACTOR } from './record.ts';
import { hasBlankEnds, hasControl, isBlank, isLongerThan } from './text.ts';

/** Largest payload, as canonical JSON in UTF-16 units. */
const MAX_PAYLOAD_LENGTH = 1_048_576;
/** Longest rationale, in code points. */
const MAX_RATIONALE_LENGTH = 65_536;

/** Why a name cannot act here; `null` when it can. */
export function actorFault(actor: unknown): Reason | null {
  const refuse = (message: string): Reason => ({ code: 'review.actor-invalid', message, data: {} });
  if (typeof actor !== 'string' || isBlank(actor)) return refuse('the actor is missing or blank');
  if (actor === POLICY_ACTOR || actor === EXPIRE_ACTOR) {
    return { code: 'review.reserved-actor', message: 'this name belongs to the gate', data: { actor } };
  }
  if (isLongerThan(actor, 256)) return refuse('the actor is longer than 256 code points');
  if (hasControl(actor) || hasBlankEnds(actor)) return refuse('the actor has control characters or blanks at its ends');
  return null;
}

/** Everything that keeps a proposal from being judged and queued. */
export async function proposalFaults(
  proposal: Proposal,
  kinds: KindTable,
  registered: ReadonlyMap<string, ReviewKind>,
): Promise<readonly Reason[]> {
  if (!isMapping(proposal)) return [invalid('', 'a proposal is an object')];
  const reasons: Reason[] = [];
  if (!isSafeId(proposal.id)) reasons.push(invalid('/id', 'an id that can name a file'));
  const actor = actorFault(proposal.proposedBy);
  if (actor !== null) reasons.push({ ...actor, data: { ...actor.data, path: '/proposedBy' } });
  if (typeof proposal.proposedAt !== 'string' || Number.isNaN(Date.parse(proposal.proposedAt))) {
    reasons.push(invalid('/proposedAt', 'an ISO-8601 time'));
  }
  const { rationale } = proposal;
  if (rationale !== undefined && (typeof rationale !== 'string' || isLongerThan(rationale, MAX_RATIONALE_LENGTH))) {
    reasons.push(invalid('/rationale', `a text of at most ${MAX_RATIONALE_LENGTH} code points`));
  }
  for (const path of subjectFaults(proposal, kinds)) {
    if (path !== '/proposedBy') reasons.push(invalid(path, 'not usable'));
  }
  if (reasons.length > 0) return reasons;
  const size = payloadFault(proposal);
  if (size !== null) return [size];
  const kind = registered.get(proposal.kind);
  return kind === undefined ? checkKnowledge(proposal.kind, proposal.payload) : kind.check(proposal.payload);
}

function payloadFault(proposal: Proposal): Reason | null {
  try {
    const length = canonicalJson([proposal.payload, proposal.rationale ?? null, proposal.proposedBy]).length;
    return length > MAX_PAYLOAD_LENGTH ? invalid('/payload', `at most ${MAX_PAYLOAD_LENGTH} characters of JSON`) : null;
  } catch (error) {
    if (isWarrantError(error)) return invalid('/payload', error.message);
    throw error;
  }
}

function invalid(path: string, expected: string): Reason {
  return {
    code: 'review.proposal-invalid',
    message: `${path === '' ? 'the proposal' : path}: ${expected}`,
    data: { path },
  };
}

/** What a decision read beside policy and proposal, as it is stored. */
export type StoredContext = {
  readonly known_ids: readonly string[] | null;
  readonly now?: string;
  readonly filed?: { readonly [windowMs: string]: number };
  readonly similar?: boolean;
  /** Who could approve by the roles of the rule that decided; left out when anybody could. */
  readonly voters?: readonly string[];
};

/** The stored context as the engine reads it. */
export function toContext(stored: StoredContext): EvaluationContext {
  return {
    ...(stored.known_ids !== null && { knownIds: new Set(stored.known_ids) }),
    ...(stored.now !== undefined && { now: stored.now }),
    ...(stored.filed !== undefined && { filed: stored.filed }),
    ...(stored.similar !== undefined && { similar: stored.similar }),
  };
}

/** A stored context out of a record; what is not there is unknown. */
export function readStoredContext(value: JsonObject): StoredContext {
  const ids: unknown = value['known_ids'];
  const filed: unknown = value['filed'];
  const voters: unknown = value['voters'];
  return {
    known_ids: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null,
    ...(Array.isArray(voters) && { voters: voters.filter((name) => typeof name === 'string') }),
    ...(typeof value['now'] === 'string' && { now: value['now'] }),
    ...(isMapping(filed) && { filed: filed as { readonly [windowMs: string]: number } }),
    ...(typeof value['similar'] === 'boolean' && { similar: value['similar'] }),
  };
}

/** Windows of the quotas that a policy uses, in milliseconds. */
export function quotaWindows(policy: ParsedPolicy): readonly number[] {
  if (policy.type !== 'policy') return [];
  const windows = policy.rules.flatMap((rule) =>
    rule.extended.flatMap((condition) => ('windowMs' in condition ? [condition.windowMs] : [])),
  );
  return [...new Set(windows)];
}

/** True when some rule has a condition of the type. */
export function usesCondition(policy: ParsedPolicy, type: string): boolean {
  return policy.type === 'policy' && policy.rules.some((rule) => rule.extended.some((item) => item.type === type));
}

/** Ids that the proposal's evidence names. */
export function evidenceIds(proposal: Proposal, kinds: KindTable): readonly string[] {
  const keys = kinds.get(proposal.kind)?.evidenceKeys ?? [];
  return keys.flatMap((key) => {
    const list: Json | undefined = Object.hasOwn(proposal.payload, key) ? proposal.payload[key] : undefined;
    return Array.isArray(list) ? (list as readonly string[]) : [];
  });
}
