import { WarrantError } from '@warrant/core';
import type { GateState, SubmitGate } from '@warrant/submit-gate';

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
 * A stored state, for this gate. Settings, and Warrant itself, may change between two events of a session: what was open
 * stays open.
 * @throws CLAUDE_STATE_INVALID, SUBMIT_GATE_STATE_INVALID
 */
export function resumeSession(gate: SubmitGate, state: SessionState): SessionState {
  if (state.version !== 1) throw new WarrantError('CLAUDE_STATE_INVALID', 'the stored session is of another version');
  return { ...state, gate: gate.resume(carriedOver(gate, state.gate)) };
}

/** Of a state that another version of the gate kept, only how much is open can be said. */
function carriedOver(gate: SubmitGate, state: GateState): GateState {
  if (state.config === gate.config.digest) return state;
  if (state.version === gate.initial.version) return { ...state, config: gate.config.digest };
  const { turn, seq, lastMutation, reportedUnverified } = state;
  const beyond = state.beyond + state.open.length;
  return { ...gate.initial, turn, seq, lastMutation, unknownChange: lastMutation, reportedUnverified, beyond };
}

/** What nobody has looked at since it was changed, in words. */
export function openObligations(state: SessionState): readonly string[] {
  const named = state.gate.open.map(({ tool, targets, ended, id }) => {
    if (ended === null) return `${tool} (${id}) has not reported its end`;
    return targets === null || targets.length === 0
      ? `what ${tool} changed (${id}) is not known; only a check that passes speaks for it`
      : `${targets.map(oneLine).join(', ')} (changed by ${tool})`;
  });
  const { beyond } = state.gate;
  return beyond === 0 ? named : [...named, `and ${beyond} more that can no longer be named`];
}

function oneLine(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
