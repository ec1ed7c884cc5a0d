import type { Annotations } from '@warrant/core';
import { judgeDecision } from '../accept.ts';
import type { DecisionData, InvalidReason } from '../input.ts';
import { ROOT, type Slot } from '../state.ts';
import { addUsage, isUsage } from '../usage.ts';
import { enqueue, programOf, sessionOf, type Turn, tell, variablesOf } from './turn.ts';

/** Answered correlations that the state itself remembers; the journal knows them all. */
const MAX_ANSWERED = 64;
const MAX_REASON = 500;

/** Checks an answer and raises what was chosen, or says why not. */
export function takeDecision(turn: Turn, decision: DecisionData): void {
  countUsage(turn, decision.annotations);
  const slot = openSlot(turn, decision.correlation);
  const session = slot && sessionOf(turn, slot.session);
  if (slot === undefined || session === undefined) return refuse(turn, decision, 'stale', []);
  const { chart } = programOf(turn, session);
  const judged = judgeDecision(chart, session.chart, slot, decision, variablesOf(turn));
  if (judged.type === 'invalid') {
    settle(turn, { ...slot, status: 'closed' });
    return refuse(turn, decision, judged.reason, judged.paths, slot);
  }
  turn.slots = turn.slots.filter((one) => one !== slot);
  remember(turn, decision.correlation);
  turn.accepted = { ...turn.accepted, [slot.key]: (turn.accepted[slot.key] ?? 0) + 1 };
  const { correlation, event } = decision;
  turn.facts.push({ type: 'accepted', correlation, event, transitions: judged.transitions });
  enqueue(turn, slot.session, { name: event, data: decision.payload });
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
  const reason = refusal.reason.slice(0, MAX_REASON);
  tell(turn, slot.session, 'vt.decide.refused', { correlation: refusal.correlation, state: slot.state, reason });
}

function openSlot(turn: Turn, correlation: string): Slot | undefined {
  return turn.slots.find((slot) => slot.status === 'open' && slot.correlation === correlation);
}

function settle(turn: Turn, slot: Slot): void {
  turn.slots = turn.slots.map((one) => (one.key === slot.key ? { ...slot, due: null } : one));
}

function refuse(
  turn: Turn,
  { correlation, event }: { readonly correlation: string; readonly event: string },
  reason: InvalidReason,
  paths: readonly string[],
  slot?: Slot,
): void {
  if (slot !== undefined) remember(turn, correlation);
  turn.facts.push({ type: 'invalid', correlation, event, reason, paths });
  tell(turn, slot?.session ?? ROOT, 'error.decide.invalid', {
    reason,
    correlation,
    event,
    paths,
    state: slot?.state ?? null,
  });
}

function remember(turn: Turn, correlation: string): void {
  turn.answered = [...turn.answered, correlation].slice(-MAX_ANSWERED);
}

/** What a model was asked counts, whatever became of its answer. */
function countUsage(turn: Turn, annotations: Annotations | undefined): void {
  const usage = annotations?.usage;
  if (isUsage(usage)) turn.usage = addUsage(turn.usage, usage);
}
