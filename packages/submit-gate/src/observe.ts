import { contractOf } from './classify.ts';
import { gateError } from './errors.ts';
import { factsOf } from './facts.ts';
import { isWithin } from './identifiers.ts';
import { hashesOf, lookedAtName, remembered } from './memory.ts';
import { settle, withMet } from './obligations.ts';
import { appended, isCovered } from './state.ts';
import type {
  Considered,
  GateState,
  Obligation,
  ObservationFacts,
  RecordedObservation,
  ResolvedConfig,
  RunningCall,
} from './types.ts';

const CONSIDERED = 8;
const EVIDENCE = 48;

/** One step over one answer: the call as it began, its answer and the facts taken from it. */
export type Step = {
  readonly config: ResolvedConfig;
  readonly call: RunningCall;
  readonly event: RecordedObservation;
  readonly facts: ObservationFacts;
};

/** A state that this step made itself and nobody else holds: its members may still be set. */
type Draft = { -readonly [Member in keyof GateState]: GateState[Member] };

/**
 * Takes note of how a call ended. An answer to a call that never began here changes nothing.
 * @throws SUBMIT_GATE_SEQUENCE for an end before the start.
 */
export function observed(config: ResolvedConfig, state: GateState, event: RecordedObservation): GateState {
  const call = state.running.find((item) => item.id === event.callId);
  if (call === undefined) return state;
  if (!Number.isSafeInteger(event.endSeq) || event.endSeq < call.from) {
    throw gateError('SUBMIT_GATE_SEQUENCE', `call '${event.callId}' ends before it begins`, { callId: event.callId });
  }
  const running = state.running.length === 1 ? [] : state.running.filter((item) => item !== call);
  const base: Draft = { ...state, running, seq: Math.max(state.seq, event.endSeq) };
  if (event.outcome === 'not-run') return notRun(base, call);
  const step: Step = { config, call, event, facts: factsOf(config, state, call, event) };
  switch (call.kind) {
    case 'neutral':
      return trailing(note(withSignals(base, step), step, 'none', 'neutral'), step.facts.evidence === 'error');
    case 'read':
      return looked(withSignals(base, step), step);
    case 'check':
      return checked(base, step);
    case 'run': {
      const isReport = step.facts.passed.length > 0 || step.facts.failed.length > 0;
      return isReport ? checked(withoutObligation(base, call.id), step) : changed(base, step);
    }
    case 'write':
      return changed(base, step);
    default:
      return call.kind satisfies never;
  }
}

function withoutObligation(state: GateState, id: string): GateState {
  return { ...state, open: state.open.filter((item) => item.id !== id) };
}

/** A call that a guard refused had no effect. */
function notRun(state: GateState, call: RunningCall): GateState {
  const entry: Considered = { callId: call.id, tool: call.tool, evidence: 'not-run', tier: 'none', cause: 'not-run' };
  return { ...withoutObligation(state, call.id), considered: appended(state.considered, entry, CONSIDERED) };
}

function note(
  state: Draft,
  step: Step,
  tier: Considered['tier'],
  cause: Considered['cause'],
  evidence: Considered['evidence'] = step.facts.evidence,
): GateState {
  const entry: Considered = { callId: step.call.id, tool: step.call.tool, evidence, tier, cause };
  state.considered = appended(state.considered, entry, CONSIDERED);
  return state;
}

/** Signals that the shell names itself count when the call succeeded. */
function withSignals(state: GateState, step: Step): GateState {
  const named = step.event.signals;
  return named === undefined || named.length === 0 || step.event.outcome !== 'ok'
    ? state
    : signalled(state, step, named);
}

function signalled(state: GateState, step: Step, names: readonly string[]): GateState {
  const covers = contractOf(step.config, step.call.tool).covers;
  const signals = { ...state.signals };
  for (const name of names.slice(0, 32))
    signals[name.slice(0, 64)] = covers === undefined ? { from: step.call.from } : { from: step.call.from, covers };
  const kept = Object.entries(signals).slice(-32);
  return { ...state, signals: Object.fromEntries(kept) };
}

/** A qualifying answer: latches, budget and the list of evidence. */
function qualified(state: Draft, step: Step, tier: 'observed' | 'verified'): Draft {
  const { config, call, event } = step;
  state.budget = Math.min(state.budget + config.refill, config.cap);
  state.halted = false;
  state.grounded = true;
  if (tier === 'verified') {
    state.verified = true;
    state.lastVerification = event.endSeq;
  }
  state.evidence = appended(state.evidence, { callId: call.id, tier, seq: event.endSeq }, EVIDENCE);
  return state;
}

type Look = { readonly relevant: boolean; readonly novel: boolean };

function lookAt(state: GateState, step: Step): Look {
  const { config, call, facts } = step;
  const exempt = config.noveltyExempt.includes(call.tool);
  const novel = exempt || !state.novelty.includes(facts.novelty);
  return { novel, relevant: isRelevant(config, call, facts) };
}

function isRelevant(config: ResolvedConfig, call: RunningCall, facts: ObservationFacts): boolean {
  if (config.surface.length === 0 && config.settings.emptySurface === 'any') return true;
  if (call.meets || facts.shows.some((name) => config.surface.includes(name))) return true;
  if (config.settings.identifiers === 'tokens') return facts.mentions.length > 0;
  return facts.mentions.some((name) => config.surface.includes(name));
}

/** True when the answer shows something that was changed earlier and has been looked at since. */
function touchesChanged(state: GateState, step: Step): boolean {
  const { call, facts } = step;
  if (state.changed.length === 0) return false;
  const names = [...(call.targets ?? []), ...facts.mentions, ...facts.shows];
  return names.some((name) => state.changed.includes(name));
}

function looked(state: GateState, step: Step): GateState {
  const { config, call, facts } = step;
  const perMutation = config.settings.obligations === 'per-mutation';
  const settled = perMutation ? settle(state, step) : { state, met: 0, contradicted: false };
  const look = lookAt(state, step);
  if (settled.contradicted)
    return trailing(note(absent(settled.state), step, 'none', 'contradicting', 'contradicting'), false);
  if (facts.evidence !== 'positive') return lookedInVain(settled.state, step, { look, met: settled.met });
  const touches = perMutation && touchesChanged(state, step);
  if (!look.novel && settled.met === 0) return trailing(note(settled.state, step, 'none', 'not-novel'), false);
  if (!look.relevant && settled.met === 0 && !touches)
    return trailing(note(withShown(settled.state, step), step, 'none', 'not-relevant'), false);
  const after = state.lastMutation !== null && call.from > state.lastMutation;
  const verified =
    settled.met > 0 || (after && (!perMutation || touches || (config.surface.length > 0 && look.relevant)));
  const tier = verified ? 'verified' : 'observed';
  const known = withShown(rememberAnswer(settled.state, step), step);
  return trailing(note(qualified(known, step, tier), step, tier, 'ok'), false);
}

/** An error or an empty answer proves absence: it may end a removal's obligation and supports negative claims. */
function lookedInVain(state: GateState, step: Step, found: { readonly look: Look; readonly met: number }): GateState {
  const { evidence } = step.facts;
  const failed = evidence === 'error';
  if (found.met > 0) return trailing(note(qualified(absent(state), step, 'verified'), step, 'verified', 'ok'), false);
  const relevant = found.look.relevant && step.config.settings.evidence === 'classed';
  return trailing(note(relevant ? absent(state) : state, step, 'none', failed ? 'error' : 'empty'), failed);
}

function absent(state: Draft): Draft {
  state.absent = true;
  return state;
}

function trailing(state: Draft, failed: boolean): GateState {
  state.trailingError = failed;
  return state;
}

function rememberAnswer(state: Draft, step: Step): Draft {
  const { novelty } = step.facts;
  if (novelty === '' || state.novelty.includes(novelty) || step.config.noveltyExempt.includes(step.call.tool))
    return state;
  state.novelty = appended(state.novelty, novelty, step.config.limits.novelty);
  return state;
}

/** Remembers which codes and identifiers were seen. */
function withShown(state: GateState, step: Step): GateState {
  if (step.config.settings.unseenCodes === 'ignore') return state;
  const names = [...(step.call.targets ?? []), ...step.facts.shows];
  // What was looked at by name is kept apart from what an answer merely named.
  if (step.config.settings.namedChanges === 'refuse' && step.call.kind === 'read')
    for (const target of step.call.targets ?? []) names.push(lookedAtName(target));
  return remembered(step.config, state, step.facts.codes + hashesOf(names));
}

function checked(state: GateState, step: Step): GateState {
  const { config, call, event, facts } = step;
  const untold =
    facts.passed.length === 0 &&
    call.kind === 'check' &&
    call.exact === true &&
    event.outcome === 'ok' &&
    facts.evidence !== 'error';
  const passed = facts.failed.length === 0 && (untold || (facts.passed.length > 0 && event.outcome === 'ok'));
  if (!passed) {
    const signals = Object.fromEntries(
      Object.entries(state.signals).filter(([name]) => !facts.failed.includes(name) && name !== call.signal),
    );
    return trailing(note({ ...absent(state), signals }, step, 'none', 'error', 'error'), true);
  }
  const overlapped = isOverlapped(state, step);
  const names = [
    ...new Set([...facts.passed, ...(call.signal === undefined ? [] : [call.signal]), ...(event.signals ?? [])]),
  ];
  const told = overlapped && config.settings.signals === 'until-mutation' ? state : signalled(state, step, names);
  const met = told.open.filter((item) => meetsUnknown(item, call));
  const next = met.length > 0 ? withMet(told, met, call.id) : told;
  const tier = met.length > 0 || (!overlapped && state.lastMutation !== null) ? 'verified' : 'observed';
  return trailing(note(qualified(withShown(next, step), step, tier), step, tier, 'signal', 'positive'), false);
}

/** True when something was being changed while the check ran, so that it may have seen neither before nor after. */
function isOverlapped(state: GateState, step: Step): boolean {
  if (state.lastMutation !== null && state.lastMutation >= step.call.from) return true;
  return state.running.some((item) => item.kind === 'write' || item.kind === 'run');
}

/** A passing check speaks for changes whose targets nobody knows, unless something definite was expected of them. */
function meetsUnknown(item: Obligation, call: RunningCall): boolean {
  return (
    item.targets === null &&
    item.ended !== null &&
    item.ended < call.from &&
    item.expects === undefined &&
    item.contradicted === undefined
  );
}

function changed(state: GateState, step: Step): GateState {
  const { config, call, event, facts } = step;
  const failed = event.outcome === 'error' || (facts.evidence === 'error' && config.settings.evidence === 'classed');
  const lastMutation = Math.max(state.lastMutation ?? event.endSeq, event.endSeq);
  const signals = config.settings.signals === 'forever' ? state.signals : fresh(state, call);
  const grown = config.settings.surfaceGrowth === 'mutations' ? grownSurface(state, call, config) : state.changed;
  const marked: GateState = { ...state, lastMutation, signals, changed: grown };
  if (config.settings.obligations === 'last-mutation') return changedByReference(marked, state, step);
  const ended = endObligation(marked, step, failed);
  const told = failed ? ended : withShown(ended, step);
  const own = told.open.find((item) => item.id === call.id);
  if (facts.own?.type === 'fails' && own !== undefined) {
    const found = facts.own.message.slice(0, 120);
    const open = told.open.map((item) => (item === own ? { ...item, contradicted: { by: call.id, found } } : item));
    return trailing(note({ ...told, open }, step, 'none', 'contradicting', 'contradicting'), true);
  }
  if (facts.own?.type === 'holds' && !failed && own !== undefined && own.blind === undefined) {
    const met = withMet(told, [...told.open.filter((item) => shownByAnswer(item, call)), own], call.id);
    return trailing(note(qualified(met, step, 'verified'), step, 'verified', 'ok', 'positive'), false);
  }
  return trailing(note(told, step, 'none', failed ? 'error' : 'not-read-only'), failed);
}

/** An answer that carries the resulting state is a look at its targets, so it speaks for earlier changes of them as well. */
function shownByAnswer(item: Obligation, call: RunningCall): boolean {
  if (item.ended === null || item.ended >= call.from || (item.failed && item.redo) || item.blind !== undefined)
    return false;
  if (item.expects?.type === 'stated' || item.targets === null || item.targets.length === 0) return false;
  return item.targets.every((target) => call.targets?.includes(target) === true);
}

/** The reference classes a change like a look, then takes the verification back. */
function changedByReference(marked: GateState, before: GateState, step: Step): GateState {
  const look = lookAt(before, step);
  const known =
    look.novel && look.relevant && step.facts.evidence === 'positive' ? rememberAnswer(marked, step) : marked;
  const cause = !look.novel ? 'not-novel' : look.relevant ? 'not-read-only' : 'not-relevant';
  return note(withSignals({ ...known, verified: false }, step), step, 'none', cause);
}

function fresh(state: GateState, call: RunningCall): GateState['signals'] {
  const kept = Object.entries(state.signals).filter(([, signal]) => !isCovered(signal.covers, call.targets));
  return Object.fromEntries(kept);
}

function grownSurface(state: GateState, call: RunningCall, config: ResolvedConfig): readonly string[] {
  let out = state.changed;
  for (const target of call.targets ?? [])
    if (!out.includes(target)) out = appended(out, target, config.limits.surface);
  return out;
}

/** The change has ended: what it overwrites of earlier changes no longer has to be seen as they left it. */
function endObligation(state: GateState, step: Step, failed: boolean): GateState {
  const { call, event } = step;
  const open: Obligation[] = [];
  for (const item of state.open) {
    if (item.id === call.id) open.push({ ...item, ended: event.endSeq, failed });
    else if (failed || item.ended === null || item.ended >= call.from || !overwrites(call, item)) open.push(item);
    else if (!(item.failed && item.redo)) {
      const { expects: _expects, contradicted: _contradicted, ...rest } = item;
      open.push(rest);
    }
  }
  if (open.every((item) => item.id !== call.id) && state.beyond === 0) open.push(reopened(step, failed));
  return { ...state, open };
}

/** A change that was reported as unverified while it still ran has its effect after the report. */
function reopened(step: Step, failed: boolean): Obligation {
  const { call, event, config } = step;
  const { id, tool, key, targets, from } = call;
  const redo = config.settings.failedMutations === 'redo';
  return { id, tool, key, targets, from, ended: event.endSeq, failed, redo, size: call.size + 100 };
}

function overwrites(call: RunningCall, item: Obligation): boolean {
  if (item.key === call.key) return true;
  if (item.targets === null || call.targets === null || item.targets.length === 0) return false;
  return item.targets.every((target) => call.targets?.some((own) => own === target || isWithin(target, own)) === true);
}
