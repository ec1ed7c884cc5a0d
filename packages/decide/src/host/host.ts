import {
  type Clock,
  createIdSource,
  createSecretReplacer,
  type Decision,
  type Digest,
  digest,
  type Grant,
  type IdSource,
  type Inbox,
  type Journal,
  type Json,
  type JsonObject,
  type Label,
  type SecretOptions,
  type SnapshotStore,
  systemClock,
  systemTimer,
  type Timer,
  type TimerIndex,
  WarrantError,
} from '@warrant/core';
import type { ReviewData, StartData } from '../input.ts';
import type { AgentDefinition, AgentKit, DeciderAnswer } from '../kit.ts';
import { type AgentMachine, createAgentMachine } from '../machine/machine.ts';
import { timersOf } from '../machine/timers.ts';
import type { AgentState, MessageCall } from '../state.ts';
import type { Outcome } from './calls.ts';
import { followJournal, LEASE } from './follow.ts';
import { type Forked, forkAgent } from './fork.ts';
import { isDue, isPending } from './intents.ts';
import { catchUp, emptyMemory, type Lease, type Memory, startedWith } from './memory.ts';
import { parseCorrelation, streamOf } from './names.ts';
import { takeoverEntry } from './record.ts';
import { createMemoryTimerIndex } from './timer-index.ts';
import { type Tracing, untraced } from './tracing.ts';
import { type Delivered, Turns } from './turns.ts';
import { Worker } from './worker.ts';

export type AgentHostOptions = AgentKit & {
  readonly journal: Journal;
  /** Where states are kept so that long runs wake fast. @default none: every wake reads the whole stream */
  readonly snapshots?: SnapshotStore;
  /** Inputs between two snapshots. @default 500 */
  readonly snapshotEvery?: number;
  /** Agents kept in memory; the ones used least lately are dropped. @default 1000 */
  readonly maxActive?: number;
  readonly clock?: Clock;
  readonly timer?: Timer;
  readonly ids?: IdSource;
  /** Name of this host; two that run at the same time must differ. @default an id of its own */
  readonly host?: string;
  /** How long nobody else takes over a call that this host began, in milliseconds; renewed while it works. @default 60000 */
  readonly leaseMs?: number;
  readonly timers?: TimerIndex;
  /** Replaces secrets in every input before it is recorded. @default nothing is replaced */
  readonly secretMarks?: SecretOptions;
  readonly tracing?: Tracing;
  /** Where tools ask people: a call that waits for one is made again when its question is answered. */
  readonly inbox?: Inbox;
  /** Text of a model as it comes. Never recorded, and no chart sees it. */
  readonly onPartial?: (actor: string, effect: string, text: string) => void;
  /** Told of work that could not be finished, such as a result that could not be recorded. @default ignored; the call stays open */
  readonly onFault?: (fault: { readonly actor: string; readonly effect: string; readonly error: unknown }) => void;
};

export type AgentEvent = {
  readonly name: string;
  readonly data?: Json;
  /** Equal ids are taken once. @default a new one */
  readonly id?: string;
  readonly origin?: string;
  readonly label?: Label;
};

/** What a fork begins with: an event, or an answer to the offer that was open there (`<position>.<k>`). */
export type Injected = AgentEvent | { readonly correlation: string; readonly answer: DeciderAnswer };

/** Runs agents over a journal. Any number of hosts may share one journal; each input is applied once. */
export interface AgentHost {
  readonly name: string;
  /** Starts an actor, or finds it running. @throws DECIDE_UNKNOWN_DECIDER before anything is recorded, DECIDE_ACTOR_EXISTS */
  spawn(actor: string, agent: string, input?: JsonObject): Promise<Delivered>;
  send(actor: string, event: AgentEvent): Promise<Delivered>;
  /** Answers an open offer, named as deciders see it. */
  answer(correlation: string, answer: DeciderAnswer): Promise<Delivered>;
  /** Hands in a reviewed chart version. */
  review(actor: string, review: ReviewData): Promise<Delivered>;
  state(actor: string): Promise<AgentState>;
  /** Fires what is due and takes over what others left. Call it from time to time, or use `watch`. */
  pump(): Promise<number>;
  /** Pumps by itself until the host is closed. @param everyMs @default 1000 */
  watch(everyMs?: number): void;
  /** Waits until nothing is under way but what waits for people, other agents or time. */
  settled(): Promise<void>;
  /** Drops the actor from memory; the next input brings it back. */
  deactivate(actor: string): Promise<void>;
  /** Goes on from a position under another name: first with what is injected, and only then is anybody asked. Without anything injected, nobody is asked until the next wake. */
  fork(actor: string, position: number, target: string, inject?: readonly Injected[]): Promise<Forked>;
  /** A pure machine of the chart that an actor was started with. */
  machineOf(actor: string): Promise<AgentMachine>;
  close(): Promise<void>;
}

/** @throws CHART_INVALID for a chart of the kit that is not sound, DECIDE_OPTIONS */
export function createAgentHost(options: AgentHostOptions): AgentHost {
  return new Host(options);
}

type Program = { readonly definition: AgentDefinition; readonly machine: AgentMachine };
const DUE_AT_ONCE = 200;

class Host implements AgentHost {
  readonly name: string;
  private readonly options: AgentHostOptions;
  private readonly clock: Clock;
  private readonly ids: IdSource;
  private readonly index: TimerIndex;
  private readonly programs = new Map<Digest, Program>();
  private readonly turns: Turns;
  private readonly worker: Worker;
  private readonly tracing: Tracing;
  private closed = false;
  private stopWatching: () => void = () => undefined;

  constructor(options: AgentHostOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.ids = options.ids ?? createIdSource({ clock: this.clock });
    this.name = options.host ?? this.ids.next();
    this.index = options.timers ?? createMemoryTimerIndex();
    this.tracing = options.tracing ?? untraced;
    for (const definition of options.agents) {
      const machine = createAgentMachine(definition);
      this.programs.set(machine.program, { definition, machine });
    }
    const { leaseMs = 60_000, snapshotEvery = 500, maxActive = 1000 } = options;
    if (!(leaseMs > 0 && snapshotEvery >= 1 && maxActive >= 1))
      throw new WarrantError('DECIDE_OPTIONS', 'leaseMs, snapshotEvery and maxActive are greater than 0');
    this.turns = new Turns({
      journal: options.journal,
      snapshots: options.snapshots,
      snapshotEvery,
      maxActive,
      clock: this.clock,
      host: this.name,
      leaseMs,
      clean: options.secretMarks === undefined ? (value) => value : createSecretReplacer(options.secretMarks),
      machineFor: (program, actor) => this.programOf(program, actor).machine,
      appended: (memory, changes) => this.closed || this.worker.apply(memory, changes),
    });
    this.worker = this.createWorker(leaseMs);
  }

  private createWorker(leaseMs: number): Worker {
    const { tracing, onPartial, onFault = () => undefined, timer = systemTimer } = this.options;
    return new Worker({
      kit: this.options,
      schemas: this.options.agents.find(({ schemas }) => schemas !== undefined)?.schemas,
      clock: this.clock,
      timer,
      leaseMs,
      tracing,
      inbox: this.options.inbox,
      onPartial,
      onFault,
      deliver: (actor, outcome) => this.deliver(actor, outcome, ''),
      message: (from, call) => this.message(from, call),
      renew: (actor, effect) =>
        this.turns.alone(actor, () => this.takeOver(actor, effect, (lease) => lease.host === this.name)),
    });
  }

  async spawn(actor: string, agent: string, input: JsonObject = {}): Promise<Delivered> {
    this.check();
    streamOf(actor);
    const program = [...this.programs.values()].find(({ definition }) => definition.name === agent);
    if (program === undefined)
      throw new WarrantError('DECIDE_UNKNOWN_CHART', `no agent of the kit is named '${agent}'`, { data: { agent } });
    this.checkDeciders(program.machine);
    const data = this.startData(program, input);
    return this.turns.alone(actor, async () => {
      const memory = emptyMemory(actor, program.machine);
      if (!this.turns.isActive(actor)) {
        const head = await this.options.journal.head(streamOf(actor));
        if (head === undefined) {
          this.turns.keep(memory);
          const taken = await this.turns.take(memory, { type: 'start', data }, '');
          if (taken.type === 'applied') return taken;
          this.turns.deactivate(actor);
        }
      }
      return this.foundRunning(actor, program.machine.program, data);
    });
  }

  /** Starting the same again is no fault; starting something else under the same name is. */
  private async foundRunning(actor: string, program: Digest, data: StartData): Promise<Delivered> {
    const running = await startedWith(actor, this.options.journal);
    if (running !== program || digest(await this.startedInput(actor)) !== digest(this.clean(data.input)))
      throw new WarrantError('DECIDE_ACTOR_EXISTS', `${actor} runs already, by another chart or from other input`, {
        data: { actor },
      });
    await this.awake(actor);
    return { type: 'duplicate' };
  }

  private async startedInput(actor: string): Promise<Json> {
    for await (const { data } of this.options.journal.read(streamOf(actor), { from: 1, to: 1 }))
      return (data as unknown as { readonly input: { readonly data: StartData } }).input.data.input;
    return null;
  }

  private clean(value: Json): Json {
    return this.turns.options.clean(value);
  }

  private checkDeciders({ bindings }: AgentMachine): void {
    const bound = bindings.flatMap(({ decider, fallback }) => (fallback === null ? [decider] : [decider, fallback]));
    const missing = bound.find((name) => !Object.hasOwn(this.options.deciders ?? {}, name));
    if (missing !== undefined)
      throw new WarrantError('DECIDE_UNKNOWN_DECIDER', `no decider '${missing}' is bound`, {
        data: { decider: missing },
      });
  }

  private startData({ definition, machine }: Program, input: JsonObject): StartData {
    const tools = (this.options.tools ?? []).map(({ iri }) => iri);
    const grant: Grant = {
      targets: [],
      tools,
      deciders: Object.keys(this.options.deciders ?? {}),
      functions: [],
      ...definition.grant,
    };
    return { program: machine.program, input, grant, tools, maxAsks: definition.maxAsks ?? null };
  }

  async send(actor: string, event: AgentEvent): Promise<Delivered> {
    this.check();
    if (event.name === '') throw new WarrantError('DECIDE_INPUT', 'an event has a name');
    const { name, data = null, origin, label, id = this.ids.next() } = event;
    const whole = {
      name,
      data,
      ...(origin === undefined ? {} : { origin }),
      ...(label === undefined ? {} : { label }),
    };
    return this.deliver(actor, { type: 'event', data: whole }, id);
  }

  async answer(iri: string, answer: DeciderAnswer): Promise<Delivered> {
    this.check();
    const named = parseCorrelation(iri);
    if (named === undefined)
      throw new WarrantError('DECIDE_INPUT', 'an answer names its offer: <actor>/decision/<position>.<k>');
    const { type, ...rest } = answer;
    return this.deliver(named.actor, { type, data: { correlation: named.correlation, ...rest } } as Outcome, '');
  }

  async review(actor: string, review: ReviewData): Promise<Delivered> {
    this.check();
    return this.deliver(actor, { type: 'review', data: review }, '');
  }

  private deliver(actor: string, outcome: Outcome, messageId: string): Promise<Delivered> {
    return this.tracing.input({ actor, type: outcome.type }, () =>
      this.turns.alone(actor, async () =>
        this.turns.take(await this.awake(actor), outcome, messageId, (memory) => judge(memory, outcome)),
      ),
    );
  }

  /** The actor in memory; after a wake, what it left open is looked after. */
  private async awake(actor: string): Promise<Memory> {
    const { memory, fresh } = await this.turns.activate(actor);
    if (fresh) await this.resume(memory);
    return memory;
  }

  /** Goes on with what was open: at once where the work is anyone's, else when nobody holds it any more. */
  private async resume(memory: Memory): Promise<void> {
    if (this.closed) return;
    for (const slot of memory.state.slots) {
      if (slot.status !== 'open' || this.worker.isWorking(memory.actor, slot.correlation)) continue;
      const decider = this.options.deciders?.[slot.binding];
      if (decider === undefined) continue;
      const isAnyones = decider.kind === 'guard' || decider.kind === 'human';
      if (isAnyones || (await this.takeOver(memory.actor, slot.correlation, (lease) => this.isFree(lease))))
        this.worker.ask(memory, slot);
    }
    for (const call of memory.state.calls) {
      if (isPending(call)) this.worker.await(memory, call);
      if (!isDue(call) || this.worker.isWorking(memory.actor, call.effect)) continue;
      const lease = memory.leases.get(call.effect);
      if (lease === undefined || !(await this.takeOver(memory.actor, call.effect, (held) => this.isFree(held))))
        continue;
      this.worker.resume(memory, call, lease);
    }
  }

  private isFree({ host, until }: Lease): boolean {
    return host === this.name || Date.parse(until) <= this.clock.now();
  }

  /** Writes down that this host has the call now; false when somebody else has it. Call only alone. */
  private async takeOver(actor: string, effect: string, may: (lease: Lease) => boolean): Promise<boolean> {
    if (this.closed) return false;
    const { memory } = await this.turns.activate(actor);
    for (;;) {
      const lease = memory.leases.get(effect);
      if (lease === undefined || !may(lease)) return false;
      const until = new Date(this.clock.now() + this.turns.options.leaseMs).toISOString();
      const entry = takeoverEntry({ type: 'takeover', effect, host: this.name, until }, memory.head);
      const appended = await this.turns.append(actor, entry, memory.head);
      await catchUp(memory, this.options.journal);
      if (typeof appended !== 'string') return true;
    }
  }

  /** Hands a message to its actor; an answer to this agent's question goes to the offer. */
  private async message(from: string, call: MessageCall): Promise<'delivered' | 'unknown-actor'> {
    const { target, event, data, effect } = call;
    try {
      if (event === 'vt.decide.reply' && (await this.replyToOffer(from, target, data))) return 'delivered';
      await this.send(target, { name: event, data, origin: from, id: `${from}#${effect}` });
      return 'delivered';
    } catch (error) {
      if (error instanceof WarrantError && ['DECIDE_UNKNOWN_ACTOR', 'DECIDE_ACTOR_NAME'].includes(error.code))
        return 'unknown-actor';
      throw error;
    }
  }

  private async replyToOffer(from: string, target: string, data: Json): Promise<boolean> {
    const {
      correlation: iri,
      event,
      payload = null,
      rationale,
      confidence,
    } = (typeof data === 'object' && data !== null ? data : {}) as JsonObject;
    const named = typeof iri === 'string' ? parseCorrelation(iri) : undefined;
    if (named === undefined || named.actor !== target || typeof event !== 'string') return false;
    const slot = (await this.state(target)).slots.find(({ correlation }) => correlation === named.correlation);
    const decider =
      slot && (this.options.deciders?.[slot.binding] as { readonly kind: string; readonly actor?: string } | undefined);
    // Only the agent that was asked may answer.
    if (decider?.kind !== 'actor' || decider.actor !== from) return false;
    const annotations = {
      kind: 'actor',
      ...(rationale === undefined ? {} : { rationale }),
      ...(confidence === undefined ? {} : { confidence }),
    };
    await this.answer(iri as string, { type: 'decision', event, payload, annotations } as Decision);
    return true;
  }

  async state(actor: string): Promise<AgentState> {
    this.check();
    return this.turns.alone(actor, async () => {
      const memory = await this.awake(actor);
      await catchUp(memory, this.options.journal);
      return memory.state;
    });
  }

  async pump(): Promise<number> {
    this.check();
    await followJournal(this.options.journal, this.index);
    const now = new Date(this.clock.now()).toISOString();
    const due = await this.index.due(now, DUE_AT_ONCE);
    for (const { actor, timer } of due) await this.fire(actor, timer);
    return due.length;
  }

  private async fire(actor: string, timer: string): Promise<void> {
    const forget = async () => this.index.note((await this.index.cursor()) ?? '', [{ actor, timer, due: null }]);
    if (!(await this.isOurs(actor))) return forget();
    if (timer.startsWith(LEASE)) {
      await this.turns.alone(actor, async () => {
        const memory = await this.awake(actor);
        await catchUp(memory, this.options.journal);
        await this.resume(memory);
      });
      return forget();
    }
    const taken = await this.deliver(actor, { type: 'timer', data: { timer } }, '');
    if (taken.type !== 'applied') await forget();
  }

  /** Whether the kit has the chart that the actor runs; others' agents are let alone. */
  private async isOurs(actor: string): Promise<boolean> {
    return this.turns.isActive(actor) || this.programs.has(await startedWith(actor, this.options.journal));
  }

  watch(everyMs = 1000): void {
    this.check();
    const timer = this.options.timer ?? systemTimer;
    const again = (): void => {
      this.stopWatching = timer.after(everyMs, () => {
        this.pump().then(again, (error: unknown) => {
          this.options.onFault?.({ actor: '', effect: 'watch', error });
          if (!this.closed) again();
        });
      });
    };
    again();
  }

  async settled(): Promise<void> {
    await this.worker.settled();
  }

  async deactivate(actor: string): Promise<void> {
    await this.turns.alone(actor, () => Promise.resolve(this.turns.deactivate(actor)));
  }

  async fork(actor: string, position: number, target: string, inject: readonly Injected[] = []): Promise<Forked> {
    this.check();
    const machine = await this.machineOf(actor);
    return this.turns.alone(target, async () => {
      const forked = await forkAgent(this.options.journal, { actor, position, target, machine });
      if (forked.type !== 'forked') return forked;
      const { memory } = await this.turns.activate(target, machine);
      for (const one of inject) await this.inject(memory, one);
      if (inject.length > 0) await this.resume(memory);
      return forked;
    });
  }

  private inject(memory: Memory, one: Injected): Promise<Delivered> {
    if ('answer' in one) {
      const { type, ...rest } = one.answer;
      const outcome = { type, data: { correlation: one.correlation, ...rest } } as Outcome;
      return this.turns.take(memory, outcome, '', (now) => judge(now, outcome));
    }
    const { name, data = null, id = this.ids.next(), label } = one;
    const whole = { name, data, ...(label === undefined ? {} : { label }) };
    return this.turns.take(memory, { type: 'event', data: whole }, id);
  }

  async machineOf(actor: string): Promise<AgentMachine> {
    return this.programOf(await startedWith(actor, this.options.journal), actor).machine;
  }

  private programOf(program: Digest, actor: string): Program {
    const found = this.programs.get(program);
    if (found !== undefined) return found;
    throw new WarrantError('DECIDE_UNKNOWN_CHART', `${actor} runs a chart that is not in the kit`, {
      data: { actor, program },
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    this.stopWatching();
    this.worker.close();
  }

  private check(): void {
    if (this.closed) throw new WarrantError('DECIDE_CLOSED', 'the host is closed');
  }
}

/** What need not be recorded: inputs of agents that have ended, timers that are not set. */
function judge({ state }: Memory, outcome: Outcome): Delivered | undefined {
  if (outcome.type === 'timer') {
    return timersOf(state).some(({ timer }) => timer === outcome.data.timer) ? undefined : { type: 'moot' };
  }
  if (
    outcome.type === 'tool.result' ||
    outcome.type === 'llm.result' ||
    outcome.type === 'llm.error' ||
    outcome.type === 'reply'
  )
    return undefined;
  return state.status === 'running' ? undefined : { type: 'ended' };
}
