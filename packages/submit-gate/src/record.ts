import type { Digest, Started } from '@warrant/core';
import { gateError } from './errors.ts';
import type { Claim, GateState, GateVerdict, RecordedObservation, SubmitGate } from './types.ts';

/** One input of a gate as it is recorded, with the answer where there was one. */
export type GateEvent =
  | { readonly type: 'started'; readonly event: Started }
  | { readonly type: 'observed'; readonly event: RecordedObservation }
  | { readonly type: 'reasoned' }
  | { readonly type: 'turn-began'; readonly message?: string }
  | {
      readonly type: 'submitted';
      readonly claim: Claim;
      readonly confidence?: number | null;
      readonly verdict: Pick<GateVerdict, 'type' | 'reasons' | 'downgraded'>;
    };

/** All inputs of one gate in order, the digest of its config, and the state it went on from where that was not the first. */
export type GateRecord = { readonly config: Digest; readonly from?: GateState; readonly events: readonly GateEvent[] };

/** The state after one recorded input. */
export function replayEvent(
  gate: SubmitGate,
  state: GateState,
  event: GateEvent,
): { readonly state: GateState; readonly verdict: GateVerdict | null } {
  switch (event.type) {
    case 'started':
      return { state: gate.start(state, event.event), verdict: null };
    case 'observed':
      return { state: gate.observe(state, event.event), verdict: null };
    case 'reasoned':
      return { state: gate.reason(state), verdict: null };
    case 'turn-began':
      return { state: gate.beginTurn(state, event.message), verdict: null };
    case 'submitted':
      return gate.submit(state, event.claim, event.confidence);
    default:
      return event satisfies never;
  }
}

export type Recheck = {
  readonly state: GateState;
  /** Every recorded submit, as it was answered and as this gate answers it. */
  readonly submits: readonly {
    readonly index: number;
    readonly was: 'accepted' | 'refused';
    readonly now: GateVerdict;
    readonly same: boolean;
  }[];
  /** True when this gate has the config that made the record. */
  readonly sameConfig: boolean;
};

/**
 * Runs a record again, under its own or another config: calls no model, no tool and no person.
 * @throws SUBMIT_GATE_STATE_INVALID for a record that goes on from a state of another version.
 */
export function recheckRecord(gate: SubmitGate, record: GateRecord): Recheck {
  const submits: Recheck['submits'][number][] = [];
  // A state of another config is taken as it is: the question is what this config would have said.
  let state = record.from === undefined ? gate.initial : gate.resume({ ...record.from, config: gate.config.digest });
  for (const [index, event] of record.events.entries()) {
    const next = replayEvent(gate, state, event);
    state = next.state;
    if (event.type !== 'submitted' || next.verdict === null) continue;
    submits.push({ index, was: event.verdict.type, now: next.verdict, same: event.verdict.type === next.verdict.type });
  }
  return { state, submits, sameConfig: gate.config.digest === record.config };
}

export type ChildAnswer =
  | { readonly type: 'counts'; readonly state: GateState; readonly verdict: GateVerdict }
  | {
      readonly type: 'does-not-count';
      readonly state: GateState;
      readonly why: 'no-record' | 'other-config' | 'not-accepted' | 'not-reproduced' | 'unverified';
    };

/**
 * Whether a child agent's claim counts: only when its record, run again under the gate it names, ends in an accepted claim.
 * The parent's state stays as it is; with `adopt` the child's calls are replayed into it under ids that begin with `child`.
 */
export function acceptChild(
  gate: SubmitGate,
  state: GateState,
  child: {
    readonly id: string;
    readonly record: GateRecord | null;
    readonly gate: SubmitGate;
    readonly adopt?: boolean;
  },
): ChildAnswer {
  if (child.record === null) return { type: 'does-not-count', state, why: 'no-record' };
  const again = recheckRecord(child.gate, child.record);
  if (!again.sameConfig) return { type: 'does-not-count', state, why: 'other-config' };
  if (again.submits.some((item) => !item.same)) return { type: 'does-not-count', state, why: 'not-reproduced' };
  const last = again.submits.at(-1);
  const atEnd = child.record.events.at(-1)?.type === 'submitted';
  const next = child.adopt === true ? adopted(gate, state, child.id, child.record) : state;
  if (last === undefined || !atEnd || last.now.type === 'refused')
    return { type: 'does-not-count', state: next, why: 'not-accepted' };
  if (last.now.claim === 'unverified' || last.now.claim === 'none')
    return { type: 'does-not-count', state: next, why: 'unverified' };
  return { type: 'counts', state: next, verdict: last.now };
}

function adopted(gate: SubmitGate, state: GateState, id: string, record: GateRecord): GateState {
  const offset = state.seq + 1;
  let next = state;
  for (const event of record.events) {
    if (event.type === 'started') {
      const call = { ...event.event.call, id: `${id}/${event.event.call.id}` };
      next = gate.start(next, { ...event.event, call, startSeq: event.event.startSeq + offset });
    } else if (event.type === 'observed') {
      const back = event.event.readBackOf === undefined ? {} : { readBackOf: `${id}/${event.event.readBackOf}` };
      next = gate.observe(next, {
        ...event.event,
        ...back,
        callId: `${id}/${event.event.callId}`,
        endSeq: event.event.endSeq + offset,
      });
    }
  }
  return next;
}

/** Why a claim would pass or not, in lines for people. Nothing is charged for asking. */
export function explainClaim(
  gate: SubmitGate,
  state: GateState,
  claim: Claim,
  confidence?: number | null,
): readonly string[] {
  const { verdict } = gate.submit(state, claim, confidence);
  const lines = [`${claim.type}: ${verdict.type}`];
  for (const reason of verdict.reasons) lines.push(`  ${reason.code}: ${reason.message}${detail(reason.data)}`);
  for (const item of verdict.considered)
    lines.push(
      `  looked at: ${item.tool} (${item.callId}): ${item.evidence}, ${item.tier}${item.cause === 'ok' ? '' : `, ${item.cause}`}`,
    );
  if (state.met.last !== null)
    lines.push(`  met so far: ${state.met.count}, the last one ${state.met.last.id} by ${state.met.last.by}`);
  for (const move of verdict.legalNext) lines.push(`  next: ${describeMove(move)}`);
  return lines;
}

function detail(data: { readonly [key: string]: unknown }): string {
  const parts = Object.entries(data).filter(([, value]) => value !== null && value !== undefined);
  return parts.length === 0
    ? ''
    : ` (${parts.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ')})`;
}

/** A legal move in words, for a model or a person. */
export function describeMove(move: GateVerdict['legalNext'][number]): string {
  switch (move.type) {
    case 'observe': {
      const what = move.targets.length > 0 ? move.targets.join(', ') : 'something relevant';
      const call = move.tool === undefined ? '' : ` with ${move.tool} ${JSON.stringify(move.arguments)}`;
      return `look at ${what}${call}`;
    }
    case 'redo':
      return `make good ${move.tool}${move.targets.length > 0 ? ` on ${move.targets.join(', ')}` : ''}`;
    case 'check':
      return `run a check that passes${move.signals.length > 0 ? ` (${move.signals.join(', ')})` : ''}`;
    case 'report':
      return `wait for the answer to ${move.callId}`;
    case 'change':
      return 'make the change';
    case 'submit':
      return 'say that it is unverified';
    default:
      return move satisfies never;
  }
}

/** @throws SUBMIT_GATE_TRACE_INVALID for something that is no record. */
export function parseRecord(value: unknown): GateRecord {
  const record = value as Partial<GateRecord> | null;
  if (
    typeof record !== 'object' ||
    record === null ||
    typeof record.config !== 'string' ||
    !Array.isArray(record.events)
  ) {
    throw gateError('SUBMIT_GATE_TRACE_INVALID', 'not a gate record');
  }
  return record as GateRecord;
}
