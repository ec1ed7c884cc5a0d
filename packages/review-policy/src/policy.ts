import type { Digest, JsonObject } from '@warrant/core';
import type { Condition } from './conditions.ts';
import type { KindTable } from './kinds.ts';

/** What a rule does with the proposals that it takes. */
export type Action = 'auto_approve' | 'require_human' | 'block';

export const ACTIONS: readonly Action[] = ['auto_approve', 'require_human', 'block'];

/** Longest lists and texts that a policy may have: code points for texts, entries for lists. */
export const LIMITS = { rules: 256, entries: 256, value: 256, name: 128, reason: 1024, groups: 256 } as const;

/** What is wrong with a policy document, and where (a JSON pointer into it). */
export type PolicyFault = { readonly code: FaultCode; readonly path: string };

export type FaultCode =
  | 'policy_bad_type'
  | 'policy_unknown_key'
  | 'policy_missing_key'
  | 'policy_bad_value'
  | 'policy_empty_list'
  | 'policy_duplicate_name'
  | 'policy_too_large'
  | 'policy_syntax';

/** How many people must agree before a queued proposal lands (extension `quorum`). */
export type Quorum = {
  /** Votes needed, each by another person, none by the proposer. 1 to 16. */
  readonly approvals: number;
  /** Groups whose members may vote; `null` when anyone else than the proposer may. */
  readonly roles: readonly string[] | null;
};

/** A rule, ready to be evaluated. */
export type Rule = {
  readonly name: string;
  readonly action: Action;
  readonly reason: string | null;
  readonly actors: ReadonlySet<string> | null;
  readonly notActors: ReadonlySet<string> | null;
  readonly kinds: ReadonlySet<string> | null;
  readonly claimTypes: ReadonlySet<string> | null;
  readonly minConfidence: number | null;
  readonly maxConfidence: number | null;
  readonly hasEvidence: boolean | null;
  readonly payloadHas: readonly string[] | null;
  /** Conditions of extensions; all of them must hold. */
  readonly extended: readonly Condition[];
  readonly quorum: Quorum | null;
};

/** A parsed policy. Build it with `parsePolicy`; it never changes. */
export type Policy = {
  readonly type: 'policy';
  readonly default: Action;
  readonly rules: readonly Rule[];
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly extensions: readonly string[];
  readonly kinds: KindTable;
  /** The document that it was made from. */
  readonly document: JsonObject;
  readonly digest: Digest;
};

/** What a `review.policy` value turned out to be. */
export type ParsedPolicy =
  | Policy
  | { readonly type: 'none' }
  | { readonly type: 'invalid'; readonly faults: readonly PolicyFault[] };
