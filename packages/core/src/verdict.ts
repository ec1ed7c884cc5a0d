import type { Observation, Started, ToolCall } from './acts.ts';
import type { Digest, Reason } from './json.ts';
import type { Edge, GraphVersion, GroundingResult } from './knowledge.ts';
import type { Answer, Question } from './people.ts';

export type PolicyFinding = {
  readonly key: string;
  readonly edge: Edge;
  readonly outcome: 'passed' | 'fired' | 'skipped' | 'dormant';
  readonly effect: 'block' | 'confirm';
  readonly reason: Reason;
};
export type Verdict = {
  readonly decision: 'allow' | 'ungrounded' | 'block' | 'confirm';
  readonly enforced: boolean;
  readonly call: ToolCall;
  readonly grounding: Pick<GroundingResult, 'grounded' | 'resolved' | 'gaps'>;
  readonly policies: readonly PolicyFinding[];
  readonly reasons: readonly Reason[];
  readonly inputs: { readonly graph: GraphVersion; readonly view: Digest; readonly policy: Digest };
};
export type GuardOutcome<T> = { readonly call: ToolCall; readonly recorded: 'no' | 'decision' | 'all' } & (
  | { readonly type: 'executed'; readonly value: T; readonly verdict: Verdict }
  | { readonly type: 'ungrounded' | 'blocked'; readonly verdict: Verdict }
  | { readonly type: 'declined'; readonly answer: Answer | null; readonly verdict: Verdict }
  | { readonly type: 'pending'; readonly question: Question; readonly verdict: Verdict }
  | {
      readonly type: 'failed';
      readonly stage: 'before' | 'during';
      readonly error: unknown;
      readonly verdict?: Verdict;
    }
);
export interface Gate<State, GateVerdict, Claim> {
  readonly initial: State;
  /** Opens the obligation of a mutating call; without an observation it stays open. */
  start(state: State, event: Started): State;
  observe(state: State, event: Observation): State;
  reason(state: State): State;
  beginTurn(state: State): State;
  /** What a verifier would have to judge before `submit`, or null when none is needed. */
  verifierQuestion(
    state: State,
    claim: Claim,
  ): { readonly criteria: readonly string[]; readonly callIds: readonly string[] } | null;
  submit(
    state: State,
    claim: Claim,
    confidence?: number | null,
  ): { readonly state: State; readonly verdict: GateVerdict };
}
