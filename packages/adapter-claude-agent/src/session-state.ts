import { isWarrantError, WarrantError } from '@warrant/core';
import type { GateState, SubmitGate } from '@warrant/submit-gate';
import { isObject } from './hook-input.ts';
import { oneLine } from './one-line.ts';
import { isWhole, isWholeGate } from './whole-session.ts';

/** A subagent by its kind, and who called it: null for the agent of the session itself. */
export type Called = {
  readonly kind: string;
  readonly parent: string | null;
  /** Others who called one of this kind at the same time: which of them it was, nobody can tell. */
  readonly orBy?: readonly (string | null)[];
};

/** What is kept of a session, or of one subagent of it, between two hook processes. Plain JSON. */
export type SessionState = {
  readonly version: 1;
  readonly gate: GateState;
  /** Orders starts and ends of all calls. */
  readonly sequence: number;
  /** Calls that ended since the last prompt. */
  readonly calls: number;
  /** Something was changed since the session began. */
  readonly mutated: boolean;
  /** Ends of this turn that were refused. */
  readonly blocks: number;
  /** The last turn ended without proof of what it left open. */
  readonly exitedUnverified: boolean;
  /** What was open then, in words. */
  readonly unverified: readonly string[];
  /** False from a prompt until the end of its turn was judged. */
  readonly judged: boolean;
  /** Calls whose command still runs, by the client's id of the task. */
  readonly tasks: { readonly [task: string]: string };
  /** The last prompt, cut, with secrets replaced. */
  readonly query: string;
  /** What was touched since the last prompt. */
  readonly entities: readonly string[];
  /** Confirmations that last for the session. */
  readonly confirmations: readonly string[];
  /** Calls that a person's answer from the inbox lets run, by content, until they have ended. */
  readonly approved?: readonly string[];
  /** Subagents of the session, kept with the session itself: of which kind, and who called them. */
  readonly agents: { readonly [agent: string]: Called };
  /** Subagents that were called and have not begun. */
  readonly spawns: readonly Called[];
  /** Who called some of them is no longer known: those are bound by all that there is. */
  readonly lost?: true;
  /** What has to survive a compaction, while one is under way. */
  readonly checkpoint: string | null;
};

export function initialSession(gate: SubmitGate): SessionState {
  return {
    version: 1,
    gate: gate.initial,
    sequence: 0,
    calls: 0,
    mutated: false,
    blocks: 0,
    exitedUnverified: false,
    unverified: [],
    judged: true,
    tasks: {},
    query: '',
    entities: [],
    confirmations: [],
    agents: {},
    spawns: [],
    checkpoint: null,
  };
}

/**
 * A stored state, for this gate. Settings may change between two events of a session: what was open stays open.
 * @throws CLAUDE_STATE_INVALID for what another version kept, or what is damaged: `mendSession` makes one of it to go on from
 */
export function resumeSession(gate: SubmitGate, kept: SessionState): SessionState {
  const state: unknown = kept;
  if (!isObject(state) || !isWhole(initialSession(gate), state)) throw notWhole('the stored session');
  const { gate: was } = kept;
  const now = was.config === gate.config.digest ? was : { ...was, config: gate.config.digest };
  try {
    return { ...kept, gate: gate.resume(now) };
  } catch (error) {
    if (isWarrantError(error, 'SUBMIT_GATE_STATE_INVALID')) throw notWhole('the stored state of the gate');
    throw error;
  }
}

function notWhole(what: string): WarrantError {
  return new WarrantError('CLAUDE_STATE_INVALID', `${what} is damaged, or of another version`);
}

/** What nobody has looked at since it was changed, in words. */
export function openObligations(state: SessionState): readonly string[] {
  if (!isWholeGate(state.gate)) return ['what was kept of this session cannot be read'];
  const named = state.gate.open.map(({ tool: called, targets, ended, id: name }) => {
    const [tool, id] = [oneLine(called), oneLine(name)];
    if (ended === null) return `${tool} (${id}) has not reported its end`;
    return targets === null || targets.length === 0
      ? `what ${tool} changed (${id}) is not known; only a check that passes speaks for it`
      : `${targets.map(oneLine).join(', ')} (changed by ${tool})`;
  });
  const { beyond } = state.gate;
  return beyond === 0 ? named : [...named, `and ${beyond} more that can no longer be named`];
}
