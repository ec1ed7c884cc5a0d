import { changed } from './changes.ts';
import type { ResolvedConfig } from './config-types.ts';
import { gateError } from './errors.ts';
import { readFacts } from './facts.ts';
import { overtake } from './freshness.ts';
import { meet, NOT_SETTLED, type Settled, settle } from './obligations.ts';
import { type Draft, draftOf } from './state.ts';
import {
  addNamedSignals,
  addSignals,
  keptName,
  type Look,
  lookAt,
  note,
  qualify,
  rememberAnswer,
  rememberShown,
  type Step,
} from './step.ts';
import { recordEnd, recordLook, recordShown, showsAsChanged } from './things.ts';
import type { Evidence, GateState, Obligation, RecordedObservation, RunningCall } from './types.ts';

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
  const next = draftOf(state);
  next.running = state.running.length === 1 ? [] : state.running.filter((item) => item !== call);
  next.seq = Math.max(state.seq, event.endSeq);
  if (event.outcome === 'not-run') notRun(next, call);
  else take(next, { config, call, event, facts: readFacts(config, state, call, event) });
  return next;
}

function take(state: Draft, step: Step): void {
  const { call, facts } = step;
  switch (call.kind) {
    case 'neutral':
      addNamedSignals(state, step);
      note(state, call, {
        tier: 'none',
        cause: 'neutral',
        evidence: facts.evidence,
        failed: facts.evidence === 'error',
      });
      return;
    case 'read':
      addNamedSignals(state, step);
      looked(state, step);
      return;
    case 'check':
      checked(state, step);
      return;
    case 'run':
      if (facts.passed.length === 0 && facts.failed.length === 0) changed(state, step);
      else {
        dropObligation(state, call.id);
        if (call.changes === true) changedBefore(state, step);
        checked(state, step);
      }
      return;
    case 'write':
      changed(state, step);
      return;
    default:
      call.kind satisfies never;
  }
}

/** Something ran in front of the check and was over when it began. */
function changedBefore(state: Draft, { config, call }: Step): void {
  if (config.settings.signals !== 'forever') state.signals = {};
  recordEnd(state, call.from - 1);
  overtake(config, state, null, call.from - 1);
}

function dropObligation(state: Draft, id: string): void {
  state.open = state.open.filter((item) => item.id !== id);
}

/** A call that a guard refused had no effect. */
function notRun(state: Draft, call: RunningCall): void {
  dropObligation(state, call.id);
  note(state, call, { tier: 'none', cause: 'not-run', evidence: 'not-run' });
}

/** True when the answer shows something that was changed earlier and has been looked at since. */
function touchesChanged(state: GateState, { call, facts }: Step, seen: (name: string) => boolean): boolean {
  if (state.changed.length === 0) return false;
  const touches = (name: string): boolean => state.changed.includes(name) && seen(name);
  return call.targets?.some(touches) === true || facts.mentions.some(touches) || facts.shows.some(touches);
}

/** What a look showed by name, to be held against later changes; none of it where it was contradicted. */
function recordNames(state: Draft, { call, facts }: Step, settled: Settled): void {
  if (facts.evidence === 'positive') {
    recordLook(state, call.targets ?? [], call.from);
    recordShown(state, facts.shows, call.from);
  }
  recordLook(state, settled.shown, call.from);
}

function looked(state: Draft, step: Step): void {
  const { config, call, facts } = step;
  const perMutation = config.settings.obligations === 'per-mutation';
  const settled = perMutation ? settle(state, step) : NOT_SETTLED;
  if (settled.contradicted) {
    state.absent = true;
    note(state, call, { tier: 'none', cause: 'contradicting', evidence: 'contradicting', failed: false });
    return;
  }
  if (perMutation) recordNames(state, step, settled);
  const look = lookAt(state, step);
  const { evidence } = facts;
  if (evidence !== 'positive') {
    lookedInVain(state, step, { look, met: settled.met });
    return;
  }
  const touches = perMutation && touchesChanged(state, step, () => true);
  if (!look.novel && settled.met === 0) {
    note(state, call, { tier: 'none', cause: 'not-novel', evidence, failed: false });
    return;
  }
  if (!look.relevant && settled.met === 0 && !touches) {
    rememberShown(state, step);
    note(state, call, { tier: 'none', cause: 'not-relevant', evidence, failed: false });
    return;
  }
  const after = state.lastMutation !== null && call.from > state.lastMutation;
  const verified =
    settled.met > 0 ||
    (touches && touchesChanged(state, step, (name) => showsAsChanged(state, name, call.from))) ||
    (after && (!perMutation || config.surface.length > 0));
  const tier = verified ? 'verified' : 'observed';
  rememberAnswer(state, step, look);
  rememberShown(state, step);
  qualify(state, step, tier);
  note(state, call, { tier, cause: 'ok', evidence, failed: false });
}

/** An error or an empty answer proves absence: it may end a removal's obligation and supports negative claims. */
function lookedInVain(state: Draft, step: Step, found: { readonly look: Look; readonly met: number }): void {
  const { evidence } = step.facts;
  const failed = evidence === 'error';
  if (found.met > 0) {
    state.absent = true;
    qualify(state, step, 'verified');
    note(state, step.call, { tier: 'verified', cause: 'ok', evidence, failed: false });
    return;
  }
  if (found.look.relevant && step.config.settings.evidence === 'classed') state.absent = true;
  note(state, step.call, { tier: 'none', cause: failed ? 'error' : 'empty', evidence, failed });
}

function checked(state: Draft, step: Step): void {
  const { config, call, event, facts } = step;
  if (!hasPassed(step)) {
    state.absent = true;
    const left = Object.entries(state.signals).filter(
      ([name]) => !facts.failed.includes(name) && call.signals?.includes(name) !== true,
    );
    state.signals = Object.fromEntries(left);
    if (isHeldAgainst(config, state) && hasFailed(step)) state.failing = withFailing(state.failing, step);
    note(state, call, { tier: 'none', cause: 'error', evidence: 'error', failed: true });
    return;
  }
  const overlapped = state.lastMutation !== null && state.lastMutation >= call.from;
  const names = new Set([
    ...facts.passed,
    ...(call.kind === 'check' ? (call.signals ?? []) : []),
    ...(event.signals ?? []),
  ]);
  const passed = [...names].map(keptName);
  state.failing = state.failing.filter((name) => !passed.includes(name));
  if (!overlapped || config.settings.signals !== 'until-mutation') addSignals(state, step, [...names]);
  const met = state.open.filter((item) => meetsUnknown(item, call));
  meet(state, met, call.id);
  const { tier, held } = checkTier(state, step, met.length > 0);
  rememberShown(state, step);
  qualify(state, step, tier, held ? 'held' : null);
  note(state, call, { tier, cause: 'signal', evidence: 'positive', failed: false });
}

/** A failure from before anything changed says nothing of what was done. */
function isHeldAgainst(config: ResolvedConfig, state: GateState): boolean {
  return config.settings.failedChecks === 'refuse' && state.lastMutation !== null;
}

/** A check that says nothing either way has not failed. */
function hasFailed({ call, event, facts }: Step): boolean {
  return facts.failed.length > 0 || event.outcome === 'error' || call.exact === true;
}

function withFailing(failing: readonly string[], { call, facts }: Step): readonly string[] {
  const names = [...failing, ...facts.failed, ...(call.signals ?? [])].map(keptName);
  return [...new Set(names)].slice(-32);
}

function hasPassed({ call, event, facts }: Step): boolean {
  if (facts.failed.length > 0 || event.outcome !== 'ok') return false;
  if (facts.passed.length > 0) return true;
  return call.exact === true && facts.evidence !== 'error';
}

/** What a passing check shows of changes: one that ended beside it may have been seen neither before nor after. */
function checkTier(
  state: GateState,
  { config, call }: Step,
  met: boolean,
): { readonly tier: Evidence['tier']; readonly held: boolean } {
  const { lastMutation, unknownChange } = state;
  if (met || (unknownChange !== null && unknownChange < call.from)) return { tier: 'verified', held: false };
  if (lastMutation === null || lastMutation >= call.from) return { tier: 'observed', held: false };
  if (!state.running.some((item) => item.kind === 'write' || item.kind === 'run'))
    return { tier: 'verified', held: false };
  return { tier: 'observed', held: config.settings.obligations === 'per-mutation' };
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
