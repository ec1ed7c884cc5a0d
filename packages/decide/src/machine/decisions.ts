import type { Annotations, Label } from '@warrant/core';
import { judgeDecision } from '../accept.ts';
import { cut } from '../cut.ts';
import type { DecisionData, InvalidReason } from '../input.ts';
import { CHART_LABEL, least, NO_LABEL } from '../labels/relabel.ts';
import { ROOT, type Slot } from '../state.ts';
import { addUsage, isUsage } from '../usage.ts';
import { addTo } from './counts.ts';
import { enqueue, holderOf, programOf, type Turn, taint, tell, variablesOf } from './turn.ts';

/** Answered correlations that the state itself remembers; the journal knows them all. */
const MAX_ANSWERED = 16;
const MAX_REASON = 500;

/** Checks an answer and raises what was chosen, or says why not. */
export function takeDecision(turn: Turn, decision: DecisionData): void {
  countUsage(turn, decision.annotations);
  const slot = openSlot(turn, decision.correlation);
  if (slot === undefined) return refuse(turn, decision, 'stale', []);
  const session = holderOf(turn, slot);
  const { chart } = programOf(turn, session);
  const judged = judgeDecision(chart, session.chart, slot, decision, variablesOf(turn));
  if (judged.type === 'invalid') {
    settle(turn, { ...slot, status: 'closed' });
    return refuse(turn, decision, judged.reason, judged.paths, slot);
  }
  turn.slots = turn.slots.filter((one) => one !== slot);
  remember(turn, decision.correlation);
  turn.accepted = addTo(turn.accepted, slot.key, 1);
  const { correlation, event } = decision;
  // In the order in which it will be written, which spares sorting.
  turn.facts.push({ correlation, event, transitions: judged.transitions, type: 'accepted' });
  const label = decision.payload === null ? CHART_LABEL : taint(turn, labelOfAnswer(turn, slot, decision));
  enqueue(turn, slot.session, { name: event, data: decision.payload }, label);
}

/** What an answer is trusted as: by who gave it. A rule makes it of what the agent knows. */
function labelOfAnswer(turn: Turn, slot: Slot | undefined, { annotations }: Pick<DecisionData, 'annotations'>): Label {
  const sources = slot === undefined ? [] : [slot.binding];
  switch (annotations?.kind) {
    case 'human':
      return { trust: 'human', sources };
    case 'actor':
      return { trust: 'agent', sources };
    case 'llm':
    case 'custom':
      return { trust: 'provider', sources };
    case 'guard':
      return least(slot === undefined ? [NO_LABEL] : Object.values(holderOf(turn, slot).labels));
    default:
      return { trust: 'web', sources };
  }
}

/** A decider that would not decide. */
export function takeRefusal(
  turn: Turn,
  refusal: { readonly correlation: string; readonly reason: string; readonly annotations?: Annotations },
): void {
  countUsage(turn, refusal.annotations);
  const slot = openSlot(turn, refusal.correlation);
  if (slot === undefined) return refuse(turn, { ...refusal, event: '' }, 'stale', []);
  settle(turn, { ...slot, status: 'closed' });
  remember(turn, refusal.correlation);
  turn.facts.push({ type: 'refused', correlation: refusal.correlation });
  const reason = cut(refusal.reason, MAX_REASON);
  tell(
    turn,
    slot.session,
    'vt.decide.refused',
    { correlation: refusal.correlation, state: slot.state, reason },
    { label: labelOfAnswer(turn, slot, refusal) },
  );
}

function openSlot(turn: Turn, correlation: string): Slot | undefined {
  return turn.slots.find((slot) => slot.status === 'open' && slot.correlation === correlation);
}

function settle(turn: Turn, slot: Slot): void {
  turn.slots = turn.slots.map((one) => (one.key === slot.key ? { ...slot, due: null } : one));
}

function refuse(
  turn: Turn,
  answer: Pick<DecisionData, 'correlation' | 'event' | 'annotations'>,
  reason: InvalidReason,
  paths: readonly string[],
  slot?: Slot,
): void {
  const { correlation, event } = answer;
  if (slot !== undefined) remember(turn, correlation);
  turn.facts.push({ type: 'invalid', correlation, event, reason, paths });
  const data = { reason, correlation, event, paths, state: slot?.state ?? null };
  // It holds names that whoever answered made up.
  const label = labelOfAnswer(turn, slot, answer);
  tell(turn, slot?.session ?? ROOT, 'error.decide.invalid', data, { label });
}

function remember(turn: Turn, correlation: string): void {
  turn.answered = turn.answered.slice(1 - MAX_ANSWERED).concat(correlation);
}

/** What a model was asked counts, whatever became of its answer. */
function countUsage(turn: Turn, annotations: Annotations | undefined): void {
  const usage = annotations?.usage;
  if (isUsage(usage)) turn.usage = addUsage(turn.usage, usage);
}
