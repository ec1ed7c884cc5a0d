import type { Annotations, Digest, Grant, Journal, JsonObject } from '@warrant/core';
import { callKey, correlationIri } from './host/names.ts';
import type { InputRecord } from './host/record.ts';
import { readRecords } from './host/whole.ts';
import type { Fact } from './input.ts';
import type { AgentMachine } from './machine/machine.ts';
import {
  type DecisionNode,
  type GrantNode,
  type LlmCallNode,
  type PlanNode,
  positionOf,
  type ToolCallNode,
  untoldDecision,
  untoldLlmCall,
  untoldToolCall,
} from './provenance-nodes.ts';
import { ROOT } from './state.ts';

/** How a run came about, as plain data: who chose what, which models and tools were called for it, and in which order. */
export type Provenance = {
  readonly actor: string;
  readonly program: Digest | null;
  readonly decisions: readonly DecisionNode[];
  readonly llmCalls: readonly LlmCallNode[];
  readonly toolCalls: readonly ToolCallNode[];
  readonly plans: readonly PlanNode[];
  readonly grants: readonly GrantNode[];
  /** Facts that entries left out or shortened to stay small; always 0 where a machine found them again. */
  readonly omitted: number;
};

type Draft = {
  readonly actor: string;
  program: Digest | null;
  readonly decisions: Map<string, DecisionNode>;
  readonly llm: Map<string, LlmCallNode>;
  readonly tools: Map<string, ToolCallNode>;
  readonly plans: PlanNode[];
  readonly grants: GrantNode[];
  omitted: number;
  /** Positions of entries that left something out. */
  readonly partly: Set<number>;
};

/** Reads a run's provenance from the journal alone: no chart, no kit, nobody is asked. A step that opened very much at once is told in full only where the machine of the run's chart is given. @throws DECIDE_UNKNOWN_CHART for a machine of another chart */
export async function provenanceOf(
  journal: Pick<Journal, 'read'>,
  actor: string,
  to?: number,
  machine?: AgentMachine,
): Promise<Provenance> {
  const draft: Draft = {
    actor,
    program: null,
    decisions: new Map(),
    llm: new Map(),
    tools: new Map(),
    plans: [],
    grants: [],
    omitted: 0,
    partly: new Set(),
  };
  for await (const { entry, record } of readRecords(journal, actor, { to, machine }))
    if (record.type === 'input') addRecord(draft, record, entry.position);
  const { program, decisions, llm, tools, plans, grants, omitted } = draft;
  return {
    actor,
    program,
    decisions: [...decisions.values()],
    llmCalls: [...llm.values()],
    toolCalls: [...tools.values()],
    plans,
    grants,
    omitted,
  };
}

function addRecord(draft: Draft, record: InputRecord, position: number): void {
  const { input } = record;
  if (record.rest !== undefined) {
    draft.omitted += record.rest.facts;
    draft.partly.add(position);
  }
  if (input.type === 'start') {
    draft.program = input.data.program;
    addGrant(draft, draft.actor, null, input.data.grant);
  }
  const cause = causeOf(draft, input);
  endCalls(draft, input, position);
  for (const fact of record.facts) addFact(draft, fact, { position, cause, record });
}

/** What an input is the answer to. */
function causeOf(draft: Draft, input: InputRecord['input']): string | null {
  if (input.type === 'decision' || input.type === 'refusal') return correlationIri(draft.actor, input.data.correlation);
  if (input.type === 'llm.result' || input.type === 'llm.error' || input.type === 'tool.result')
    return callKey(draft.actor, input.data.effect);
  return null;
}

function endCalls(draft: Draft, input: InputRecord['input'], position: number): void {
  if (input.type === 'llm.result' || input.type === 'llm.error') {
    const { effect, promptHash } = input.data;
    const call = llmCallIn(draft, effect);
    const answered =
      input.type === 'llm.result'
        ? { outcome: 'ok', model: input.data.model, usage: input.data.usage }
        : { outcome: input.data.class };
    if (call !== undefined) draft.llm.set(effect, { ...call, ...answered, promptHash, endedAt: position });
  } else if (input.type === 'tool.result' && (input.data.outcome === 'ok' || input.data.outcome === 'error')) {
    const { data } = input;
    const call = toolCallIn(draft, data.effect);
    if (call !== undefined)
      draft.tools.set(data.effect, { ...call, outcome: data.outcome === 'ok' ? 'ok' : data.class, endedAt: position });
  }
}

type Context = { readonly position: number; readonly cause: string | null; readonly record: InputRecord };

function addFact(draft: Draft, fact: Fact, { position, cause, record }: Context): void {
  switch (fact.type) {
    case 'offered':
      draft.decisions.set(fact.correlation, {
        ...untoldDecision(draft.actor, fact.correlation),
        state: fact.state,
        decider: fact.binding,
        fallback: fact.fallback,
        offered: fact.candidates,
        offeredAt: position,
        after: cause,
      });
      return;
    case 'accepted':
      return decide(
        draft,
        fact.correlation,
        { outcome: 'accepted', event: fact.event, transitions: fact.transitions },
        { position, record },
      );
    case 'invalid':
      return decide(
        draft,
        fact.correlation,
        { outcome: 'invalid', event: fact.event, reason: fact.reason },
        { position, record },
      );
    case 'refused':
      return decide(draft, fact.correlation, { outcome: 'refused' }, { position, record });
    case 'closed': {
      const node = decisionIn(draft, fact.correlation);
      if (node?.outcome === 'open')
        draft.decisions.set(fact.correlation, { ...node, outcome: 'closed', decidedAt: position });
      return;
    }
    case 'called':
      return addCall(draft, fact, position, cause);
    case 'cancelled':
      return cancelCall(draft, fact.effect, position);
    case 'plan':
      draft.plans.push({
        id: callKey(draft.actor, fact.effect),
        plan: fact.plan,
        outcome: fact.outcome,
        class: fact.class ?? null,
        // Whatever the chart said, it has to be part of an IRI.
        writtenBy: fact.call === null ? null : callKey(draft.actor, encodeURIComponent(fact.call)),
        startedAt: position,
      });
      return;
    case 'granted': {
      const parent = fact.parent === ROOT ? draft.actor : callKey(draft.actor, fact.parent);
      return addGrant(draft, callKey(draft.actor, fact.effect), parent, fact.grant);
    }
    default:
      return;
  }
}

function addGrant(draft: Draft, holder: string, parent: string | null, grant: Grant): void {
  const { targets, tools, deciders, functions } = grant;
  const from = draft.grants.find((one) => one.holder === parent)?.id ?? null;
  draft.grants.push({ id: `${holder}/grant`, holder, from, targets, tools, deciders, functions });
}

/** What an entry had no room for was there all the same. */
function decisionIn(draft: Draft, correlation: string): DecisionNode | undefined {
  const isUntold = draft.partly.has(positionOf(correlation));
  return draft.decisions.get(correlation) ?? (isUntold ? untoldDecision(draft.actor, correlation) : undefined);
}

function llmCallIn(draft: Draft, effect: string): LlmCallNode | undefined {
  const isUntold = draft.partly.has(positionOf(effect));
  return draft.llm.get(effect) ?? (isUntold ? untoldLlmCall(draft.actor, effect) : undefined);
}

function toolCallIn(draft: Draft, effect: string): ToolCallNode | undefined {
  const isUntold = draft.partly.has(positionOf(effect));
  return draft.tools.get(effect) ?? (isUntold ? untoldToolCall(draft.actor, effect) : undefined);
}

/** A late answer to a closed offer does not change what became of it. */
function decide(
  draft: Draft,
  correlation: string,
  change: Partial<DecisionNode>,
  { position, record }: Omit<Context, 'cause'>,
): void {
  // A stale answer may name what never was.
  const node = change.reason === 'stale' ? draft.decisions.get(correlation) : decisionIn(draft, correlation);
  if (node === undefined || node.outcome !== 'open') return;
  const { annotations = {} } = record.input.data as { readonly annotations?: JsonObject };
  const { event = null, outcome } = change;
  // What was accepted had been on offer, and whoever was asked says as whom.
  const known = outcome === 'accepted' && event !== null && node.offered.length === 0 ? { offered: [event] } : {};
  const { binding } = annotations;
  const decider = node.decider === '' && typeof binding === 'string' ? binding : node.decider;
  draft.decisions.set(correlation, {
    ...node,
    ...known,
    ...change,
    decider,
    decidedAt: position,
    at: record.input.at,
    annotations: annotations as Annotations,
  });
}

function addCall(draft: Draft, fact: Extract<Fact, { type: 'called' }>, position: number, after: string | null): void {
  const base = { id: callKey(draft.actor, fact.effect), outcome: 'open', after, startedAt: position, endedAt: null };
  if (fact.kind === 'llm')
    draft.llm.set(fact.effect, {
      ...base,
      provider: fact.name,
      model: null,
      promptHash: fact.promptHash ?? null,
      usage: null,
    });
  else if (fact.kind === 'tool') draft.tools.set(fact.effect, { ...base, tool: fact.name });
}

/** A failed call that waited for another attempt stays what it was. */
function cancelCall({ llm, tools }: Draft, effect: string, endedAt: number): void {
  const cancelled = { outcome: 'cancelled', endedAt };
  const call = llm.get(effect);
  if (call?.outcome === 'open') llm.set(effect, { ...call, ...cancelled });
  const toolCall = tools.get(effect);
  if (toolCall?.outcome === 'open') tools.set(effect, { ...toolCall, ...cancelled });
}

/** Why an action happened, from the action back to what began it: ids of decisions and calls. */
export function lineageOf({ decisions, llmCalls, toolCalls }: Provenance, id: string): readonly string[] {
  const after = new Map([...decisions, ...llmCalls, ...toolCalls].map((node) => [node.id, node.after]));
  const line: string[] = [];
  for (let next: string | null = id; next !== null && !line.includes(next); next = after.get(next) ?? null)
    line.push(next);
  return line;
}
