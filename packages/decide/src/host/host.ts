import {
  type Clock,
  createIdSource,
  createSecretReplacer,
  type Digest,
  digest,
  type IdSource,
  type Json,
  type JsonObject,
  systemClock,
  systemTimer,
  type TimerIndex,
  WarrantError,
} from '@warrant/core';
import type { ReviewData, StartData } from '../input.ts';
import type { DeciderAnswer } from '../kit.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { AgentState } from '../state.ts';
import type { Outcome } from './calls.ts';
import { followJournal, LEASE } from './follow.ts';
import { type Forked, forkAgent } from './fork.ts';
import type { AgentEvent, AgentHost, AgentHostOptions, Injected } from './host-types.ts';
import type { Changes } from './intents.ts';
import { catchUp, emptyMemory, type Memory, startedWith } from './memory.ts';
import { deliverMessage } from './messages.ts';
import { judgeMoot } from './moot.ts';
import { parseCorrelation, streamOf } from './names.ts';
import { KitPrograms } from './programs.ts';
import { type ResumeOptions, resumeAgent, takeOver } from './resume.ts';
import { type Ruled, rulesOf } from './rules.ts';
import { createMemoryTimerIndex } from './timer-index.ts';
import { type Tracing, untraced } from './tracing.ts';
import { type Delivered, type Message, NO_MESSAGE, Turns } from './turns.ts';
import { Worker } from './worker.ts';

/** @throws CHART_INVALID for a chart of the kit that is not sound, DECIDE_OPTIONS */
export function createAgentHost(options: AgentHostOptions): AgentHost {
  return new Host(options);
}

const DUE_AT_ONCE = 200;

class Host implements AgentHost {
  readonly name: string;
  private readonly options: AgentHostOptions;
  private readonly clock: Clock;
  private readonly ids: IdSource;
  private readonly index: TimerIndex;
  private readonly programs: KitPrograms;
  private readonly turns: Turns;
  private readonly worker: Worker;
  private readonly resuming: ResumeOptions;
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
    this.programs = new KitPrograms(options);
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
      machineFor: (program, actor) => this.programs.of(program, actor).machine,
      rules: rulesOf(options, options.onFault ?? (() => undefined)),
      appended: (memory, changes, ruled) => this.closed || this.appended(memory, changes, ruled),
    });
    this.worker = this.createWorker(leaseMs);
    this.resuming = {
      kit: options,
      journal: options.journal,
      turns: this.turns,
      worker: this.worker,
      host: this.name,
      leaseMs,
      now: () => this.clock.now(),
      isClosed: () => this.closed,
    };
  }

  private appended(memory: Memory, changes: Changes, ruled: readonly Ruled[]): void {
    for (const { request, answer } of ruled)
      void this.tracing.decision({ actor: memory.actor, request, kind: 'guard' }, () => Promise.resolve(answer));
    this.worker.apply(memory, changes);
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
      deliver: (actor, outcome) => this.deliver(actor, outcome),
      message: (from, call) => deliverMessage(from, call, { kit: this.options, host: this }),
      renew: (actor, effect) =>
        this.turns.alone(actor, () => takeOver(actor, effect, (lease) => lease.host === this.name, this.resuming)),
    });
  }

  async spawn(actor: string, agent: string, input: JsonObject = {}): Promise<Delivered> {
    this.check();
    streamOf(actor);
    const program = this.programs.named(agent);
    this.programs.checkDeciders(program.machine);
    const data = this.programs.startData(program, input);
    return this.turns.alone(actor, async () => {
      const memory = emptyMemory(actor, program.machine);
      if (!this.turns.isActive(actor)) {
        const head = await this.options.journal.head(streamOf(actor));
        if (head === undefined) {
          this.turns.keep(memory);
          const taken = await this.turns.take(memory, { type: 'start', data }, NO_MESSAGE);
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
    if (running !== program || digest(await this.startedInput(actor)) !== digest(this.turns.options.clean(data.input)))
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

  async send(actor: string, event: AgentEvent): Promise<Delivered> {
    this.check();
    if (event.name === '') throw new WarrantError('DECIDE_INPUT', 'an event has a name');
    const { name, data = null, origin, label } = event;
    const whole = {
      name,
      data,
      ...(origin === undefined ? {} : { origin }),
      ...(label === undefined ? {} : { label }),
    };
    return this.deliver(actor, { type: 'event', data: whole }, this.messageOf(event));
  }

  private messageOf({ id }: Pick<AgentEvent, 'id'>): Message {
    return id === undefined ? { id: this.ids.next(), isFresh: true } : { id, isFresh: false };
  }

  async answer(iri: string, answer: DeciderAnswer): Promise<Delivered> {
    this.check();
    const named = parseCorrelation(iri);
    if (named === undefined)
      throw new WarrantError('DECIDE_INPUT', 'an answer names its offer: <actor>/decision/<position>.<k>');
    const { type, ...rest } = answer;
    return this.deliver(named.actor, { type, data: { correlation: named.correlation, ...rest } } as Outcome);
  }

  async review(actor: string, review: ReviewData): Promise<Delivered> {
    this.check();
    return this.deliver(actor, { type: 'review', data: review });
  }

  private deliver(actor: string, outcome: Outcome, message = NO_MESSAGE): Promise<Delivered> {
    return this.tracing.input({ actor, type: outcome.type }, () =>
      this.turns.alone(actor, async () =>
        this.turns.take(await this.awake(actor), outcome, message, (memory) => judgeMoot(memory, outcome)),
      ),
    );
  }

  /** The actor in memory; after a wake, what it left open is looked after. */
  private async awake(actor: string): Promise<Memory> {
    const { memory, fresh } = await this.turns.activate(actor);
    if (fresh) await resumeAgent(memory, this.resuming);
    return memory;
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
        await resumeAgent(memory, this.resuming);
      });
      return forget();
    }
    const taken = await this.deliver(actor, { type: 'timer', data: { timer } });
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
      if (inject.length > 0) await resumeAgent(memory, this.resuming);
      return forked;
    });
  }

  private inject(memory: Memory, one: Injected): Promise<Delivered> {
    if ('answer' in one) {
      const { type, ...rest } = one.answer;
      const outcome = { type, data: { correlation: one.correlation, ...rest } } as Outcome;
      return this.turns.take(memory, outcome, NO_MESSAGE, (now) => judgeMoot(now, outcome));
    }
    const { name, data = null, label } = one;
    const whole = { name, data, ...(label === undefined ? {} : { label }) };
    return this.turns.take(memory, { type: 'event', data: whole }, this.messageOf(one));
  }

  async machineOf(actor: string): Promise<AgentMachine> {
    return this.programs.of(await startedWith(actor, this.options.journal), actor).machine;
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
