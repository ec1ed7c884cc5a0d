import { type Clock, type Inbox, isWarrantError, type Labels, type Timer, type Tool } from '@warrant/core';
import { onlyReads } from '../deciders/guard.ts';
import type { AgentKit } from '../kit.ts';
import type { Schemas } from '../machine/program.ts';
import type { Call, LlmCall, MessageCall, Slot, ToolCall } from '../state.ts';
import { answerOf, requestOf } from './asking.ts';
import { failure, judgeStatus, messageOf, type Outcome, performLlm, performTool, toolOf } from './calls.ts';
import type { Changes } from './intents.ts';
import type { Lease, Memory } from './memory.ts';
import { callKey, correlationIri } from './names.ts';
import { type Tracing, untraced } from './tracing.ts';

export type WorkerOptions = {
  readonly kit: AgentKit;
  readonly schemas: Schemas | undefined;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly leaseMs: number;
  readonly tracing: Tracing | undefined;
  readonly inbox: Inbox | undefined;
  readonly onPartial: ((actor: string, effect: string, text: string) => void) | undefined;
  readonly onFault: (fault: { readonly actor: string; readonly effect: string; readonly error: unknown }) => void;
  readonly deliver: (actor: string, outcome: Outcome) => Promise<unknown>;
  readonly message: (from: string, call: MessageCall) => Promise<'delivered' | 'unknown-actor'>;
  /** Makes the lease longer; false when another host has it. */
  readonly renew: (actor: string, effect: string) => Promise<boolean>;
};

/** One reason for all: making one for each would cost more than most of the work that is stopped. */
const STOPPED = new Error('the agent went on');

type Work = {
  readonly abort: AbortController;
  readonly stopRenewing: () => void;
  telling: boolean;
  done: Promise<void>;
};

/** Does what appended entries ask for, and nothing else. Nothing here changes an agent: what comes of it is delivered as an input. */
export class Worker {
  private readonly options: WorkerOptions;
  private readonly working = new Map<string, Work>();
  private readonly awaited = new Set<Promise<unknown>>();
  private closed = false;

  constructor(options: WorkerOptions) {
    this.options = options;
  }

  isWorking(actor: string, effect: string): boolean {
    return this.working.has(`${actor} ${effect}`);
  }

  /** Starts what came and stops what went. */
  apply(memory: Memory, changes: Changes): void {
    for (const effect of changes.goneCalls) this.stop(memory.actor, effect);
    for (const slot of changes.goneAsks) this.cancelAsk(memory, slot);
    for (const call of changes.calls) this.perform(memory, call);
    for (const call of changes.waits) this.await(memory, call);
    for (const slot of changes.asks) this.ask(memory, slot);
  }

  /** Waits for the person that a tool waits for; then the call is made again. */
  await(memory: Memory, call: ToolCall): void {
    const { inbox } = this.options;
    const { effect, pending: question } = call;
    if (inbox === undefined || question === null) return;
    this.run(memory.actor, `${effect} ${question}`, false, async (signal) => {
      await inbox.wait(question, { signal });
      return { type: 'tool.result', data: { effect, outcome: 'answered', question } };
    });
  }

  /** Waits for all work that does not wait for people or other agents. */
  async settled(): Promise<void> {
    while (this.awaited.size > 0) await Promise.allSettled([...this.awaited]);
  }

  close(): void {
    this.closed = true;
    for (const key of [...this.working.keys()]) this.end(key, true);
  }

  perform(memory: Memory, call: Call): void {
    const { actor } = memory;
    const lease = memory.leases.get(call.effect);
    this.run(actor, call.effect, true, async (signal) => {
      if (call.kind === 'message') {
        const outcome = await this.options.message(actor, call);
        return { type: 'reply', data: { effect: call.effect, outcome } };
      }
      return this.make(call, {
        actor,
        key: callKey(lease?.actor ?? actor, call.effect),
        labels: call.kind === 'tool' ? call.labels : {},
        signal,
      });
    });
  }

  private make(
    call: LlmCall | ToolCall,
    place: { actor: string; key: string; labels: Labels; signal: AbortSignal },
  ): Promise<Outcome | null> {
    const { kit, schemas, clock, onPartial } = this.options;
    const context = {
      kit,
      schemas,
      now: () => clock.now(),
      onPartial: onPartial && ((text: string) => onPartial(place.actor, call.effect, text)),
      ...place,
    };
    const tracing = this.options.tracing ?? untraced;
    if (call.kind === 'llm') return tracing.llm({ actor: place.actor, call }, () => performLlm(call, context));
    return tracing.tool({ actor: place.actor, call }, () => performTool(call, context));
  }

  /** A call that another host began, or this one before it ended: asked about, never made twice in silence. */
  resume(memory: Memory, call: Call, lease: Lease): void {
    if (call.kind !== 'tool') return this.perform(memory, call);
    const tool = toolOf(call, this.options.kit);
    if (tool?.repeatable === true) return this.perform(memory, call);
    const key = callKey(lease.actor, call.effect);
    this.run(memory.actor, call.effect, true, async () => {
      if (tool?.status === undefined)
        return failure(call, 'unknown', 'the host that made the call is gone, and nobody knows what came of it');
      const status = await statusOf(tool.status.bind(tool), key);
      if (status.type !== 'never-seen') return judgeStatus(call, tool, status, this.options);
      this.free(memory.actor, call.effect);
      this.perform(memory, call);
      return null;
    });
  }

  /** Asks the decider of an open offer, if it is bound here. */
  ask(memory: Memory, slot: Slot): void {
    const decider = this.options.kit.deciders?.[slot.binding];
    if (decider === undefined) return;
    const { actor } = memory;
    const request = requestOf(memory, slot, !onlyReads(decider));
    const isWaitedFor = decider.kind !== 'human' && decider.kind !== 'actor';
    const tracing = this.options.tracing ?? untraced;
    this.run(actor, slot.correlation, isWaitedFor, async (signal) => {
      const answer = await tracing.decision({ actor, request, kind: decider.kind }, async () => {
        try {
          return await decider.decide(request, signal);
        } catch (error) {
          if (signal.aborted) return undefined;
          this.options.onFault({ actor, effect: slot.correlation, error });
          return { type: 'refusal', reason: isWarrantError(error) ? error.code : 'decider-failed' } as const;
        }
      });
      // Who says nothing has not answered: that is a refusal too, or nobody would ever hear of it.
      return signal.aborted ? null : answerOf(slot, answer, decider.kind);
    });
  }

  private cancelAsk(memory: Memory, slot: Slot): void {
    const work = this.working.get(`${memory.actor} ${slot.correlation}`);
    this.stop(memory.actor, slot.correlation);
    // Its own answer is on its way: there is nothing to cancel.
    if (work?.telling === false)
      this.options.kit.deciders?.[slot.binding]?.cancel?.(correlationIri(memory.actor, slot.correlation));
  }

  private stop(actor: string, effect: string): void {
    this.end(`${actor} ${effect}`, true);
  }

  private free(actor: string, effect: string): void {
    this.end(`${actor} ${effect}`, false);
  }

  private end(key: string, abort: boolean): void {
    const work = this.working.get(key);
    if (work === undefined) return;
    this.working.delete(key);
    work.stopRenewing();
    // Whoever has answered has nothing left to stop.
    if (abort && !work.telling) work.abort.abort(STOPPED);
  }

  private run(
    actor: string,
    effect: string,
    isWaitedFor: boolean,
    job: (signal: AbortSignal) => Promise<Outcome | null>,
  ): void {
    const key = `${actor} ${effect}`;
    const earlier = this.working.get(key);
    if (earlier !== undefined) {
      // A call that is made again after a person answered: the first round is just about to end.
      if (!earlier.abort.signal.aborted)
        void earlier.done.then(() => this.closed || this.run(actor, effect, isWaitedFor, job));
      return;
    }
    const abort = new AbortController();
    // Waiting for people and other agents can be begun anew by anyone; it needs no lease.
    const stopRenewing = isWaitedFor ? this.keepLease(actor, effect) : () => undefined;
    const work: Work = { abort, stopRenewing, telling: false, done: Promise.resolve() };
    this.working.set(key, work);
    const running = this.finish(actor, effect, job, work);
    work.done = running;
    if (!isWaitedFor) return;
    this.awaited.add(running);
    void running.finally(() => this.awaited.delete(running));
  }

  private async finish(
    actor: string,
    effect: string,
    job: (signal: AbortSignal) => Promise<Outcome | null>,
    work: Work,
  ): Promise<void> {
    const key = `${actor} ${effect}`;
    try {
      const outcome = await job(work.abort.signal);
      // Work that was stopped because the agent went on has nobody left to tell, except of what was done or spent.
      if (outcome === null || (work.abort.signal.aborted && !isWorthTelling(outcome))) return;
      work.telling = true;
      await this.options.deliver(actor, outcome);
    } catch (error) {
      this.options.onFault({ actor, effect, error });
    } finally {
      if (this.working.get(key) === work) this.end(key, false);
    }
  }

  private keepLease(actor: string, effect: string): () => void {
    const { timer, leaseMs, renew } = this.options;
    let cancel: () => void = () => undefined;
    const again = (): void => {
      cancel = timer.after(leaseMs / 2, () => {
        renew(actor, effect).then(
          (kept) => kept && this.isWorking(actor, effect) && again(),
          (error: unknown) => this.options.onFault({ actor, effect, error }),
        );
      });
    };
    again();
    return () => cancel();
  }
}

function isWorthTelling(outcome: Outcome): boolean {
  return outcome.type === 'llm.result' || (outcome.type === 'tool.result' && outcome.data.outcome === 'ok');
}

type Status = NonNullable<Tool['status']>;

async function statusOf(status: Status, key: string): ReturnType<Status> {
  try {
    return await status(key);
  } catch (error) {
    return { type: 'unknown', message: messageOf(error) } as const;
  }
}
