import {
  type Appended,
  type Clock,
  canonicalJson,
  type Digest,
  type Entry,
  isoTime,
  isWarrantError,
  type Journal,
  type Json,
  type SnapshotStore,
  WarrantError,
} from '@warrant/core';
import type { Input } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { Changes } from './intents.ts';
import { changesBetween, intentsOf } from './intents.ts';
import { catchUp, emptyMemory, loadSnapshot, type Memory, saveSnapshot, settle, startedWith } from './memory.ts';
import { actorOf, streamOf } from './names.ts';
import { entryOf } from './record.ts';

/** What became of an input. */
export type Delivered =
  | { readonly type: 'applied'; readonly position: number }
  /** The journal has an input of this id; for answers it is `already-answered`. */
  | { readonly type: 'duplicate' | 'already-answered' }
  /** The agent has come to its end; nothing was recorded. */
  | { readonly type: 'ended' }
  /** There was nothing to do: a timer that is no longer set. */
  | { readonly type: 'moot' };

export type TurnsOptions = {
  readonly journal: Journal;
  readonly snapshots: SnapshotStore | undefined;
  readonly snapshotEvery: number;
  readonly maxActive: number;
  readonly clock: Clock;
  readonly host: string;
  readonly leaseMs: number;
  readonly clean: <T extends Json>(value: T) => T;
  readonly machineFor: (program: Digest, actor: string) => AgentMachine;
  /** Told after each append of this host, in order: only now may anything be done. */
  readonly appended: (memory: Memory, changes: Changes) => void;
};

type Wanted = Omit<Input, 'at'> & { readonly type: Input['type'] };
const MAX_RACES = 200;
const MAX_UNKNOWN = 5;

/** Takes inputs one by one: compute on a copy, append, and only then go on. Each actor has one turn at a time. */
export class Turns {
  readonly options: TurnsOptions;
  private readonly active = new Map<string, Memory>();
  private readonly lines = new Map<string, Promise<unknown>>();

  constructor(options: TurnsOptions) {
    this.options = options;
  }

  /** Runs work on an actor alone. */
  alone<T>(actor: string, work: () => Promise<T>): Promise<T> {
    const before = this.lines.get(actor) ?? Promise.resolve();
    const mine = before.then(work, work);
    const line = mine
      .catch(() => undefined)
      .then(() => {
        if (this.lines.get(actor) === line) this.lines.delete(actor);
      });
    this.lines.set(actor, line);
    return mine;
  }

  deactivate(actor: string): void {
    this.active.delete(actor);
  }

  isActive(actor: string): boolean {
    return this.active.has(actor);
  }

  /** The actor in memory, from its snapshot or its stream. Call only alone. @throws DECIDE_UNKNOWN_ACTOR, DECIDE_UNKNOWN_CHART */
  async activate(actor: string, machine?: AgentMachine): Promise<{ readonly memory: Memory; readonly fresh: boolean }> {
    const known = this.active.get(actor);
    if (known !== undefined) {
      // The one used last stands last.
      this.active.delete(actor);
      this.active.set(actor, known);
      return { memory: known, fresh: false };
    }
    const { journal, snapshots, machineFor } = this.options;
    const used = machine ?? machineFor(await startedWith(actor, journal), actor);
    const memory = emptyMemory(actor, used);
    if (snapshots !== undefined) await loadSnapshot(memory, snapshots);
    await catchUp(memory, journal);
    this.keep(memory);
    return { memory, fresh: true };
  }

  keep(memory: Memory): void {
    this.active.set(memory.actor, memory);
    if (this.active.size <= this.options.maxActive) return;
    const [oldest] = this.active.keys();
    if (oldest !== undefined && !this.lines.has(oldest)) this.active.delete(oldest);
  }

  /** Takes one input. `judge` may say, on the actor as it is, that there is nothing to take. Call only alone. */
  async take(
    memory: Memory,
    wanted: Wanted,
    messageId: string,
    judge: (memory: Memory) => Delivered | undefined = () => undefined,
  ): Promise<Delivered> {
    const isAnswer = wanted.type === 'decision' || wanted.type === 'refusal';
    const data = stored(this.options.clean(wanted.data as unknown as Json));
    for (let races = 0; races < MAX_RACES; races += 1) {
      const judged = judge(memory);
      if (judged !== undefined) return judged;
      const input = { type: wanted.type, at: isoTime(this.options.clock), data } as unknown as Input;
      const taken = await this.tryOnce(memory, input, messageId);
      if (taken === 'conflict') await catchUp(memory, this.options.journal);
      else if (taken === 'known') {
        await catchUp(memory, this.options.journal);
        return { type: isAnswer ? 'already-answered' : 'duplicate' };
      } else return { type: 'applied', position: taken };
    }
    throw new WarrantError('DECIDE_CONTENDED', `other hosts took ${MAX_RACES} turns of ${memory.actor} in a row`, {
      retryable: true,
    });
  }

  private async tryOnce(memory: Memory, input: Input, messageId: string): Promise<number | 'conflict' | 'known'> {
    const { host, leaseMs, clock } = this.options;
    const position = memory.head + 1;
    const before = memory.state;
    const { state, facts } = memory.machine.apply(before, input, position);
    const changes = changesBetween(before, state);
    const intents = intentsOf(before, state, changes, { host, until: new Date(clock.now() + leaseMs).toISOString() });
    const entry = entryOf({ type: 'input', input, host, intents, facts }, messageId, memory.head);
    const appended = await this.append(memory.actor, entry, memory.head);
    if (typeof appended === 'string') return appended;
    memory.head = position;
    memory.entry = appended.digest;
    settle(memory, state, intents, memory.actor);
    this.options.appended(memory, changes);
    await this.snapshot(memory);
    return position;
  }

  /** One append; a commit whose end is unknown is asked for again with the same entry, which the journal then knows. */
  async append(actor: string, entry: Entry, head: number): Promise<{ readonly digest: Digest } | 'conflict' | 'known'> {
    let unknown = 0;
    for (;;) {
      try {
        const expected = head === 0 ? 'none' : head;
        const appended: Appended = await this.options.journal.append(streamOf(actor), [entry], { expected });
        if (appended.type === 'conflict') return 'conflict';
        if (appended.type === 'appended') return { digest: appended.digest };
        // The entry names this host: what the unknown commit stored is ours.
        return unknown > 0 ? await this.ownEntry(actor, head + 1, entry) : 'known';
      } catch (error) {
        if (isWarrantError(error, 'JOURNAL_ID_REUSED')) return 'known';
        unknown += 1;
        if (!isWarrantError(error, 'JOURNAL_OUTCOME_UNKNOWN') || unknown > MAX_UNKNOWN) {
          // What is in memory may no longer be what is stored.
          this.active.delete(actor);
          throw error;
        }
      }
    }
  }

  private async ownEntry(
    actor: string,
    position: number,
    entry: Entry,
  ): Promise<{ readonly digest: Digest } | 'known'> {
    for await (const found of this.options.journal.read(streamOf(actor), { from: position, to: position }))
      if (found.id === entry.id && actorOf(found.stream) === actor) return { digest: found.digest };
    return 'known';
  }

  private async snapshot(memory: Memory): Promise<void> {
    const { snapshots, snapshotEvery } = this.options;
    if (snapshots !== undefined && memory.head % snapshotEvery === 0) await saveSnapshot(memory, snapshots);
  }
}

/** What the journal gives back: the step reads the same, live and in replay. @throws DECIDE_INPUT */
function stored(data: Json): Json {
  try {
    return JSON.parse(canonicalJson(data)) as Json;
  } catch (cause) {
    if (!isWarrantError(cause)) throw cause;
    throw new WarrantError('DECIDE_INPUT', `an input is JSON: ${cause.message}`, { cause });
  }
}
