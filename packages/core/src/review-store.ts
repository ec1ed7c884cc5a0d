import type { Cancel } from './cancel.ts';
import type { ActorKey, Digest, JsonObject, Reason } from './json.ts';
import type { Answer } from './people.ts';
import type { Proposal } from './proposals.ts';

/** What was decided and is being carried out by something outside the store; a restart finishes it. */
export type ReviewApproval = {
  readonly by: ActorKey;
  readonly reason: string | null;
  readonly at: string;
  readonly auto: boolean;
};
/** A proposal with everything that is known about its review. */
export type ReviewRecord = {
  readonly proposal: Proposal;
  readonly status: 'pending' | 'approved' | 'rejected';
  readonly decidedAt: string | null;
  readonly decidedBy: ActorKey | null;
  readonly decisionReason: string | null;
  readonly autoApproved: boolean;
  /** The rule that decided when it was filed; `null` for the default and without a policy. */
  readonly rule: string | null;
  readonly policy: Digest | null;
  readonly facts: readonly string[];
  /** What the decision read beside policy and proposal, so that it can be made again. */
  readonly context: JsonObject;
  readonly votes: readonly Answer[];
  /** How many people must agree. At least 1. */
  readonly approvals: number;
  /** Question numbers that earlier contents of the proposal used up. */
  readonly asked: number;
  readonly approval: ReviewApproval | null;
  /** Why the last attempt to apply it failed; empty otherwise. */
  readonly failure: readonly Reason[];
};
/** `version` changes with every change of the record, also by hand. */
export type StoredReview = { readonly record: ReviewRecord; readonly version: string };
export type ReviewEvent = {
  readonly event: string;
  readonly actor: ActorKey;
  readonly at: string;
  readonly objectIds: readonly string[];
  readonly data: JsonObject;
  readonly dryRun: boolean;
};
export type RecordedReviewEvent = ReviewEvent & {
  readonly id: string;
  readonly hash: string;
  readonly previous: string;
};
/** `create` conflicts with an artifact of that id, `replace` with none; `delete` of none changes nothing. */
export type ArtifactChange =
  | { readonly type: 'create' | 'replace'; readonly kind: string; readonly id: string; readonly body: JsonObject }
  | { readonly type: 'delete'; readonly kind: string; readonly id: string };
export type ReviewCommit = {
  /** The proposal's id. */
  readonly id: string;
  /** The version that was read; `null`: the proposal is not there yet. Events alone need no version. */
  readonly expected: string | null;
  /** `null`: only events are written. */
  readonly record: ReviewRecord | null;
  readonly artifacts: readonly ArtifactChange[];
  readonly events: readonly ReviewEvent[];
};
export type ReviewCommitted =
  | { readonly type: 'committed'; readonly version: string | null }
  | { readonly type: 'conflict'; readonly actual: string | null }
  | { readonly type: 'artifact-conflict'; readonly kind: string; readonly id: string };
export type ReviewChain = { readonly ok: boolean; readonly line: number | null; readonly reason: string | null };
/** Where proposals, decisions, artifacts and the audit log live. A commit happens as a whole or not at all, also across a crash. */
export interface ReviewStore {
  read(id: string, options?: Cancel): Promise<StoredReview | undefined>;
  /** Pending ones first, each group by id. */
  list(options?: { readonly status?: ReviewRecord['status'] } & Cancel): AsyncIterable<StoredReview>;
  artifact(kind: string, id: string): Promise<JsonObject | undefined>;
  /** Those of the ids that evidence of a proposal of this kind may name; `null` when the store cannot tell. */
  known(ids: readonly string[], kind: string): Promise<readonly string[] | null>;
  commit(change: ReviewCommit): Promise<ReviewCommitted>;
  events(options?: Cancel): AsyncIterable<RecordedReviewEvent>;
  verify(): Promise<ReviewChain>;
  close(): Promise<void>;
}
