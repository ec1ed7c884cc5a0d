import type { Annotations, Digest, Grant, Journal, JsonObject, Usage } from '@warrant/core';
import { callKey, correlationIri, streamOf } from './host/names.ts';
import { type InputRecord, recordOf } from './host/record.ts';
import type { Fact, InvalidReason } from './input.ts';
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
};

export type DecisionNode = {
  /** The correlation as deciders saw it. */
  readonly id: string;
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

type Draft = {
  readonly actor: string;
  program: Digest | null;
  readonly decisions: Map<string, DecisionNode>;
  readonly llm: Map<string, LlmCallNode>;
  readonly tools: Map<string, ToolCallNode>;
  readonly plans: PlanNode[];
  readonly grants: GrantNode[];
};

/** Reads a run's provenance from the journal alone: no chart, no kit, nobody is asked. */
export async function provenanceOf(journal: Pick<Journal, 'read'>, actor: string, to?: number): Promise<Provenance> {
  const draft: Draft = {
    actor,
    program: null,
    decisions: new Map(),
    llm: new Map(),
    tools: new Map(),
    plans: [],
    grants: [],
  };
  for await (const entry of journal.read(streamOf(actor), to === undefined ? {} : { to })) {
    const record = recordOf(entry);
    if (record.type === 'input') addRecord(draft, record, entry.position);
  }
  const { program, decisions, llm, tools, plans, grants } = draft;
  return {
    actor,
    program,
    decisions: [...decisions.values()],
    llmCalls: [...llm.values()],
    toolCalls: [...tools.values()],
    plans,
    grants,
  };
}

function addRecord(draft: Draft, record: InputRecord, position: number): void {
  const { input } = record;
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
    const call = draft.llm.get(effect);
    const answered =
      input.type === 'llm.result'
        ? { outcome: 'ok', model: input.data.model, usage: input.data.usage }
        : { outcome: input.data.class };
    if (call !== undefined) draft.llm.set(effect, { ...call, ...answered, promptHash, endedAt: position });
  } else if (input.type === 'tool.result' && (input.data.outcome === 'ok' || input.data.outcome === 'error')) {
    const { data } = input;
    const call = draft.tools.get(data.effect);
    if (call !== undefined)
      draft.tools.set(data.effect, { ...call, outcome: data.outcome === 'ok' ? 'ok' : data.class, endedAt: position });
  }
}

type Context = { readonly position: number; readonly cause: string | null; readonly record: InputRecord };

function addFact(draft: Draft, fact: Fact, { position, cause, record }: Context): void {
  switch (fact.type) {
    case 'offered':
      draft.decisions.set(fact.correlation, {
        id: correlationIri(draft.actor, fact.correlation),
        state: fact.state,
        decider: fact.binding,
        fallback: fact.fallback,
        offered: fact.candidates,
        outcome: 'open',
        event: null,
        reason: null,
        transitions: [],
        offeredAt: position,
        decidedAt: null,
        at: null,
        annotations: {},
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
      const node = draft.decisions.get(fact.correlation);
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

/** A late answer to a closed offer does not change what became of it. */
function decide(
  draft: Draft,
  correlation: string,
  change: Partial<DecisionNode>,
  { position, record }: Omit<Context, 'cause'>,
): void {
  const node = draft.decisions.get(correlation);
  if (node === undefined || node.outcome !== 'open') return;
  const { annotations = {} } = record.input.data as { readonly annotations?: JsonObject };
  draft.decisions.set(correlation, {
    ...node,
    ...change,
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
