import type { CallEffects, Json } from '@warrant/core';
import type { GateEvent } from '@warrant/submit-gate';
import { submitClaim } from '../feed-gate.ts';
import type { HookAnswer, HookEventOf } from '../hook-event.ts';
import type { SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';
import { mutationIdentifiers, serialize } from './texts.ts';

// How the reference adapter reads the client's events: tools by name alone, texts as it serialises them, every turn
// after the first change a completion.

const READS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'WebFetch', 'WebSearch', 'NotebookRead']);
const WRITES: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit', 'Bash']);
const TOLD: Omit<CallEffects, 'class' | 'writes'> = { reads: [], deletes: [], unknownTargets: [], network: 'unknown' };

type Fed = { readonly state: SessionState; readonly steps: readonly GateEvent[] };

/** A call has ended: evidence, a change, or neither, by its tool's name. */
export function referenceEnded(setup: Setup, before: SessionState, event: HookEventOf<'tool-ended'>): Fed {
  const { tool } = event.call;
  const writes = WRITES.has(tool);
  const known = writes || READS.has(tool);
  const state = {
    ...before,
    sequence: before.sequence + 2,
    calls: before.calls + 1,
    mutated: before.mutated || writes,
  };
  if (!known && event.outcome === 'error') return { state, steps: [] };
  const adds = writes ? mutationIdentifiers(event.call.arguments) : [];
  return call(setup, state, {
    tool,
    args: serialize(event.call.arguments),
    // The reference reads no text of a failure.
    result: serialize(event.outcome === 'error' ? null : event.result),
    outcome: known ? event.outcome : 'not-run',
    effects: { ...TOLD, class: writes ? 'write' : 'read', writes: adds },
  });
}

function call(
  setup: Setup,
  state: SessionState,
  input: {
    readonly tool: string;
    readonly args: string;
    readonly result: Json;
    readonly outcome: 'ok' | 'error' | 'not-run';
    readonly effects: CallEffects;
  },
): Fed {
  const id = `c${state.sequence / 2}`;
  const started = {
    call: { id, tool: input.tool, arguments: { $text: input.args } },
    startSeq: state.sequence - 1,
    effects: input.effects,
  };
  const observed = { callId: id, endSeq: state.sequence, outcome: input.outcome, result: input.result };
  const gate = setup.gate.observe(setup.gate.start(state.gate, started), observed);
  return {
    state: { ...state, gate },
    steps: [
      { type: 'started', event: started },
      { type: 'observed', event: observed },
    ],
  };
}

type Ended = {
  readonly answer: HookAnswer;
  readonly outcome: null;
  readonly entities: readonly string[];
  readonly query: string;
};

/** The end of a turn as the reference judges it: refusals cost budget, and without any the turn is let go. */
export function referenceStop(
  setup: Setup,
  state: SessionState,
  confidence: number | null | undefined,
): Fed & { readonly value: Ended } {
  const value = (answer: HookAnswer): Ended => ({ answer, outcome: null, entities: [], query: '' });
  if (state.calls === 0) return { state, steps: [], value: value({}) };
  const said = submitClaim(setup, state, { type: state.mutated ? 'completion' : 'assertion' }, confidence);
  if (said.verdict.type === 'accepted') {
    return { state: { ...said.state, blocks: 0, exitedUnverified: false }, steps: said.steps, value: value({}) };
  }
  const blocks = state.blocks + 1;
  const spent = { ...said.state, blocks, gate: setup.gate.reason(said.state.gate) };
  const steps: readonly GateEvent[] = [...said.steps, { type: 'reasoned' }];
  if (blocks <= setup.maxBlocks && spent.gate.budget > 0) {
    const unmet = setup.gate.progress(spent.gate).unmetSignals;
    const codes = said.verdict.reasons.map((reason) => reason.code);
    const reason = [...codes, ...unmet.map((signal) => `signal ${signal}`)].join('; ');
    return { state: spent, steps, value: value({ block: reason }) };
  }
  const left = submitClaim(setup, { ...spent, blocks: 0, exitedUnverified: true }, { type: 'unverified' });
  const notice = 'This turn ends without a verified answer.';
  return { state: left.state, steps: [...steps, ...left.steps], value: value({ notice }) };
}
