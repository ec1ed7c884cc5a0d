import type { Json, JsonObject, ToolCall } from '@warrant/core';
import type { GateEvent, GateRecord } from './record.ts';
import type { Claim, GateState, GateVerdict, RecordedObservation, SubmitGate } from './types.ts';

/** A tool as the gate wraps it: plain arguments in, JSON out. A guarded function's outcome is understood. */
export type GatedTool = (
  args: JsonObject,
  options: { readonly callId: string; readonly signal?: AbortSignal },
) => Promise<Json> | Json;

/** The tools as they are called: every one answers with a promise and may be told its call id. */
export type GatedTools<Tools> = {
  readonly [Name in keyof Tools]: Tools[Name] extends (args: infer Args, ...more: never[]) => infer Answer
    ? (
        args: unknown extends Args ? JsonObject : Args,
        options?: { readonly callId: string; readonly signal?: AbortSignal },
      ) => Promise<Awaited<Answer>>
    : never;
};

export type GateSession = {
  readonly gate: SubmitGate;
  readonly state: GateState;
  /** Everything so far, for a re-check or a parent agent. */
  readonly record: GateRecord;
  /** Ids in order of the calls, so that two sessions with equal input are equal. */
  beginTurn(message?: string): void;
  reason(): void;
  submit(claim: Claim, confidence?: number | null): GateVerdict;
};

export type ToolResult = { readonly outcome: RecordedObservation['outcome']; readonly result: Json };

const REFUSALS = new Set(['ungrounded', 'blocked', 'declined', 'pending']);

/** What a tool's return value says about the call: a guard's outcome that is no `executed` had no effect. */
export function resultOf(value: unknown): ToolResult {
  if (typeof value === 'object' && value !== null && 'type' in value && 'recorded' in value && 'call' in value) {
    const outcome = value as { readonly type: string; readonly value?: Json; readonly stage?: string };
    if (outcome.type === 'executed') return { outcome: 'ok', result: outcome.value ?? null };
    if (REFUSALS.has(outcome.type) || outcome.stage === 'before') return { outcome: 'not-run', result: outcome.type };
    return { outcome: 'error', result: 'the call failed' };
  }
  return { outcome: 'ok', result: (value ?? null) as Json };
}

/** A result for an error that a tool threw: its message, not its stack. */
export function thrownResult(error: unknown): ToolResult {
  return { outcome: 'error', result: error instanceof Error ? error.message : String(error) };
}

/** What stands for an answer of a verifier that is no confidence: it refuses, and a record in JSON keeps it as it is. */
export const NO_CONFIDENCE = -1;

/** A confidence as JSON keeps it: what is no finite number would come back as null, which abstains. */
export function recordable(confidence: number | null | undefined): number | null | undefined {
  const isKept = confidence === null || confidence === undefined || Number.isFinite(confidence);
  return isKept ? confidence : NO_CONFIDENCE;
}

/**
 * Wraps tools for people with a loop of their own: each call is started before it runs and observed after it, whatever happens.
 * The session holds the current state; errors of tools pass through.
 */
export function gateTools<Tools extends { readonly [name: string]: (args: never, options: never) => unknown }>(
  tools: Tools,
  gate: SubmitGate,
  options: { readonly state?: GateState } = {},
): { readonly tools: GatedTools<Tools>; readonly session: GateSession } {
  let state = options.state === undefined ? gate.initial : gate.resume(options.state);
  const events: GateEvent[] = [];
  let count = 0;
  const wrap =
    (name: string, tool: GatedTool): GatedTool =>
    async (args, more) => {
      count += 1;
      const id = more?.callId ?? `${state.turn}.${count}`;
      const call: ToolCall = { id, tool: name, arguments: args ?? {} };
      const started = { call, startSeq: state.seq + 1, effects: gate.effectsOf(call) };
      state = gate.start(state, started);
      events.push({ type: 'started', event: started });
      const report = (result: ToolResult): void => {
        const observed = { callId: id, endSeq: state.seq + 1, ...result };
        state = gate.observe(state, observed);
        events.push({ type: 'observed', event: observed });
      };
      try {
        const value = await tool(args, { ...more, callId: id });
        report(resultOf(value));
        return value;
      } catch (error) {
        report(thrownResult(error));
        throw error;
      }
    };
  const session: GateSession = {
    gate,
    get state() {
      return state;
    },
    get record() {
      const from = options.state === undefined ? {} : { from: options.state };
      return { config: gate.config.digest, ...from, events: [...events] };
    },
    beginTurn: (message) => {
      state = gate.beginTurn(state, message);
      events.push(message === undefined ? { type: 'turn-began' } : { type: 'turn-began', message });
    },
    reason: () => {
      state = gate.reason(state);
      events.push({ type: 'reasoned' });
    },
    submit: (claim, told) => {
      const confidence = recordable(told);
      const answer = gate.submit(state, claim, confidence);
      state = answer.state;
      const { type, reasons, downgraded } = answer.verdict;
      events.push({
        type: 'submitted',
        claim,
        ...(confidence === undefined ? {} : { confidence }),
        verdict: { type, reasons, downgraded },
      });
      return answer.verdict;
    },
  };
  const wrapped = Object.fromEntries(
    Object.entries(tools).map(([name, tool]) => [name, wrap(name, tool as unknown as GatedTool)]),
  );
  return { tools: wrapped as unknown as GatedTools<Tools>, session };
}
