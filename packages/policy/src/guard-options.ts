import type {
  ActorKey,
  CallClassifier,
  Clock,
  DepthLevel,
  Digest,
  GraphStore,
  Grounder,
  GroundingResult,
  GuardOutcome,
  IdSource,
  Inbox,
  Journal,
  Json,
  Labels,
  PolicyFinding,
  Timer,
  ToolCall,
  ToolFailure,
  Verdict,
} from '@warrant/core';
import type { DormantRule } from './decide.ts';
import type { Cardinality } from './placement.ts';
import type { PolicySet } from './policy-set.ts';
import type { GuardSession } from './session.ts';

/** `static`: fixed where the tool is written, the strong path. `dynamic`: worked out from the arguments of each call. */
export type Extraction = 'static' | 'dynamic';

/** What `onTrace` is told beside the grounding. */
export type GuardTrace = {
  readonly call: ToolCall;
  readonly extraction: Extraction;
  /** In words, how far the guarantee goes: dynamic extraction can be talked around, static concepts cannot. */
  readonly guarantee: string;
};

/** Something that was swallowed so that the call could go on. */
export type GuardReport = {
  readonly type: 'trace-failed' | 'record-failed' | 'check-failed' | 'withdraw-failed' | 'listener-failed';
  readonly callId: string;
  readonly error: unknown;
};

/** Replaces what must never be stored, so that equal stays equal and different stays different. */
export interface SecretReplacer {
  replace(value: Json): Json;
}

export type OnPolicy = (
  findings: readonly PolicyFinding[],
  context: { readonly call: ToolCall; readonly verdict: Verdict; readonly signal: AbortSignal | undefined },
) => boolean | PromiseLike<boolean>;

type FromArguments<Args extends readonly unknown[], Value> = (...args: Args) => Value | PromiseLike<Value>;

/** What several tools of one agent have in common. */
export type SharedGuardOptions = {
  readonly grounder: Grounder;
  /** A function is asked at every check, so that policies can be reloaded. Without any, grounding alone decides. */
  readonly policies?: PolicySet | (() => PolicySet | PromiseLike<PolicySet>);
  /** Where confirmations are asked, answered and used up. Not together with `onPolicy`. */
  readonly inbox?: Inbox;
  /** Asked in place of an inbox; only `true` lets the act happen. */
  readonly onPolicy?: OnPolicy;
  /** Without one the outcome says `recorded: 'no'`. */
  readonly journal?: Pick<Journal, 'append'>;
  /**
   * Whether the journal holds content already that stands there under its digest, such as a graph's view: it is then not
   * worked out again. For processes that live for one call; others remember what they have sent.
   */
  readonly isRecorded?: (content: Digest) => boolean | PromiseLike<boolean>;
  /** @default 'guard' */
  readonly stream?: string;
  /** Where the views that checks read are taken from for the journal. Without it the journal holds their digests. */
  readonly graph?: Pick<GraphStore, 'view'>;
  readonly onTrace?: (grounding: GroundingResult, trace: GuardTrace) => void | PromiseLike<void>;
  /** Told what was swallowed. */
  readonly onReport?: (report: GuardReport) => void;
  /**
   * Shown what each tool that ran gave back, once it is recorded, so that failures can be learned from. It changes no
   * outcome: what it throws is reported, and it is given `timeoutMs`.
   */
  readonly onFailure?: (failure: ToolFailure) => unknown;
  /** false: only observes; the act always happens. @default true */
  readonly enforce?: boolean;
  /** false: an open confirmation gives `pending` at once; calling again uses its answer. @default true */
  readonly wait?: boolean;
  /** What placements that are asleep do. @default 'refuse' */
  readonly dormant?: DormantRule;
  /** A floor under the depth of the named concepts, for tools that set none. */
  readonly minDepth?: DepthLevel;
  readonly actor?: ActorKey;
  readonly directory?: string;
  /** @default a session of the guard's own */
  readonly session?: GuardSession;
  /** What a call may read, write and delete; `shell` in policy files. */
  readonly effects?: CallClassifier;
  readonly secrets?: SecretReplacer;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  readonly timer?: Timer;
  /** Longest time for one asynchronous concept extraction, cardinality, trace or policy callback. @default 5000 */
  readonly timeoutMs?: number;
  /** Longest time for one check of the graph or one append to the journal. @default 30000 */
  readonly storeTimeoutMs?: number;
  /** How long a question stays open; null for ever. @default 3600000 */
  readonly questionTtlMs?: number | null;
};

/** What belongs to one tool. */
export type ToolGuardOptions<Args extends readonly unknown[]> = {
  /** What the call is about. A list is the strong path; a function makes the guarantee as good as the function. */
  readonly concepts: readonly string[] | FromArguments<Args, readonly string[]>;
  readonly cardinality?: Cardinality | null | FromArguments<Args, Cardinality | null>;
  /** A floor under the depth of the named concepts. */
  readonly minDepth?: DepthLevel;
  /** Names of positional parameters; the last may be `...rest`. Not needed for one object or no argument. */
  readonly parameters?: readonly string[];
  /** @default the function's name */
  readonly name?: string;
};

export type GuardOptions<Args extends readonly unknown[]> = SharedGuardOptions & ToolGuardOptions<Args>;

/** What one call says about itself. */
export type CallContext = {
  /** Calling again with the same id is the same call. @default a new id */
  readonly id?: string;
  readonly actor?: ActorKey;
  readonly directory?: string;
  /** Where the arguments came from. */
  readonly labels?: Labels;
  readonly session?: GuardSession;
  readonly signal?: AbortSignal;
  readonly wait?: boolean;
  /** Handed to the tool after its arguments; no part of the decision and not recorded. */
  readonly passThrough?: readonly unknown[];
};

/** A tool behind its guard: the same parameters, and what became of the call as a value. */
export interface Guarded<Args extends readonly unknown[], Result> {
  (...args: Args): Promise<GuardOutcome<Awaited<Result>>>;
  /** The same with what is known about this call. */
  readonly run: (args: Args, context?: CallContext) => Promise<GuardOutcome<Awaited<Result>>>;
  readonly toolName: string;
}
