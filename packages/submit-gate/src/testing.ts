import type { CallEffects, Json, JsonObject } from '@warrant/core';
import { type Draft, draftOf } from './state.ts';
import type { Step } from './step.ts';
import type { GateState, Obligation, RecordedObservation, RunningCall, SubmitGate } from './types.ts';

// Help for this package's own tests; nothing here is exported.

const NOTHING: CallEffects = { class: 'read', reads: [], writes: [], deletes: [], unknownTargets: [], network: 'no' };

export function effects(change: Partial<CallEffects>): CallEffects {
  return { ...NOTHING, ...change };
}

/** A gate's first state with some of its members set. */
export function stateOf(gate: SubmitGate, members: Partial<GateState>): Draft {
  return draftOf({ ...gate.initial, ...members });
}

/** A look that began at 10, unless told otherwise. */
export function runningCall(members: Partial<RunningCall> = {}): RunningCall {
  return {
    id: 'look',
    tool: 'look',
    kind: 'read',
    from: 10,
    targets: [],
    key: 'key',
    meets: false,
    size: 0,
    ...members,
  };
}

/** A change of `a` that ended at 5, unless told otherwise. */
export function obligation(members: Partial<Obligation> = {}): Obligation {
  const kept = { id: 'change', tool: 'put', key: 'key', targets: ['a'], from: 4, ended: 5 };
  return { ...kept, failed: false, redo: false, size: 0, ...members };
}

const NO_FACTS: Step['facts'] = {
  evidence: 'positive',
  novelty: 7,
  mentions: [],
  shows: [],
  passed: [],
  failed: [],
  own: null,
  expectations: {},
};

/** A step over the answer to a call, with what was read from it. */
export function stepOf(
  gate: SubmitGate,
  call: Partial<RunningCall>,
  facts: Partial<Step['facts']> = {},
  event: Partial<RecordedObservation> = {},
): Step {
  const began = runningCall(call);
  return {
    config: gate.config,
    call: began,
    event: { callId: began.id, endSeq: began.from + 1, outcome: 'ok', result: '', ...event },
    facts: { ...NO_FACTS, ...facts },
  };
}

export type Act = {
  readonly tool: string;
  readonly args?: JsonObject;
  readonly effects?: CallEffects;
  readonly result?: Json;
  readonly outcome?: RecordedObservation['outcome'];
  readonly expects?: Json;
  readonly more?: Partial<RecordedObservation>;
};

/** A session that drives a gate one call after the other. */
export class Session {
  readonly gate: SubmitGate;
  state: GateState;
  seq = 0;
  calls = 0;

  constructor(gate: SubmitGate) {
    this.gate = gate;
    this.state = gate.initial;
  }

  /** @returns the id of the call that begins */
  begin(act: Act): string {
    this.calls += 1;
    this.seq += 1;
    const id = `call-${this.calls}`;
    const call = { id, tool: act.tool, arguments: act.args ?? {} };
    const told = { call, startSeq: this.seq, effects: act.effects ?? this.gate.effectsOf(call) };
    this.state = this.gate.start(this.state, act.expects === undefined ? told : { ...told, expects: act.expects });
    return id;
  }

  end(callId: string, act: Omit<Act, 'tool'>): void {
    this.seq += 1;
    this.state = this.gate.observe(this.state, {
      callId,
      endSeq: this.seq,
      outcome: act.outcome ?? 'ok',
      result: act.result ?? 'ok',
      ...act.more,
    });
  }

  run(act: Act): string {
    const id = this.begin(act);
    this.end(id, act);
    return id;
  }

  read(path: string, result: Json = `contents of ${path}`, more: Partial<Act> = {}): string {
    return this.run({ tool: 'look', args: { path }, effects: effects({ reads: [path] }), result, ...more });
  }

  write(path: string, more: Partial<Act> = {}): string {
    return this.run({ tool: 'put', args: { path }, effects: effects({ class: 'write', writes: [path] }), ...more });
  }

  /** Codes of the reasons of a refused submit, or `accepted`. */
  submit(type = 'completion', more: JsonObject = {}): string {
    const { state, verdict } = this.gate.submit(this.state, { type, ...more });
    this.state = state;
    return verdict.type === 'accepted'
      ? 'accepted'
      : verdict.reasons.map((reason) => reason.code.replace('gate.', '')).join(' ');
  }
}
