import fc from 'fast-check';
import { CLAIM_TYPES } from '../src/kinds.ts';
import type { Subject } from '../src/proposal.ts';

export const ACTORS = ['scribe', 'indexer', 'human', '代理', 'scribe '];
export const KINDS = ['claim', 'page', 'entity', 'relation', 'delete'];
export const BOUNDS = [0, 0.3, 0.5, 0.8, 1];
export const KEYS = ['supersedes', 'tags', 'confidence', 'evidence', 'type', '__proto__'];

const oneOrMore = (values: readonly string[]): fc.Arbitrary<string | string[]> =>
  fc.oneof(fc.constantFrom(...values), fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }));

const everyCondition = fc.record({
  actor: oneOrMore(ACTORS),
  actor_not_in: oneOrMore(ACTORS),
  kind: oneOrMore(KINDS),
  claim_type: oneOrMore(CLAIM_TYPES.slice(0, 3)),
  min_confidence: fc.constantFrom(...BOUNDS),
  max_confidence: fc.constantFrom(...BOUNDS),
  has_evidence: fc.boolean(),
  payload_has: oneOrMore(KEYS),
});

// Mostly one or two conditions: rules that ask for much hardly ever take anything from each other.
const when = fc.tuple(everyCondition, fc.array(fc.nat({ max: 7 }), { maxLength: 3 })).map(([all, picks]) => {
  const keys = Object.keys(all);
  const chosen = new Set(picks.map((pick) => keys[pick]));
  return Object.fromEntries(Object.entries(all).filter(([key]) => chosen.has(key)));
});

export type PolicyDocument = { default: string; rules: { name: string; when: object; action: string }[] };

export const action = fc.constantFrom('auto_approve', 'require_human', 'block');

/** Policies of the core, valid by construction. */
export const policyDocument = (maxRules = 6): fc.Arbitrary<PolicyDocument> =>
  fc
    .record({
      default: action,
      rules: fc.array(fc.record({ when, action }), { maxLength: maxRules }),
    })
    .map((policy) => ({ ...policy, rules: policy.rules.map((rule, index) => ({ name: `r${index}`, ...rule })) }));

const confidence = fc.constantFrom(0, 0.1, 0.3, 0.30000000000000004, 0.4, 0.5, 0.6, 0.79999, 0.8, 0.9, 1);

/** Proposals made of the values that the policies name, and of their neighbours. */
export const subject: fc.Arbitrary<Subject> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    proposedBy: fc.constantFrom(...ACTORS, 'someone', 'Scribe'),
    type: fc.option(fc.constantFrom(...CLAIM_TYPES.slice(0, 4), 'rumour')),
    confidence: fc.option(confidence),
    evidence: fc.option(fc.constantFrom([], ['s1'], ['s1', ' '])),
    supersedes: fc.option(fc.constantFrom([], ['c1'], '')),
    tags: fc.option(fc.constantFrom([], ['t'])),
    claims: fc.option(fc.constantFrom([], ['c1'])),
  })
  .map(({ kind, proposedBy, ...payload }) => ({
    kind,
    proposedBy,
    payload: Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null)) as Subject['payload'],
  }));
