import {
  type AgentIntent,
  type Digest,
  digest,
  type Journal,
  type Json,
  type Recorded,
  type SnapshotStore,
  WarrantError,
} from '@warrant/core';
import type { StartData } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import { type AgentTimer, timersOf } from '../machine/timers.ts';
import type { AgentState } from '../state.ts';
import { actorOf, LEASE, streamOf } from './names.ts';
import { recordOf } from './record.ts';
import { wholeIntents } from './whole.ts';

/** Who does a call, and until when nobody else may. `actor` is the one that asked first: a fork inherits its calls. */
export type Lease = { readonly host: string; readonly until: string; readonly actor: string };

/** An actor in memory: what its stream says, nothing else. Dropping it loses nothing. */
export type Memory = {
  readonly actor: string;
  readonly machine: AgentMachine;
  state: AgentState;
  head: number;
  /** Digest of the entry at the head. */
  entry: Digest | null;
  leases: Map<string, Lease>;
};

export function emptyMemory(actor: string, machine: AgentMachine): Memory {
  return { actor, machine, state: machine.empty, head: 0, entry: null, leases: new Map() };
}

/** Applies one entry of the stream. */
function fold(memory: Memory, entry: Recorded): void {
  const record = recordOf(entry);
  memory.head = entry.position;
  memory.entry = entry.digest;
  const actor = actorOf(entry.stream) ?? memory.actor;
  if (record.type === 'forked') return;
  if (record.type === 'takeover') {
    const held = memory.leases.get(record.effect);
    if (held !== undefined) memory.leases.set(record.effect, { ...held, host: record.host, until: record.until });
    return;
  }
  const before = memory.state;
  const { state } = memory.machine.apply(before, record.input, entry.position);
  settle(memory, state, wholeIntents(record, before, state), actor);
}

/** Takes over a state with the leases that its entry made. */
export function settle(memory: Memory, state: AgentState, intents: readonly AgentIntent[], actor: string): void {
  memory.state = state;
  for (const intent of intents)
    if (intent.type === 'call') memory.leases.set(intent.effect, { host: intent.host, until: intent.until, actor });
  if (memory.leases.size === 0) return;
  const open = new Set([
    ...state.calls.map(({ effect }) => effect),
    ...state.slots.map(({ correlation }) => correlation),
  ]);
  for (const effect of memory.leases.keys()) if (!open.has(effect)) memory.leases.delete(effect);
}

/** Reads what the stream holds beyond the memory's head. */
export async function catchUp(memory: Memory, journal: Pick<Journal, 'read'>, to?: number): Promise<void> {
  const options = { from: memory.head + 1, ...(to === undefined ? {} : { to }) };
  for await (const entry of journal.read(streamOf(memory.actor), options)) fold(memory, entry);
}

/** All that an agent waits for with a time to it: its timers and the ends of leases. */
export function datesOf({ state, leases }: Memory): readonly AgentTimer[] {
  return [...timersOf(state), ...[...leases].map(([effect, { until }]) => ({ timer: LEASE + effect, due: until }))];
}

const FORMAT = 2;

/** Snapshots belong to one chart and one form of the state. */
function snapshotProgram(machine: AgentMachine): Digest {
  return digest({ format: FORMAT, chart: machine.program });
}

export async function saveSnapshot(memory: Memory, snapshots: SnapshotStore): Promise<void> {
  if (memory.entry === null) return;
  const state = { state: memory.state, leases: [...memory.leases] } as unknown as Json;
  const { head: position, entry } = memory;
  await snapshots.save({
    stream: streamOf(memory.actor),
    position,
    entry,
    program: snapshotProgram(memory.machine),
    state,
  });
}

export async function loadSnapshot(memory: Memory, snapshots: SnapshotStore): Promise<void> {
  const found = await snapshots.load(streamOf(memory.actor), snapshotProgram(memory.machine));
  if (found === undefined) return;
  const { state, leases } = found.state as unknown as {
    readonly state: AgentState;
    readonly leases: readonly (readonly [string, Lease])[];
  };
  Object.assign(memory, { state, leases: new Map(leases), head: found.position, entry: found.entry });
}

/** What a stream was started with. @throws DECIDE_UNKNOWN_ACTOR */
export async function startOf(actor: string, journal: Pick<Journal, 'read'>): Promise<StartData> {
  for await (const entry of journal.read(streamOf(actor), { from: 1, to: 1 })) {
    const record = recordOf(entry);
    if (record.type === 'input' && record.input.type === 'start') return record.input.data;
  }
  throw new WarrantError('DECIDE_UNKNOWN_ACTOR', `no run of ${actor} is in the journal`, { data: { actor } });
}

/** The chart that a stream was started with. @throws DECIDE_UNKNOWN_ACTOR */
export async function startedWith(actor: string, journal: Pick<Journal, 'read'>): Promise<Digest> {
  return (await startOf(actor, journal)).program;
}
