import type { JsonObject } from '@warrant/core';
import type { Subject } from '../src/proposal.ts';
import type { PolicyDocument } from './arbitraries.ts';

type When = { readonly [key: string]: unknown };

const EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  claim: ['evidence'],
  relation: ['evidence'],
  page: ['claims', 'sources'],
};

/** The rules as they are described, condition by condition and without any preparation: what the engine is held against. */
export function plainDecision(
  document: PolicyDocument,
  proposal: Subject,
  knownIds?: ReadonlySet<string>,
): { readonly action: string; readonly rule: string | null; readonly facts: readonly string[] } {
  for (const { name, when, action } of document.rules) {
    if (plainHolds(when as When, proposal, knownIds)) {
      return { action, rule: name, facts: plainFacts(when as When, proposal, knownIds) };
    }
  }
  return { action: document.default, rule: null, facts: [] };
}

export function plainHolds(when: When, proposal: Subject, knownIds?: ReadonlySet<string>): boolean {
  return Object.entries(when).every(([key, value]) => holds(key, value, proposal, knownIds));
}

function holds(key: string, value: unknown, proposal: Subject, knownIds?: ReadonlySet<string>): boolean {
  const { kind, proposedBy, payload } = proposal;
  const listed: readonly unknown[] = Array.isArray(value) ? value : [value];
  const confidence = kind === 'claim' || kind === 'relation' ? own(payload, 'confidence') : null;
  switch (key) {
    case 'actor':
      return listed.includes(proposedBy);
    case 'actor_not_in':
      return !listed.includes(proposedBy);
    case 'kind':
      return listed.includes(kind);
    case 'claim_type':
      return kind === 'claim' && listed.includes(own(payload, 'type'));
    case 'min_confidence':
      return typeof confidence === 'number' && confidence >= (value as number);
    case 'max_confidence':
      return typeof confidence === 'number' && confidence <= (value as number);
    case 'has_evidence':
      return value === evidenced(proposal, knownIds);
    case 'payload_has':
      return listed.every((name) => isSet(own(payload, name as string)));
    default:
      throw new Error(key);
  }
}

function own(payload: JsonObject, key: string): unknown {
  return Object.hasOwn(payload, key) ? payload[key] : null;
}

function isSet(value: unknown): boolean {
  return value !== null && !['""', '[]', '{}'].includes(JSON.stringify(value));
}

function evidenced({ kind, payload }: Subject, knownIds?: ReadonlySet<string>): boolean {
  const ids = (EVIDENCE[kind] ?? []).flatMap((key) => (own(payload, key) ?? []) as readonly string[]);
  return ids.length > 0 && ids.every((id) => id.trim() !== '' && (knownIds === undefined || knownIds.has(id)));
}

function plainFacts(when: When, proposal: Subject, knownIds?: ReadonlySet<string>): readonly string[] {
  const has = (...keys: readonly string[]): boolean => keys.some((key) => Object.hasOwn(when, key));
  const name = (text: string): string => (/^[\w.:@/+-]+$/.test(text) ? text : JSON.stringify(text));
  const keys = when['payload_has'];
  return [
    ...(has('actor', 'actor_not_in') ? [`actor=${name(proposal.proposedBy)}`] : []),
    ...(has('kind') ? [`kind=${proposal.kind}`] : []),
    ...(has('claim_type') ? [`claim_type=${proposal.payload['type'] as string}`] : []),
    ...(has('min_confidence', 'max_confidence') ? [`confidence=${proposal.payload['confidence'] as number}`] : []),
    ...(has('has_evidence') ? [`has_evidence=${evidenced(proposal, knownIds)}`] : []),
    ...(has('payload_has')
      ? [
          `payload_has=${[keys]
            .flat()
            .map((key) => name(key as string))
            .join('+')}`,
        ]
      : []),
  ];
}
