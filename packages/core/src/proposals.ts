import type { Cancel } from './cancel.ts';
import type { ActorKey, Digest, JsonObject, Reason } from './json.ts';
import type { Answer } from './people.ts';

export type Proposal = {
  readonly id: string;
  readonly kind: string;
  readonly proposedBy: ActorKey;
  readonly proposedAt: string;
  readonly payload: JsonObject;
  readonly rationale?: string;
};
export type ReviewDecision = {
  readonly type: 'approved' | 'queued' | 'blocked' | 'rejected' | 'expired' | 'invalid' | 'dry-run';
  readonly proposalId: string;
  readonly proposal: Digest;
  readonly would: 'approve' | 'queue' | 'refuse';
  readonly decidedBy: ActorKey | null;
  readonly votes: readonly Answer[];
  readonly applied: 'yes' | 'no' | 'failed';
  readonly rule: string | null;
  readonly facts: readonly string[];
  readonly reasons: readonly Reason[];
  readonly policy: Digest | null;
};
/** Who let a proposal pass; `auto` when a rule did. */
export type ProposalApproval = { readonly by: ActorKey; readonly at: string; readonly auto: boolean };
export interface ProposalKind {
  readonly kind: string;
  check(payload: JsonObject, options?: Cancel): Promise<readonly Reason[]>;
  evidence(payload: JsonObject): readonly string[] | null;
  confidence(payload: JsonObject): number | null;
  /** Idempotent by proposal id. */
  apply(
    proposal: Proposal,
    approval?: ProposalApproval,
  ): Promise<{ readonly type: 'applied' | 'refused'; readonly reasons: readonly Reason[] }>;
}
/** The one truth about proposals; review questions in the inbox mirror it. */
export interface Reviewer {
  register(kind: ProposalKind): void;
  file(proposal: Proposal, options?: { readonly dryRun?: boolean } & Cancel): Promise<ReviewDecision>;
  decide(vote: {
    readonly proposalId: string;
    readonly proposal: Digest;
    readonly choice: 'approve' | 'reject';
    readonly by: ActorKey;
    readonly reason?: string;
  }): Promise<ReviewDecision>;
  status(id: string): Promise<ReviewDecision | undefined>;
  list(
    options?: { readonly type?: ReviewDecision['type']; readonly kind?: string } & Cancel,
  ): AsyncIterable<{ readonly proposal: Proposal; readonly decision: ReviewDecision }>;
}
