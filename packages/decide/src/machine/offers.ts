import type { DecideBinding } from '../binding.ts';
import { isGranted } from '../grant.ts';
import { offerOf } from '../offer.ts';
import { ROOT, type SessionState, type Slot } from '../state.ts';
import { addTo, countOf } from './counts.ts';
import { drain, slotKey, stop } from './run.ts';
import { deny } from './send.ts';
import { dropSlots, holderOf, noteClosed, programOf, type Turn, tell, variablesOf } from './turn.ts';

/** Events that offers may raise in one turn. */
const MAX_ROUNDS = 1000;
const DEFAULT_MAX_ASKS = 100;
const ASKS_PER_DECISION = 3;

/** Runs the charts, then brings the offers up to date; again while that raises events. */
export function settleOffers(turn: Turn): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    drain(turn);
    if (turn.status !== 'running') return;
    closeLeft(turn);
    renewUntilHeard(turn);
    if (turn.queue.length === 0) return;
  }
  stop(turn, 'agent.offers', `more than ${MAX_ROUNDS} offers in one turn`);
}

/** Offers of states that are no longer active are closed, and of those that decide nothing under a new version. */
function closeLeft(turn: Turn): void {
  const stays = (slot: Slot) =>
    holderOf(turn, slot).chart.configuration.includes(slot.state) && bindingOf(turn, slot) !== undefined;
  dropSlots(turn, (slot) => !stays(slot));
}

function bindingOf(turn: Turn, slot: Slot): DecideBinding | undefined {
  return programOf(turn, holderOf(turn, slot)).bindings.find(({ state }) => state === slot.state);
}

/** Once an event was raised, charts have to run before more is looked at. */
function renewUntilHeard(turn: Turn): void {
  for (const session of turn.sessions) {
    const { bindings } = programOf(turn, session);
    for (const binding of bindings) {
      if (!session.chart.configuration.includes(binding.state)) continue;
      renew(turn, session, binding);
      if (turn.queue.length > 0) return;
    }
  }
}

function renew(turn: Turn, session: SessionState, binding: DecideBinding): void {
  const key = slotKey(session.id, binding.state);
  const known = turn.slots.find((slot) => slot.key === key);
  const anew = turn.entered?.delete(key) === true;
  if (known?.status === 'exhausted' && !anew) return;
  const { chart } = programOf(turn, session);
  const { candidates, fingerprint } = offerOf(chart, session.chart, binding, variablesOf(turn));
  if (known !== undefined && !anew && known.fingerprint === fingerprint) return;
  if (known !== undefined) noteClosed(turn, known, anew ? 'entered-again' : 'changed');
  const slot: Slot = {
    key,
    session: session.id,
    state: binding.state,
    status: 'closed',
    fingerprint,
    correlation: '',
    binding: binding.decider,
    fallback: false,
    due: null,
    candidates,
  };
  open(turn, session, binding, slot);
}

/** Asks, or says why nobody is asked. */
function open(turn: Turn, session: SessionState, binding: DecideBinding, slot: Slot): void {
  const isSpent = countOf(turn.accepted, slot.key) >= (binding.maxDecisions ?? Number.POSITIVE_INFINITY);
  if (isSpent || isAskedOut(turn, binding, slot.key))
    return raise(turn, { ...slot, status: 'exhausted', candidates: [] }, 'vt.agent.budget-exhausted');
  if (slot.candidates.length === 0) return raise(turn, { ...slot, status: 'none' }, 'vt.decide.none');
  if (!isAllowed(session, slot.binding)) {
    put(turn, { ...slot, candidates: [] });
    return denyDecider(turn, session, slot.binding);
  }
  const { deadlineMs } = binding;
  if (deadlineMs === null) return ask(turn, slot);
  ask(turn, { ...slot, due: new Date(Date.parse(turn.at) + deadlineMs).toISOString() });
}

function isAskedOut(turn: Turn, binding: DecideBinding, key: string): boolean {
  const bound =
    turn.maxAsks ?? (binding.maxDecisions === null ? DEFAULT_MAX_ASKS : ASKS_PER_DECISION * binding.maxDecisions);
  return countOf(turn.asks, key) >= bound;
}

function raise(turn: Turn, slot: Slot, event: string): void {
  put(turn, slot);
  turn.facts.push({ type: 'raised', event, state: slot.state });
  tell(turn, slot.session, event, { state: slot.state });
}

/** Opens an offer under a correlation id of its own. */
function ask(turn: Turn, slot: Slot): void {
  const correlation = `${turn.position}.${turn.offers}`;
  turn.offers += 1;
  turn.asks = addTo(turn.asks, slot.key, 1);
  put(turn, { ...slot, status: 'open', correlation });
  const { state, binding, fallback, fingerprint } = slot;
  // In the order in which it will be written, which spares sorting.
  turn.facts.push({
    binding,
    candidates: slot.candidates.map(({ event }) => event),
    correlation,
    fallback,
    fingerprint,
    state,
    type: 'offered',
  });
}

function put(turn: Turn, slot: Slot): void {
  const others = turn.slots.filter(({ key }) => key !== slot.key);
  others.push(slot);
  turn.slots = others;
}

/** The deadline of an open offer has passed: its fallback is asked under a new id, or the chart is told. */
export function passDeadline(turn: Turn, correlation: string): void {
  const slot = turn.slots.find((one) => one.correlation === correlation) as Slot;
  const session = holderOf(turn, slot);
  const binding = bindingOf(turn, slot) as DecideBinding;
  noteClosed(turn, slot, 'deadline');
  const { fallback } = binding;
  if (fallback === null) return endAsking(turn, slot, 'closed', 'error.decide.timeout');
  if (isAskedOut(turn, binding, slot.key)) return endAsking(turn, slot, 'exhausted', 'vt.agent.budget-exhausted');
  if (isAllowed(session, fallback)) return ask(turn, { ...slot, binding: fallback, fallback: true, due: null });
  denyDecider(turn, session, fallback);
  endAsking(turn, slot, 'closed', 'error.decide.timeout');
}

function endAsking(turn: Turn, slot: Slot, status: Slot['status'], event: string): void {
  put(turn, { ...slot, status, due: null });
  const { correlation, state } = slot;
  turn.facts.push({ type: 'raised', event, state });
  tell(turn, slot.session, event, { correlation, state });
}

function isAllowed(session: SessionState, decider: string): boolean {
  return session.id === ROOT || isGranted(session.grant.deciders, decider);
}

function denyDecider(turn: Turn, session: SessionState, decider: string): void {
  deny(turn, session, { event: { name: 'vt.decide.request' } }, 'deciders', decider);
}
