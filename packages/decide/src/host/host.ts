import {
  type Clock,
  createIdSource,
  type Digest,
  digest,
  type IdSource,
  type JsonObject,
  type Label,
  type ReviewDecision,
  systemClock,
  systemTimer,
  WarrantError,
} from '@warrant/core';
import { copyOf } from '../copy.ts';
import type { ReviewData, StartData } from '../input.ts';
import type { DeciderAnswer } from '../kit.ts';
import { bindingsWithin } from '../machine/invoked-charts.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { SelfModification } from '../self-modification.ts';
import type { AgentState } from '../state.ts';
import type { Outcome } from './calls.ts';
import { type Forked, forkAgent } from './fork.ts';
import { answerOutcome, eventOutcome, givenInput, injectedInput, reviewOutcome } from './given.ts';
import type { AgentEvent, AgentHost, AgentHostOptions, Injected } from './host-types.ts';
import type { Changes } from './intents.ts';
import { catchUp, datesOf, emptyMemory, type Memory, startedWith, startOf } from './memory.ts';
import { deliverMessage } from './messages.ts';
import { judgeMoot } from './moot.ts';
import { parseCorrelation, streamOf } from './names.ts';
import { KitPrograms } from './programs.ts';
import { Pump } from './pump.ts';
import { type ResumeOptions, resumeAgent, takeOver } from './resume.ts';
import { type Ruled, rulesOf } from './rules.ts';
import { schemasOf } from './schemas-of.ts';
import { cleanerOf } from './secrets.ts';
import { settingsOf } from './settings.ts';
import { createMemoryTimerIndex } from './timer-index.ts';
import { type Tracing, untraced } from './tracing.ts';
import { type Delivered, messageOf, NO_MESSAGE, Turns } from './turns.ts';
import { type ProposeOptions, Versions } from './versions.ts';
import { Worker } from './worker.ts';

/** @throws CHART_INVALID for a chart of the kit that is not sound, DECIDE_OPTIONS */
export function createAgentHost(options: AgentHostOptions): AgentHost {
  return new Host(options);
}

class Host implements AgentHost {
  readonly name: string;
  private readonly options: AgentHostOptions;
  private readonly clock: Clock;
  private readonly ids: IdSource;
  private readonly programs: KitPrograms;
  private readonly turns: Turns;
  private readonly worker: Worker;
  private readonly resuming: ResumeOptions;
  private readonly tracing: Tracing;
  private readonly versions: Versions;
  private readonly pumping: Pump;
  private closed = false;

  constructor(options: AgentHostOptions) {
    this.options = options;
    this.clock = options.clock ?? systemClock;
    this.ids = options.ids ?? createIdSource({ clock: this.clock });
    this.tracing = options.tracing ?? untraced;
    this.programs = new KitPrograms(options);
    const { host, leaseMs, snapshotEvery, maxActive } = settingsOf(options, this.ids);
    this.name = host;
    this.turns = new Turns({
      journal: options.journal,
      snapshots: options.snapshots,
      snapshotEvery,
      maxActive,
      clock: this.clock,
      host,
      leaseMs,
      clean: cleanerOf(options.secretMarks),
      machineFor: (program, actor) => this.programs.of(program, actor).machine,
      rules: rulesOf(options, options.onFault ?? (() => undefined)),
      appended: (memory, changes, ruled) => this.closed || this.appended(memory, changes, ruled),
    });
    this.worker = this.createWorker(leaseMs);
    this.versions = this.createVersions();
    this.pumping = this.createPump();
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
    const told = this.options.tracing === undefined ? [] : ruled;
    for (const { request, answer } of told)
      void this.tracing.decision({ actor: memory.actor, request, kind: 'guard' }, () => Promise.resolve(answer));
    this.worker.apply(memory, changes);
  }

  private createPump(): Pump {
    const { journal, timers, timer = systemTimer, onFault = () => undefined } = this.options;
    return new Pump({
      journal,
      index: timers ?? createMemoryTimerIndex(),
      clock: this.clock,
      timer,
      onFault,
      follow: () => this.versions.follow(),
      deliver: (actor, outcome) => this.deliver(actor, outcome),
      isOurs: (actor) => this.isOurs(actor),
      datesOf: (actor) => this.current(actor, datesOf),
      resume: (actor) => this.current(actor, (memory) => resumeAgent(memory, this.resuming)),
    });
  }

  private createVersions(): Versions {
    return new Versions({
      reviewer: this.options.reviewer,
      journal: this.options.journal,
      clock: this.clock,
      ids: this.ids,
      state: (actor) => this.state(actor),
      machineOf: (actor) => this.machineOf(actor),
      isOurs: (actor) => this.isOurs(actor),
      unbound: (chart) => this.programs.unboundIn(bindingsWithin(chart)),
      review: (actor, review) => this.review(actor, review),
      onFault: this.options.onFault ?? (() => undefined),
    });
  }

  private createWorker(leaseMs: number): Worker {
    const { tracing, onPartial, onFault = () => undefined, timer = systemTimer } = this.options;
    return new Worker({
      kit: this.options,
      schemas: schemasOf(this.options),
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

  async spawn(
    actor: string,
    agent: string,
    input: JsonObject = {},
    options: { readonly label?: Label } = {},
  ): Promise<Delivered> {
    this.check();
    streamOf(actor);
    const program = this.programs.named(agent);
    this.programs.checkDeciders(program.machine);
    const data = this.programs.startData(program, givenInput(input, options.label));
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
    const running = await startOf(actor, this.options.journal);
    if (running.program !== program || digest(running.input) !== digest(this.turns.options.clean(data.input)))
      throw new WarrantError('DECIDE_ACTOR_EXISTS', `${actor} runs already, by another chart or from other input`, {
        data: { actor },
      });
    await this.awake(actor);
    return { type: 'duplicate' };
  }

  async send(actor: string, event: AgentEvent): Promise<Delivered> {
    this.check();
    const outcome = eventOutcome(event);
    return this.deliver(actor, outcome, messageOf(event, this.ids));
  }

  async answer(iri: string, answer: DeciderAnswer): Promise<Delivered> {
    this.check();
    const named = parseCorrelation(iri);
    if (named === undefined)
      throw new WarrantError('DECIDE_INPUT', 'an answer names its offer: <actor>/decision/<position>.<k>');
    return this.deliver(named.actor, answerOutcome(named.correlation, answer));
  }

  async review(actor: string, review: ReviewData): Promise<Delivered> {
    this.check();
    return this.deliver(actor, reviewOutcome(review));
  }

  async propose(
    actor: string,
    version: Omit<SelfModification, 'actor'>,
    options: ProposeOptions = {},
  ): Promise<ReviewDecision> {
    this.check();
    return this.versions.propose({ actor, ...version }, options);
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
    return this.current(actor, (memory) => copyOf(memory.state));
  }

  /** The actor as the journal has it now, alone. */
  private current<T>(actor: string, use: (memory: Memory) => T | Promise<T>): Promise<T> {
    return this.turns.alone(actor, async () => {
      const memory = await this.awake(actor);
      await catchUp(memory, this.options.journal);
      return use(memory);
    });
  }

  async pump(): Promise<number> {
    this.check();
    return this.pumping.once();
  }

  watch(everyMs = 1000): void {
    this.check();
    this.pumping.watch(everyMs);
  }

  /** Whether the kit has the chart that the actor runs. */
  private async isOurs(actor: string): Promise<boolean> {
    return this.turns.isActive(actor) || this.programs.has(await startedWith(actor, this.options.journal));
  }

  async settled(): Promise<void> {
    await this.worker.settled();
  }

  async deactivate(actor: string): Promise<void> {
    await this.turns.alone(actor, () => Promise.resolve(this.turns.deactivate(actor)));
  }

  async fork(actor: string, position: number, target: string, inject: readonly Injected[] = []): Promise<Forked> {
    this.check();
    const inputs = inject.map((one) => injectedInput(one, this.ids, [actor, target]));
    const machine = await this.machineOf(actor);
    return this.turns.alone(target, async () => {
      const forked = await forkAgent(this.options.journal, { actor, position, target, machine });
      if (forked.type !== 'forked') return forked;
      const { memory } = await this.turns.activate(target, machine);
      for (const { outcome, message } of inputs)
        await this.turns.take(memory, outcome, message, (now) => judgeMoot(now, outcome));
      if (inject.length > 0) await resumeAgent(memory, this.resuming);
      return forked;
    });
  }

  async machineOf(actor: string): Promise<AgentMachine> {
    return this.programs.of(await startedWith(actor, this.options.journal), actor).machine;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.pumping.stop();
    this.worker.close();
  }

  private check(): void {
    if (this.closed) throw new WarrantError('DECIDE_CLOSED', 'the host is closed');
  }
}
