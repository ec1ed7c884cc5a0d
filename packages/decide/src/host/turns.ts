import {
  type AgentIntent,
  type Appended,
  type Clock,
  canonicalJson,
  type Digest,
  digestBytes,
  type Entry,
  type IdSource,
  isoTime,
  isWarrantError,
  type Journal,
  type Json,
  type SnapshotStore,
  WarrantError,
} from '@warrant/core';
import type { Input } from '../input.ts';
import type { AgentMachine } from '../machine/machine.ts';
import { timersOf } from '../machine/timers.ts';
import type { AgentState } from '../state.ts';
import type { Changes } from './intents.ts';
import { changesBetween, intentsOf } from './intents.ts';
import { catchUp, emptyMemory, loadSnapshot, type Memory, saveSnapshot, settle, startedWith } from './memory.ts';
import { actorOf, streamOf } from './names.ts';
import { entryOf } from './record.ts';
import type { AskRules, Ruled } from './rules.ts';

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
  /** Answers from the question alone; they go into the append of the input that led to it. */
  readonly rules: AskRules;
  /** Told after each append of this host, in order: only now may anything be done. */
  readonly appended: (memory: Memory, changes: Changes, ruled: readonly Ruled[]) => void;
};

/** What tells a redelivered event from a new one; `isFresh` when nobody can have used the id before. */
export type Message = { readonly id: string; readonly isFresh: boolean };
export const NO_MESSAGE: Message = { id: '', isFresh: false };

export function messageOf({ id }: { readonly id?: string | undefined }, ids: IdSource): Message {
  return id === undefined ? { id: ids.next(), isFresh: true } : { id, isFresh: false };
}

type Wanted = Omit<Input, 'at'> & { readonly type: Input['type'] };
const MAX_RACES = 200;
const MAX_UNKNOWN = 5;
/** Entries of one append: an input and what rules answered. */
const MAX_BATCH = 256;
type Computed = {
  readonly entries: readonly Entry[];
  readonly ruled: readonly Ruled[];
  readonly intents: readonly AgentIntent[];
  readonly state: AgentState;
  readonly changes: Changes;
};

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
    message: Message,
    judge: (memory: Memory) => Delivered | undefined = () => undefined,
  ): Promise<Delivered> {
    const isAnswer = wanted.type === 'decision' || wanted.type === 'refusal';
    for (let races = 0; races < MAX_RACES; races += 1) {
      const judged = judge(memory);
      if (judged !== undefined) return judged;
      const input = this.asInput(wanted as Input, this.timeOf(memory, wanted as Input));
      const taken = await this.tryOnce(memory, input, message);
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

  /** A timer that was due goes off, and only once: where the clock has gone back since, by its own time. */
  private timeOf({ state }: Memory, input: Input): string {
    const now = isoTime(this.options.clock);
    if (input.type !== 'timer') return now;
    const due = timersOf(state).find(({ timer }) => timer === input.data.timer)?.due ?? now;
    return Date.parse(due) > Date.parse(now) ? due : now;
  }

  private async tryOnce(memory: Memory, input: Input, message: Message): Promise<number | 'conflict' | 'known'> {
    const turn = this.compute(memory, input, message);
    const appended = await this.append(memory.actor, turn.entries, memory.head);
    if (typeof appended === 'string') return appended;
    const position = memory.head + 1;
    memory.head += turn.entries.length;
    memory.entry = appended.digest;
    settle(memory, turn.state, turn.intents, memory.actor);
    this.options.appended(memory, turn.changes, turn.ruled);
    await this.snapshot(memory, position);
    return position;
  }

  /** The pure step on a copy, with what rules answer to it at once: all of it is one append. */
  private compute(memory: Memory, input: Input, message: Message): Computed {
    const { host, leaseMs, clock, rules } = this.options;
    const lease = { host, until: new Date(clock.now() + leaseMs).toISOString() };
    const entries: Entry[] = [];
    const ruled: Ruled[] = [];
    const intents: AgentIntent[] = [];
    let { state } = memory;
    let changes: Changes | undefined;
    let head = memory.head;
    let next: Input | undefined = input;
    const isAlone = !isSurelyNew(state, input, message);
    const messageId = message.isFresh ? message.id : this.nameOf(message.id);
    while (next !== undefined) {
      const taken: Input = next;
      const before = state;
      const applied = memory.machine.apply(before, taken, head + 1);
      state = applied.state;
      const rule = isAlone || entries.length + 1 >= MAX_BATCH ? undefined : rules(memory.actor, state);
      changes = changesBetween(before, state);
      const own = intentsOf(before, state, changes, { lease, without: rule?.correlation });
      entries.push(entryOf({ type: 'input', input: taken, host, intents: own, facts: applied.facts }, messageId, head));
      intents.push(...own);
      head += 1;
      if (rule !== undefined) ruled.push(rule);
      next = rule && this.ruledInput(rule, input.at);
    }
    if (changes === undefined || ruled.length > 0) changes = changesBetween(memory.state, state);
    return { entries, ruled, intents, state, changes };
  }

  /** A name under which somebody sent a message is recorded too: one that holds a secret is known by its digest. */
  private nameOf(id: string): string {
    return id === '' || this.options.clean(id) === id ? id : digestBytes(id);
  }

  private ruledInput({ outcome, isPlain }: Ruled, at: string): Input {
    if (!isPlain) return this.asInput(outcome, at);
    // In the order in which it will be written, which spares sorting.
    return { at, data: outcome.data, type: outcome.type } as Input;
  }

  private asInput({ type, data }: Pick<Input, 'type' | 'data'>, at: string): Input {
    return { type, at, data: stored(this.options.clean(data as unknown as Json)) } as unknown as Input;
  }

  /** One append; a commit whose end is unknown is asked for again with the same entry, which the journal then knows. */
  async append(
    actor: string,
    entries: readonly Entry[],
    head: number,
  ): Promise<{ readonly digest: Digest } | 'conflict' | 'known'> {
    let unknown = 0;
    for (;;) {
      try {
        const expected = head === 0 ? 'none' : head;
        const appended: Appended = await this.options.journal.append(streamOf(actor), entries, { expected });
        if (appended.type === 'conflict') return 'conflict';
        if (appended.type === 'appended') return { digest: appended.digest };
        // The entry names this host: what the unknown commit stored is ours.
        return unknown > 0 ? await this.ownEntry(actor, head + entries.length, entries.at(-1)) : 'known';
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
    entry: Entry | undefined,
  ): Promise<{ readonly digest: Digest } | 'known'> {
    for await (const found of this.options.journal.read(streamOf(actor), { from: position, to: position }))
      if (found.id === entry?.id && actorOf(found.stream) === actor) return { digest: found.digest };
    return 'known';
  }

  /** @param from the first position of this turn */
  private async snapshot(memory: Memory, from: number): Promise<void> {
    const { snapshots, snapshotEvery } = this.options;
    const isDue = Math.floor(memory.head / snapshotEvery) > Math.floor((from - 1) / snapshotEvery);
    if (snapshots !== undefined && isDue) await saveSnapshot(memory, snapshots);
  }
}

/** Whether no entry of this input's id can be there, so that others may be appended with it: of a batch, the journal skips what it knows. */
function isSurelyNew(state: AgentState, input: Input, { isFresh }: Message): boolean {
  switch (input.type) {
    case 'start':
    case 'timer':
      return true;
    case 'event':
      return isFresh;
    case 'decision':
    case 'refusal':
      return state.slots.some(({ status, correlation }) => status === 'open' && correlation === input.data.correlation);
    case 'llm.result':
    case 'llm.error':
    case 'reply':
      return state.calls.some(({ effect }) => effect === input.data.effect);
    case 'tool.result':
      return (
        (input.data.outcome === 'ok' || input.data.outcome === 'error') &&
        state.calls.some(({ effect }) => effect === input.data.effect)
      );
    case 'review':
      return false;
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
