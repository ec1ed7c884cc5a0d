import type { Annotations, Digest, Grant, Usage } from '@warrant/core';
import { callKey, correlationIri } from './host/names.ts';
import type { InvalidReason } from './input.ts';

export type DecisionNode = {
  /** The correlation as deciders saw it. */
  readonly id: string;
  /** Empty, as far as they are not told elsewhere, like `decider` and `offered`, for an offer that its entry had no room for. */
  readonly state: string;
  readonly decider: string;
  readonly fallback: boolean;
  readonly offered: readonly string[];
  readonly outcome: 'accepted' | 'invalid' | 'refused' | 'closed' | 'open';
  readonly event: string | null;
  readonly reason: InvalidReason | null;
  readonly transitions: readonly string[];
  readonly offeredAt: number;
  readonly decidedAt: number | null;
  readonly at: string | null;
  readonly annotations: Annotations;
  /** What the offer came from: the decision or call whose input led to it. */
  readonly after: string | null;
};
export type LlmCallNode = {
  readonly id: string;
  readonly provider: string;
  readonly model: string | null;
  readonly promptHash: Digest | null;
  /** `open`, `ok`, `cancelled` when its state was left, or the class of the failure. */
  readonly outcome: string;
  readonly usage: Usage | null;
  /** The decision or call that led to it. */
  readonly after: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
};
export type ToolCallNode = {
  readonly id: string;
  readonly tool: string;
  /** `open`, `ok`, `cancelled` when its state was left, or the class of the failure. */
  readonly outcome: string;
  readonly after: string | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
};
export type PlanNode = {
  readonly id: string;
  readonly plan: Digest | null;
  readonly outcome: 'accepted' | 'rejected';
  readonly class: string | null;
  /** The model call that wrote it. */
  readonly writtenBy: string | null;
  readonly startedAt: number;
};

/** What the run, or something that it started, may reach. */
export type GrantNode = Grant & {
  readonly id: string;
  /** The run, a model call, a plan's run or an invoked chart. */
  readonly holder: string;
  /** The grant that it was taken from. */
  readonly from: string | null;
};

/** An offer of which nothing is known but its name. */
export function untoldDecision(actor: string, correlation: string): DecisionNode {
  return {
    id: correlationIri(actor, correlation),
    state: '',
    decider: '',
    fallback: false,
    offered: [],
    outcome: 'open',
    event: null,
    reason: null,
    transitions: [],
    offeredAt: positionOf(correlation),
    decidedAt: null,
    at: null,
    annotations: {},
    after: null,
  };
}

/** The same for calls. */
export function untoldLlmCall(actor: string, effect: string): LlmCallNode {
  return { ...untoldCall(actor, effect), provider: '', model: null, promptHash: null, usage: null };
}

export function untoldToolCall(actor: string, effect: string): ToolCallNode {
  return { ...untoldCall(actor, effect), tool: '' };
}

function untoldCall(actor: string, effect: string) {
  const id = callKey(actor, effect);
  return { id, outcome: 'open', after: null, startedAt: positionOf(effect), endedAt: null };
}

/** Offers and calls are named after the entry that opened them. */
export function positionOf(name: string): number {
  return Number.parseInt(name, 10);
}
