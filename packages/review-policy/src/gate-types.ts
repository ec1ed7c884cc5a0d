import type {
  ActorKey,
  Cancel,
  Clock,
  IdSource,
  Inbox,
  JsonObject,
  Proposal,
  ProposalKind,
  Reason,
  ReviewDecision,
  Reviewer,
  ReviewStore,
} from '@warrant/core';
import type { InvalidProposal } from './evaluate.ts';
import type { Explanation } from './explain.ts';
import type { KindProfile, KindTable } from './kinds.ts';
import type { ParsedPolicy } from './policy.ts';

/** The settings that one call works under; read anew at every call. */
export type ReviewSettings = {
  readonly policy: ParsedPolicy;
  /** vouch's `review.approver_role`; `trusted-agent` lets everybody approve their own while no policy is set. */
  readonly approverRole?: string;
  /** vouch's `review.auto_approve_on_receipt`. */
  readonly autoApproveOnReceipt?: boolean;
  /** Days after which a pending proposal expires. @default 90 */
  readonly expirePendingAfterDays?: number;
  /** Page types whose proposer may never approve. */
  readonly protectedPageTypes?: readonly string[];
};

export type GateOptions = {
  readonly store: ReviewStore;
  /** The settings in force, asked for at each call. @default no policy: everything waits for a person */
  readonly settings?: () => ReviewSettings | Promise<ReviewSettings>;
  /**
   * Never approve deletions, superseding claims and page overwrites unattended unless the rule that decides names
   * `kind: delete`, `payload_has: supersedes` or `payload_has: replaces`. @default true
   */
  readonly floor?: boolean;
  /** The kinds of a vouch knowledge base are there from the start. @default true */
  readonly knowledge?: boolean;
  /** Maps an actor to the person or agent behind it, so that one votes once; `undefined` refuses the actor. @default every actor is its own person */
  readonly identify?: (actor: ActorKey) => Promise<string | undefined>;
  /** Whether something like the proposal exists; asked only when the policy uses `similar_to_existing`. */
  readonly similar?: (proposal: Proposal) => Promise<boolean>;
  /** Whether a claim's quotes were verified against their sources (vouch's receipts). @default never */
  readonly receiptsVerify?: (proposal: Proposal) => Promise<boolean>;
  /** Where people are asked. Without it proposals wait in the store alone. */
  readonly inbox?: Inbox;
  readonly clock?: Clock;
  readonly ids?: IdSource;
};

/** A kind beside the knowledge kinds, with what rules may know about it. */
export type ReviewKind = ProposalKind & { readonly profile?: Omit<KindProfile, 'kind'> };

/** One review queue: every lasting change passes through it. */
export interface ReviewGate extends Reviewer {
  register(kind: ReviewKind): void;
  /** Judges without filing; nothing is written. */
  check(proposal: Proposal, options?: Cancel): Promise<ReviewDecision>;
  /** The proposal with where it stands; undefined when there is none. */
  find(
    id: string,
    options?: Cancel,
  ): Promise<{ readonly proposal: Proposal; readonly decision: ReviewDecision } | undefined>;
  /**
   * Judges with everything that filing would read, and tells how each rule fared; nothing is written.
   * @param policy judged by instead of the policy in force
   */
  explain(proposal: Proposal, policy?: ParsedPolicy): Promise<Explanation | InvalidProposal>;
  /** What an approval by `by` would change now, and which evidence is there; nothing is written. */
  preview(proposal: Proposal, by: ActorKey): Promise<ChangePreview>;
  /** Replaces the payload of a pending proposal; it is judged again. Votes stand when the content is the same. */
  update(
    change: {
      readonly proposalId: string;
      readonly payload: Proposal['payload'];
      readonly by: ActorKey;
      readonly rationale?: string;
    } & Cancel,
  ): Promise<ReviewDecision>;
  /** Files each for itself; one refusal holds nothing else up. */
  batch(
    proposals: readonly Proposal[],
    options?: { readonly dryRun?: boolean } & Cancel,
  ): Promise<readonly ReviewDecision[]>;
  /** Rejects what has waited longer than allowed. Returns the decisions made. */
  expire(options?: { readonly olderThanDays?: number } & Cancel): Promise<readonly ReviewDecision[]>;
  /** Which past decisions another policy would make differently. */
  recheck(policy: ParsedPolicy, options?: Cancel): Promise<readonly Recheck[]>;
  /** Finishes what a crash interrupted and asks people again where a question is missing. */
  recover(options?: Cancel): Promise<{ readonly finished: readonly string[]; readonly asked: readonly string[] }>;
  /** Counts for a status line; days are UTC. */
  counts(options?: Cancel): Promise<ReviewCounts>;
  /** A new proposal id of vouch's form. */
  newProposalId(): string;
  /** The kinds that are registered, as rules see them. */
  kinds(): KindTable;
  settings(): Promise<ReviewSettings>;
}

/** What an approval would change. A kind that applies itself shows its payload alone. */
export type ChangePreview = {
  /** `null`: not there before, or gone after. */
  readonly changes: readonly {
    readonly kind: string;
    readonly id: string;
    readonly before: JsonObject | null;
    readonly after: JsonObject | null;
  }[];
  /** Why it could not land as things are; empty when it could. */
  readonly reasons: readonly Reason[];
  /** `known: null`: the store cannot tell. */
  readonly evidence: readonly { readonly id: string; readonly known: boolean | null }[];
};

export type Recheck = {
  readonly proposalId: string;
  readonly before: { readonly action: string; readonly rule: string | null };
  readonly after: { readonly action: string; readonly rule: string | null };
  /** False when what was decided would not be decided so again. */
  readonly same: boolean;
};

export type ReviewCounts = {
  readonly pending: number;
  readonly approved: number;
  readonly rejected: number;
  readonly autoApprovedToday: number;
  readonly blockedToday: number;
  /** Says so when the policy cannot be used. */
  readonly policy: 'none' | 'set' | 'invalid';
};
