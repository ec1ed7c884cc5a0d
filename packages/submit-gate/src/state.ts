import type { ResolvedConfig } from './config-types.ts';
import { gateError } from './errors.ts';
import type { GateState, Obligation, Progress } from './types.ts';

/** A state that a step made itself and nobody else holds: its members may still be set. */
export type Draft = { -readonly [Member in keyof GateState]: GateState[Member] };

/** A copy of the state to set members of. Member by member: spreading an object of this size costs twenty times as much. */
export function draftOf(state: GateState): Draft {
  return {
    version: state.version,
    config: state.config,
    turn: state.turn,
    budget: state.budget,
    halted: state.halted,
    rejections: state.rejections,
    grounded: state.grounded,
    verified: state.verified,
    absent: state.absent,
    trailingError: state.trailingError,
    seq: state.seq,
    lastMutation: state.lastMutation,
    lastVerification: state.lastVerification,
    running: state.running,
    open: state.open,
    beyond: state.beyond,
    met: state.met,
    reportedUnverified: state.reportedUnverified,
    changed: state.changed,
    things: state.things,
    past: state.past,
    unknownChange: state.unknownChange,
    signals: state.signals,
    failing: state.failing,
    evidence: state.evidence,
    considered: state.considered,
    novelty: state.novelty,
    recent: state.recent,
    codes: state.codes,
    codesFull: state.codesFull,
  };
}

/** The state before anything happened. */
export function initialState(config: ResolvedConfig): GateState {
  return draftOf({
    version: 3,
    config: config.digest,
    turn: 1,
    budget: config.cap,
    halted: false,
    rejections: 0,
    grounded: false,
    verified: false,
    absent: false,
    trailingError: false,
    seq: 0,
    lastMutation: null,
    lastVerification: null,
    running: [],
    open: [],
    beyond: 0,
    met: { count: 0, last: null },
    reportedUnverified: 0,
    changed: [],
    things: [],
    past: { changed: null, seen: null, unseen: false },
    unknownChange: null,
    signals: {},
    failing: [],
    evidence: [],
    considered: [],
    novelty: [],
    recent: [],
    codes: [],
    codesFull: false,
  });
}

/**
 * The state itself when this gate made it, or one with the same config.
 * @throws SUBMIT_GATE_STATE_INVALID for something else than a state of version 3.
 * @throws SUBMIT_GATE_CONFIG_CHANGED when another config made it.
 */
export function resumed(config: ResolvedConfig, state: unknown): GateState {
  const candidate = state as Partial<GateState> | null;
  if (typeof candidate !== 'object' || candidate === null || candidate.version !== 3) {
    throw gateError('SUBMIT_GATE_STATE_INVALID', 'not a gate state of version 3');
  }
  for (const [key, value] of Object.entries(initialState(config))) {
    const own = (candidate as Record<string, unknown>)[key];
    const same =
      value === null
        ? own === null || typeof own === 'number'
        : typeof own === typeof value && Array.isArray(own) === Array.isArray(value);
    if (!same) throw gateError('SUBMIT_GATE_STATE_INVALID', `gate state with a bad member '${key}'`, { member: key });
  }
  if (candidate.config !== config.digest) {
    throw gateError('SUBMIT_GATE_CONFIG_CHANGED', 'gate state made under another config', {
      made: candidate.config as string,
      now: config.digest,
    });
  }
  return candidate as GateState;
}

/** The next turn: what was seen is gone, open obligations and signals stay. */
export function nextTurn(config: ResolvedConfig, state: GateState): Draft {
  const next = draftOf(state);
  next.turn += 1;
  next.budget = config.cap;
  next.halted = false;
  next.grounded = false;
  next.verified = false;
  next.absent = false;
  next.trailingError = false;
  next.evidence = [];
  next.considered = [];
  if (config.settings.noveltySpan === 'turn') forgetAnswers(next);
  return next;
}

/** After this, every answer is news. */
export function forgetAnswers(state: Draft): void {
  state.novelty = [];
  state.recent = [];
}

/** The items with one more at the end, the oldest dropped beyond `limit`. */
export function appended<T>(items: readonly T[], item: T, limit: number): readonly T[] {
  if (items.length < limit) return [...items, item];
  // A whole copy that loses its first member is four times as fast as any other way to leave one out.
  const out = items.slice(items.length - limit);
  out.shift();
  out.push(item);
  return out;
}

/** Oldest obligations beyond the limits become a number that only `unverified` meets. */
export function collapse(config: ResolvedConfig, state: Draft): void {
  const { open } = state;
  let size = 0;
  for (const item of open) size += item.size;
  let dropped = 0;
  while (open.length - dropped > config.limits.open || size > config.limits.openSize) {
    size -= (open[dropped] as Obligation).size;
    dropped += 1;
  }
  state.open = open.slice(dropped);
  state.beyond += dropped;
}

/** Signals that count now: their check began after the last change of what they cover, and none of it is being changed. */
export function isFresh(state: GateState, name: string): boolean {
  if (!Object.hasOwn(state.signals, name)) return false;
  const { covers } = state.signals[name] as GateState['signals'][string];
  return !state.running.some(
    (call) => (call.kind === 'write' || call.kind === 'run') && isCovered(covers, call.targets),
  );
}

/** True when a change of `targets` may change what a signal over `covers` says. */
export function isCovered(covers: readonly string[] | undefined, targets: readonly string[] | null): boolean {
  if (covers === undefined || targets === null) return true;
  return targets.some((target) =>
    covers.some((prefix) => target === prefix || target.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)),
  );
}

/** Plain numbers about the state, for display. */
export function progressOf(config: ResolvedConfig, state: GateState): Progress {
  return {
    budget: state.budget,
    cap: config.cap,
    refill: config.refill,
    budgetHeadroom: config.cap - state.budget,
    turn: state.turn,
    grounded: state.grounded,
    verified: state.verified,
    rejections: state.rejections,
    halted: state.halted,
    sinceMutation: state.lastMutation === null ? null : state.seq - state.lastMutation,
    sinceVerification: state.lastVerification === null ? null : state.seq - state.lastVerification,
    observations: state.evidence.length,
    open: state.open.length + state.beyond,
    met: state.met.count,
    reportedUnverified: state.reportedUnverified,
    unmetSignals: config.goals.filter((goal) => !isFresh(state, goal)),
  };
}
