import { type Clock, isoTime, type Journal, type Timer, type TimerIndex } from '@warrant/core';
import type { AgentTimer } from '../machine/timers.ts';
import { REST } from './bounded.ts';
import type { Outcome } from './calls.ts';
import { followJournal } from './follow.ts';
import { LEASE } from './names.ts';
import type { Delivered } from './turns.ts';

export type PumpOptions = {
  readonly journal: Pick<Journal, 'readAll'>;
  readonly index: TimerIndex;
  readonly clock: Clock;
  readonly timer: Timer;
  readonly onFault: (fault: { readonly actor: string; readonly effect: string; readonly error: unknown }) => void;
  /** Looks for what was decided elsewhere, such as by reviewers. */
  readonly follow: () => Promise<void>;
  readonly deliver: (actor: string, outcome: Outcome) => Promise<Delivered>;
  /** Goes on with what an agent has open. */
  readonly resume: (actor: string) => Promise<void>;
  /** All dates of an agent. */
  readonly datesOf: (actor: string) => Promise<readonly AgentTimer[]>;
  /** Whether the kit has the chart that the actor runs; others' agents are let alone. */
  readonly isOurs: (actor: string) => Promise<boolean>;
};

type Due = Awaited<ReturnType<TimerIndex['due']>>;
const DUE_AT_ONCE = 200;
/** What cannot be fired lets others go first. */
const AGAIN_AFTER_MS = 5000;

/** Fires what is due and takes over what others left, by an index of the journal. */
export class Pump {
  private readonly options: PumpOptions;
  private stopped = false;
  private cancel: () => void = () => undefined;

  constructor(options: PumpOptions) {
    this.options = options;
  }

  async once(): Promise<number> {
    const { journal, index, follow, onFault } = this.options;
    await follow();
    await followJournal(journal, index, (actor, error) => onFault({ actor, effect: 'timers', error }));
    const due = await this.due();
    for (const { actor, timer } of due) await this.orLater(actor, timer, () => this.fire(actor, timer));
    return due.length;
  }

  /** What is due, after those dates were looked up that entries had no room for. */
  private async due(): Promise<Due> {
    const { index, clock } = this.options;
    for (;;) {
      const due = await index.due(isoTime(clock), DUE_AT_ONCE);
      const rests = due.filter(({ timer }) => timer.startsWith(REST));
      if (rests.length === 0) return due;
      for (const { actor, timer } of rests) await this.orLater(actor, timer, () => this.lookUp(actor, timer));
    }
  }

  private async lookUp(actor: string, rest: string): Promise<void> {
    const { isOurs, datesOf } = this.options;
    for (const { timer, due } of (await isOurs(actor)) ? await datesOf(actor) : []) await this.note(actor, timer, due);
    await this.note(actor, rest, null);
  }

  private async orLater(actor: string, timer: string, work: () => Promise<void>): Promise<void> {
    const { clock, onFault } = this.options;
    try {
      await work();
    } catch (error) {
      onFault({ actor, effect: timer, error });
      await this.note(actor, timer, new Date(clock.now() + AGAIN_AFTER_MS).toISOString());
    }
  }

  watch(everyMs: number): void {
    const { timer, onFault } = this.options;
    const again = (): void => {
      this.cancel = timer.after(everyMs, () => {
        this.once()
          .catch((error: unknown) => onFault({ actor: '', effect: 'watch', error }))
          .finally(() => this.stopped || again());
      });
    };
    again();
  }

  stop(): void {
    this.stopped = true;
    this.cancel();
  }

  private async fire(actor: string, timer: string): Promise<void> {
    const { isOurs, resume, deliver } = this.options;
    const forget = () => this.note(actor, timer, null);
    if (!(await isOurs(actor))) return forget();
    if (timer.startsWith(LEASE)) {
      await resume(actor);
      return forget();
    }
    const taken = await deliver(actor, { type: 'timer', data: { timer } });
    if (taken.type !== 'applied') await forget();
  }

  private async note(actor: string, timer: string, due: string | null): Promise<void> {
    const { index } = this.options;
    await index.note((await index.cursor()) ?? '', [{ actor, timer, due }]);
  }
}
