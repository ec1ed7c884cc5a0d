import type { Json, JsonObject } from '@warrant/core';
import { isWarrantError } from '@warrant/core';
import type { Chart } from '../chart.ts';
import type { ChartIr } from '../ir.ts';
import type { ChartState, Effect } from '../state.ts';
import { type ExternalEvent, type Input, initial, step } from '../step.ts';

export type SessionOptions = {
  readonly chart: Chart;
  /** Start of the virtual clock, ISO-8601 UTC. @default 2026-01-01T00:00:00.000Z */
  readonly start?: string;
  readonly input?: JsonObject;
  readonly variables?: JsonObject;
  /** Makes the chart that an invoke names: written in place, as text in its content, or by its `src`. Without it nothing can be invoked. */
  readonly invoked?: (invoke: InvokedChart) => Chart;
  /** Told of every effect of every session, in order. */
  readonly onEffect?: (session: string, effect: Effect) => void;
  /** Told of every input before it is stepped; what it returns is stepped. For tests that send states through text. */
  readonly onInput?: (session: string, state: ChartState, input: Input) => ChartState;
};

export type InvokedChart = {
  readonly processor: string;
  readonly chart: ChartIr | null;
  readonly src: string | null;
  readonly content: Json;
};

/** Runs a chart and those it invokes on a virtual clock: no real time passes, nothing outside is touched. */
export interface Session {
  /** The chart's state now. */
  readonly state: () => ChartState;
  /** The virtual time, ISO-8601 UTC. */
  readonly now: () => string;
  /** Hands in an event and runs until nothing is left to do at this moment. */
  readonly send: (event: ExternalEvent) => void;
  /** Lets time pass, firing what falls due. */
  readonly advance: (milliseconds: number) => void;
  /** Jumps to the next timer; false when there is none. */
  readonly fireNext: () => boolean;
}

type Member = {
  readonly id: string;
  readonly chart: Chart;
  state: ChartState;
  readonly parent: string | undefined;
  readonly invoke: string | undefined;
  readonly children: Map<string, string>;
};
type Queued = { readonly session: string; readonly event: ExternalEvent };
type Due = { readonly session: string; readonly timer: string; readonly due: number };

export function createSession(options: SessionOptions): Session {
  return new VirtualSession(options);
}

class VirtualSession implements Session {
  private readonly members = new Map<string, Member>();
  private readonly queue: Queued[] = [];
  private readonly options: SessionOptions;
  private time: number;
  private made = 0;
  private last: ChartState;

  constructor(options: SessionOptions) {
    this.options = options;
    this.time = Date.parse(options.start ?? '2026-01-01T00:00:00.000Z');
    const root = this.open(options.chart, undefined, undefined, options.input ?? {});
    this.last = root;
    this.settle();
  }

  readonly state = (): ChartState => this.members.get('s1')?.state ?? this.last;
  readonly now = (): string => new Date(this.time).toISOString();

  readonly send = (event: ExternalEvent): void => {
    this.queue.push({ session: 's1', event });
    this.settle();
  };

  readonly advance = (milliseconds: number): void => {
    const until = this.time + milliseconds;
    for (let due = this.nextDue(); due !== undefined && due.due <= until; due = this.nextDue()) this.fire(due);
    this.time = until;
  };

  readonly fireNext = (): boolean => {
    const due = this.nextDue();
    if (due !== undefined) this.fire(due);
    return due !== undefined;
  };

  private open(chart: Chart, parent: string | undefined, invoke: string | undefined, input: JsonObject): ChartState {
    this.made += 1;
    const id = `s${this.made}`;
    const reachable = this.reachable(id, parent);
    const [state, effects] = initial(chart, {
      sessionId: id,
      at: this.now(),
      input,
      reachable,
      variables: this.options.variables ?? {},
    });
    this.members.set(id, { id, chart, state, parent, invoke, children: new Map() });
    if (parent !== undefined && invoke !== undefined) this.members.get(parent)?.children.set(invoke, id);
    this.perform(id, effects);
    return state;
  }

  private reachable(id: string, parent: string | undefined): readonly string[] {
    const others = [...this.members.keys()].filter((other) => other !== id).map((other) => `#_scxml_${other}`);
    return parent === undefined ? others : ['#_parent', ...others];
  }

  private settle(): void {
    for (let next = this.queue.shift(); next !== undefined; next = this.queue.shift())
      this.step(next.session, { event: next.event });
  }

  private step(session: string, what: { readonly event: ExternalEvent } | { readonly timer: string }): void {
    const member = this.members.get(session);
    if (member === undefined) return;
    const input: Input = {
      ...what,
      at: this.now(),
      reachable: this.reachable(session, member.parent),
      variables: this.options.variables ?? {},
    };
    const before = this.options.onInput?.(session, member.state, input) ?? member.state;
    const [state, effects] = step(member.chart, before, input);
    member.state = state;
    if (session === 's1') this.last = state;
    this.perform(session, effects);
  }

  private perform(session: string, effects: readonly Effect[]): void {
    for (const effect of effects) {
      this.options.onEffect?.(session, effect);
      this.performOne(session, effect);
    }
  }

  private performOne(session: string, effect: Effect): void {
    switch (effect.type) {
      case 'send':
        return this.route(session, effect);
      case 'forward':
        return this.toChild(session, effect.invoke, effect.event);
      case 'invoke':
        return this.invoke(session, effect);
      case 'cancel-invoke':
        return this.close(this.members.get(session)?.children.get(effect.id));
      case 'done':
        return this.finish(session, effect.data);
      default:
        return;
    }
  }

  private route(session: string, effect: Extract<Effect, { type: 'send' }>): void {
    const member = this.members.get(session) as Member;
    const { target, event } = effect;
    if (target === '#_parent' && member.parent !== undefined) {
      this.queue.push({
        session: member.parent,
        event: { ...event, ...(member.invoke === undefined ? {} : { invokeid: member.invoke }) },
      });
    } else if (target.startsWith('#_scxml_')) this.queue.push({ session: target.slice('#_scxml_'.length), event });
    else if (target.startsWith('#_')) this.toChild(session, target.slice(2), event);
    else
      this.queue.push({
        session,
        event: {
          name: 'error.communication',
          type: 'platform',
          data: { reason: 'session.no-such-target' },
          ...(event.sendid === undefined ? {} : { sendid: event.sendid }),
        },
      });
  }

  private toChild(session: string, invoke: string, event: ExternalEvent): void {
    const child = this.members.get(session)?.children.get(invoke);
    if (child !== undefined) this.queue.push({ session: child, event });
  }

  private invoke(session: string, effect: Extract<Effect, { type: 'invoke' }>): void {
    try {
      if (this.options.invoked === undefined) throw new Error('nothing can be invoked');
      this.open(this.options.invoked(effect), session, effect.id, effect.params);
    } catch (error) {
      const reason = isWarrantError(error) ? error.code : 'session.invoke-failed';
      this.queue.push({
        session,
        event: { name: 'error.communication', type: 'platform', data: { reason }, invokeid: effect.id },
      });
    }
  }

  private close(session: string | undefined): void {
    if (session === undefined) return;
    for (const child of this.members.get(session)?.children.values() ?? []) this.close(child);
    this.members.delete(session);
  }

  private finish(session: string, data: Json): void {
    const member = this.members.get(session);
    if (member?.parent === undefined || member.invoke === undefined) return;
    this.queue.push({
      session: member.parent,
      event: { name: `done.invoke.${member.invoke}`, data, invokeid: member.invoke },
    });
    this.close(session);
  }

  private nextDue(): Due | undefined {
    const all = [...this.members.values()].flatMap((member) =>
      member.state.timers.map((timer) => ({ session: member.id, timer: timer.id, due: Date.parse(timer.due) })),
    );
    return all.reduce<Due | undefined>(
      (first, one) => (first === undefined || one.due < first.due ? one : first),
      undefined,
    );
  }

  private fire(due: Due): void {
    this.time = Math.max(this.time, due.due);
    this.step(due.session, { timer: due.timer });
    this.settle();
  }
}
