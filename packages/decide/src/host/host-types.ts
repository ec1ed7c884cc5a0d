import type {
  Clock,
  IdSource,
  Inbox,
  Journal,
  Json,
  JsonObject,
  Label,
  ReviewDecision,
  Reviewer,
  SnapshotStore,
  Timer,
  TimerIndex,
} from '@warrant/core';
import type { ReviewData } from '../input.ts';
import type { AgentKit, DeciderAnswer } from '../kit.ts';
import type { AgentMachine } from '../machine/machine.ts';
import type { SelfModification } from '../self-modification.ts';
import type { AgentState } from '../state.ts';
import type { Forked } from './fork.ts';
import type { SecretMarks } from './secrets.ts';
import type { Tracing } from './tracing.ts';
import type { Delivered } from './turns.ts';
import type { ProposeOptions } from './versions.ts';

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
  /** Name of this host; two that run at the same time must differ; at most 200 bytes. @default an id of its own */
  readonly host?: string;
  /** How long nobody else takes over a call that this host began, in milliseconds; renewed while it works. @default 60000 */
  readonly leaseMs?: number;
  readonly timers?: TimerIndex;
  /** Replaces secrets in every input before it is recorded; hosts of one journal share a key, so that equal secrets get equal marks. `false` records inputs as they come. @default the usual patterns, under a key of this host's own */
  readonly secretMarks?: SecretMarks;
  readonly tracing?: Tracing;
  /** Where new chart versions are approved; the host registers their kind with it. @default none: `propose` is refused */
  readonly reviewer?: Reviewer;
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
  spawn(actor: string, agent: string, input?: JsonObject, options?: { readonly label?: Label }): Promise<Delivered>;
  send(actor: string, event: AgentEvent): Promise<Delivered>;
  /** Answers an open offer, named as deciders see it. */
  answer(correlation: string, answer: DeciderAnswer): Promise<Delivered>;
  /** Asks the reviewer to let an agent run by another chart; checked on the stored state first. What was decided comes to the agent as an input. @throws DECIDE_OPTIONS without a reviewer */
  propose(actor: string, version: Omit<SelfModification, 'actor'>, options?: ProposeOptions): Promise<ReviewDecision>;
  /** Hands in a chart version that was reviewed elsewhere. */
  review(actor: string, review: ReviewData): Promise<Delivered>;
  /** A copy, so that whatever becomes of it, the agent does not change. */
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
