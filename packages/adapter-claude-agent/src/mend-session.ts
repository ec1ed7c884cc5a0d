import type { Entry } from '@warrant/core';
import { type GateState, replayEvent, type SubmitGate } from '@warrant/submit-gate';
import { gateMended, readGateRecord } from './gate-records.ts';
import { isObject } from './hook-input.ts';
import { initialSession, resumeSession, type SessionState } from './session-state.ts';
import type { SessionKey } from './session-store.ts';
import type { Setup } from './settings.ts';
import { faultyMembers, isWholeGate } from './whole-session.ts';

/** Mendings of one session that are told apart. */
const MOST = 10_000;

/**
 * Makes a session that cannot be gone on from one that can: its gate from the session's record where that is whole, else
 * with how much is open. Nothing counts as looked at, and the mending is in the record.
 */
export async function mendSession(setup: Setup, { session, agent }: SessionKey): Promise<void> {
  const key = { session, agent };
  const { store } = setup.options;
  const kept = await store.load(key);
  if (kept === null || isResumable(setup.gate, kept)) return;
  const entries = await historyOf(setup, key);
  await store.update(key, (now, knows) => {
    if (now === null || isResumable(setup.gate, now)) return { type: 'known' };
    const { state, how } = mended(setup.gate, now, { key, entries });
    let count = 1;
    while (count < MOST && knows(mendingId(key, count)) !== null) count += 1;
    const id = mendingId(key, count);
    return {
      type: 'done',
      event: id,
      told: { content: '', sources: [], mode: setup.mode },
      state,
      records: [gateMended(id, how, state.gate)],
      value: null,
    };
  });
}

function mendingId({ session, agent }: SessionKey, count: number): string {
  return `${session}/${agent ?? ''}/mended/${count}`;
}

function isResumable(gate: SubmitGate, kept: SessionState): boolean {
  try {
    resumeSession(gate, kept);
    return true;
  } catch {
    return false;
  }
}

async function historyOf(setup: Setup, key: SessionKey): Promise<readonly Entry[]> {
  try {
    return (await setup.options.history?.(key)) ?? [];
  } catch (error) {
    setup.report('history', error);
    return [];
  }
}

type Mended = { readonly state: SessionState; readonly how: 'replayed' | 'counted' };

/** What is whole stays; what is not is as in a new session, or stricter where that would let more pass. */
function mended(
  gate: SubmitGate,
  kept: SessionState,
  { key, entries }: { readonly key: SessionKey; readonly entries: readonly Entry[] },
): Mended {
  const first = initialSession(gate);
  const members = isObject(kept) ? kept : ({} as SessionState);
  const faulty = faultyMembers(first, members);
  const sound = Object.fromEntries(Object.entries(members).filter(([name]) => !faulty.includes(name as never)));
  const lost = faulty.includes('agents') || faulty.includes('spawns');
  const replayed = replayedGate(
    gate,
    readGateRecord(entries, key),
    faulty.includes('sequence') ? null : members.sequence,
  );
  const counted = replayed ?? countedGate(gate, members);
  const state: SessionState = {
    ...first,
    judged: false,
    ...sound,
    version: 1,
    gate: counted,
    sequence: Math.max(counted.seq, faulty.includes('sequence') ? 0 : members.sequence),
    ...(lost ? { lost: true } : {}),
  };
  return { state, how: replayed === null ? 'counted' : 'replayed' };
}

/** The gate's state by the record of its steps; null where that is not whole, or this gate cannot read it. */
function replayedGate(
  gate: SubmitGate,
  record: ReturnType<typeof readGateRecord>,
  sequence: number | null,
): GateState | null {
  if (record === null) return null;
  try {
    let state = record.from === undefined ? gate.initial : gate.resume({ ...record.from, config: gate.config.digest });
    for (const event of record.events) {
      // A step is missing: what it opened would be forgotten.
      if ('event' in event && orderOf(event.event) !== state.seq + 1) return null;
      ({ state } = replayEvent(gate, state, event));
    }
    if (!isWholeGate(state) || (sequence !== null && state.seq !== sequence)) return null;
    return { ...gate.beginTurn(state), signals: {} };
  } catch {
    return null;
  }
}

function orderOf(event: { readonly startSeq: number } | { readonly endSeq: number }): number {
  return 'startSeq' in event ? event.startSeq : event.endSeq;
}

/** Only how much is open can be said; where not even that, something is. */
function countedGate(gate: SubmitGate, { gate: kept, sequence }: SessionState): GateState {
  const was: { readonly [name: string]: unknown } = isObject(kept) ? kept : {};
  const count = (value: unknown, otherwise: number): number =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : otherwise;
  const { open, beyond, lastMutation } = was;
  const left = Array.isArray(open) ? count(beyond, 1) + open.length : Math.max(1, count(beyond, 1));
  const seq = count(was['seq'], count(sequence, 0));
  const changed = left === 0 && lastMutation === null ? null : count(lastMutation, seq);
  return {
    ...gate.initial,
    turn: Math.max(1, count(was['turn'], 1)),
    seq,
    lastMutation: changed,
    unknownChange: changed,
    reportedUnverified: count(was['reportedUnverified'], 0),
    beyond: left,
  };
}
