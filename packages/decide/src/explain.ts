import type { Annotations, Journal, JsonObject } from '@warrant/core';
import { stateAt } from './host/fork.ts';
import { parseCorrelation } from './host/names.ts';
import type { AgentMachine } from './machine/machine.ts';
import { lineageOf, provenanceOf } from './provenance.ts';
import type { DecisionNode } from './provenance-nodes.ts';

/** Why a decision came out as it did. */
export type DecisionExplained = {
  readonly decision: DecisionNode;
  /** What else was open, and whether that hung on its payload. */
  readonly alternatives: readonly {
    readonly event: string;
    readonly conditional: boolean;
    readonly transitions: readonly string[];
  }[];
  /** The data that the decider saw. */
  readonly saw: JsonObject;
  readonly annotations: Annotations;
  /** What led to it, back to the beginning. */
  readonly lineage: readonly string[];
};

/** Explains a decision from the journal: the state at its offer is computed anew, nobody is asked. Undefined for an offer that never was. */
export async function explainDecision(
  journal: Pick<Journal, 'read'>,
  machine: AgentMachine,
  correlationIri: string,
): Promise<DecisionExplained | undefined> {
  const named = parseCorrelation(correlationIri);
  if (named === undefined) return undefined;
  const provenance = await provenanceOf(journal, named.actor, undefined, machine);
  const decision = provenance.decisions.find(({ id }) => id === correlationIri);
  if (decision === undefined) return undefined;
  const state = await stateAt(journal, machine, named.actor, decision.offeredAt);
  const slot = state.slots.find(({ correlation }) => correlation === named.correlation);
  const session = state.sessions.find(({ id }) => id === slot?.session);
  const { annotations } = decision;
  const alternatives = (slot?.candidates ?? []).map(({ event, conditional, transitions }) => ({
    event,
    conditional,
    transitions,
  }));
  return {
    decision,
    alternatives,
    saw: session?.chart.data ?? {},
    annotations,
    lineage: lineageOf(provenance, correlationIri),
  };
}

/** The same for people, in a few lines. */
export function renderDecision({ decision, alternatives, saw, annotations, lineage }: DecisionExplained): string {
  const { id, state, decider, fallback, outcome, event, reason, transitions } = decision;
  const others = alternatives
    .filter((one) => one.event !== event)
    .map((one) => (one.conditional ? `${one.event} (if its payload allows)` : one.event));
  const told = Object.entries({
    model: annotations.model,
    confidence: annotations.confidence,
    rationale: annotations.rationale,
  })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${String(value)}`);
  return [
    `${id}: ${outcome}${event === null ? '' : ` '${event}'`}${reason === null ? '' : `, ${reason}`}`,
    `  state    ${state}${transitions.length === 0 ? '' : `, took ${transitions.join(', ')}`}`,
    `  asked    ${decider}${fallback ? ', as the fallback' : ''}`,
    `  open too ${others.length === 0 ? 'nothing' : others.join(', ')}`,
    `  saw      ${JSON.stringify(saw)}`,
    ...(told.length === 0 ? [] : [`  said     ${told.join('; ')}`]),
    ...(lineage.length < 2 ? [] : [`  after    ${lineage.slice(1).join(' <- ')}`]),
  ].join('\n');
}
