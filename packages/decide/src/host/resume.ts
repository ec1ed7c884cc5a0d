import type { Journal } from '@warrant/core';
import type { AgentKit } from '../kit.ts';
import { isDue, isPending } from './intents.ts';
import { catchUp, type Lease, type Memory } from './memory.ts';
import { takeoverEntry } from './record.ts';
import type { Turns } from './turns.ts';
import type { Worker } from './worker.ts';

export type ResumeOptions = {
  readonly kit: AgentKit;
  readonly journal: Journal;
  readonly turns: Turns;
  readonly worker: Worker;
  readonly host: string;
  readonly leaseMs: number;
  readonly now: () => number;
  readonly isClosed: () => boolean;
};

/** Goes on with what an agent has open: at once where the work is anyone's, else when nobody holds it any more. Call only alone. */
export async function resumeAgent(memory: Memory, options: ResumeOptions): Promise<void> {
  if (options.isClosed()) return;
  const { kit, worker } = options;
  const isMine = (effect: string) => takeOver(memory.actor, effect, (lease) => isFree(lease, options), options);
  for (const slot of memory.state.slots) {
    if (slot.status !== 'open' || worker.isWorking(memory.actor, slot.correlation)) continue;
    const decider = kit.deciders?.[slot.binding];
    if (decider === undefined) continue;
    // A rule gives the same answer to everybody, and a question in an inbox is asked once, whoever asks.
    const isAnyones = decider.kind === 'guard' || decider.kind === 'human';
    if (isAnyones || (await isMine(slot.correlation))) worker.ask(memory, slot);
  }
  for (const call of memory.state.calls) {
    if (isPending(call)) worker.await(memory, call);
    if (!isDue(call) || worker.isWorking(memory.actor, call.effect)) continue;
    const lease = memory.leases.get(call.effect);
    if (lease !== undefined && (await isMine(call.effect))) worker.resume(memory, call, lease);
  }
}

/** The same host after a restart, or anybody once the lease has ended. */
function isFree({ host, until }: Lease, options: ResumeOptions): boolean {
  return host === options.host || Date.parse(until) <= options.now();
}

/** Writes down that this host has the work now; false when somebody else has it. Call only alone. */
export async function takeOver(
  actor: string,
  effect: string,
  may: (lease: Lease) => boolean,
  options: ResumeOptions,
): Promise<boolean> {
  if (options.isClosed()) return false;
  const { memory } = await options.turns.activate(actor);
  for (;;) {
    const lease = memory.leases.get(effect);
    if (lease === undefined || !may(lease)) return false;
    const until = new Date(options.now() + options.leaseMs).toISOString();
    const entry = takeoverEntry({ type: 'takeover', effect, host: options.host, until }, memory.head);
    const appended = await options.turns.append(actor, [entry], memory.head);
    await catchUp(memory, options.journal);
    if (typeof appended !== 'string') return true;
  }
}
