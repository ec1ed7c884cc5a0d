import type { CallClassifier, Digest, Gate, Json, JsonObject, Observation, Reason } from '@warrant/core';

/** `unverified` is legal in every state; `none` makes no factual claim. */
export type ClaimType = 'assertion' | 'completion' | 'unverified' | 'none';

/** What an agent says at the boundary. */
export type Claim = {
  /** A {@link ClaimType}; anything else is refused with `gate.unknown-claim-type`. */
  readonly type: string;
  /** The message itself. Its codes and numbers are held against what was observed. */
  readonly text?: string;
  /** Identifiers the claim is about; each must have been observed. */
  readonly about?: readonly string[];
  /** For each sentence that claims a change, the identifiers it names. */
  readonly changes?: readonly (readonly string[])[];
  /** `negative` says that something failed or is absent; an error or an empty answer supports only that. @default positive */
  readonly stance?: 'positive' | 'negative';
};

/** Class of what an observation shows. */
export type EvidenceClass = 'positive' | 'empty' | 'error' | 'contradicting';

/** The ways in which this gate differs from the reference, each a switch of its own. */
export type GateSettings = {
  /** `per-mutation`: every change needs its own look. `last-mutation`: any relevant look after the last change. @default per-mutation */
  readonly obligations: 'per-mutation' | 'last-mutation';
  /** `classed`: errors and empty answers prove no success. `any`: every answer counts. @default classed */
  readonly evidence: 'classed' | 'any';
  /** Whether a stated expectation is held against the read-back. @default checked */
  readonly expectations: 'checked' | 'ignored';
  /** `typed`: declared fields, whole paths, addresses and phrases. `tokens`: every run of word characters, exactly. @default typed */
  readonly identifiers: 'typed' | 'tokens';
  /** `exact`: arguments as they are tell calls apart. `scrubbed`: dates and ids in them are replaced first. @default exact */
  readonly novelty: 'exact' | 'scrubbed';
  /** How long an answer counts as known. @default turn */
  readonly noveltySpan: 'turn' | 'session';
  /** `until-mutation`: a signal ends with the next change of what it covers. @default until-mutation */
  readonly signals: 'until-mutation' | 'forever';
  /** `any`: without a surface every look is relevant to an assertion. `nothing`: none is. @default any */
  readonly emptySurface: 'any' | 'nothing';
  /** Whether what a call changes joins the claim surface. @default mutations */
  readonly surfaceGrowth: 'mutations' | 'never';
  /** `read-back`: a failed change is met by looking. `redo`: only by a change that succeeds, or a passing check where its target is unknown. @default read-back */
  readonly failedMutations: 'read-back' | 'redo';
  /** What happens when the text names a code or number that was never observed. @default report */
  readonly unseenCodes: 'ignore' | 'report' | 'refuse';
  /** `refuse`: while the last call of the turn failed, nothing positive may be claimed. @default allow */
  readonly trailingError: 'allow' | 'refuse';
  /** `refuse`: an assertion needs a look that no later change has overtaken, and one at whatever changed that it names. @default refuse */
  readonly staleAssertions: 'allow' | 'refuse';
  /** `refuse`: while a change is open, an assertion is refused as a completion is. @default allow */
  readonly openAssertions: 'allow' | 'refuse';
  /** `refuse`: a completion whose sentence names something that was looked at and nothing that was changed. @default ignore */
  readonly namedChanges: 'ignore' | 'refuse';
  /** Budget that a refused submit costs, 0 to 100. @default 1 */
  readonly refusalCost: number;
};

/** What a postcondition says about a call's own answer. */
export type PostconditionAnswer =
  | { readonly type: 'holds' }
  | { readonly type: 'fails' | 'unknown'; readonly message: string };

/** A named pure check of a call's own answer against its arguments. */
export type Postcondition = {
  readonly name: string;
  readonly check: (args: JsonObject, result: Json) => PostconditionAnswer;
};

/** What a tool's calls mean to the gate. */
export type ToolContract = {
  /**
   * `read` looks, `write` changes, `check` tests and changes nothing, `run` runs something named by its arguments (a check when its
   * answer is a test report, else a change of unknown things), `shell` is classed by its command, `neutral` is neither.
   * Without it `effects.class` decides. A call whose effects are `write` is a change whatever is said here.
   */
  readonly kind?: 'read' | 'write' | 'check' | 'run' | 'shell' | 'neutral';
  /** JSON Pointers into the arguments to what the call touches; a `*` step stands for every member. */
  readonly targets?: readonly string[];
  /** What it does by the value of an argument: the contract of that value stands in for this one, which is for any other value. */
  readonly byArgument?: {
    readonly pointer: string;
    readonly cases: { readonly [value: string]: Omit<ToolContract, 'byArgument'> };
  };
  /** Only the targets themselves are shown, whatever else the answer names. @default false */
  readonly exactly?: boolean;
  /** The answer shows that things are there, not what they hold. @default false */
  readonly lists?: boolean;
  /** The change removes its targets. @default false */
  readonly deletes?: boolean;
  /** JSON Pointers into a structured answer to what it shows. */
  readonly shows?: readonly string[];
  /** `json`: text that is JSON is read as JSON. @default text */
  readonly result?: 'text' | 'json';
  /** Beginnings of an answer that mean an error; `outcome` looks at the outcome alone. Without it a shipped list. */
  readonly errors?: readonly string[] | 'outcome';
  /** What is expected after a change: text at `contains` must be found, text at `replaces` must be gone with it. */
  readonly expects?: { readonly contains: string; readonly replaces?: string };
  /** The answer itself carries the resulting state. */
  readonly ownAnswer?: Postcondition;
  /** A read-back that the shell runs itself after a change; values starting with `/` are pointers into the arguments. */
  readonly verifyWith?: { readonly tool: string; readonly arguments: { readonly [name: string]: string } };
  /** JSON Pointers to values that must have been observed before the change began; else its own answer does not count. */
  readonly readBefore?: readonly string[];
  /** Names of signal mappers to run over the answer. */
  readonly signals?: readonly string[];
  /** Path prefixes that this tool's signals cover; a change elsewhere leaves them fresh. Without it everything. */
  readonly covers?: readonly string[];
  /** Member of the arguments that holds the command of a `shell` tool. @default command */
  readonly command?: string;
};

/** A named function over text; its name enters the config's digest. */
export type NamedNormalizer = { readonly name: string; readonly run: (text: string) => string };
/** A named extractor over arguments and answer as text. It replaces the built-in one. */
export type NamedExtractor = {
  readonly name: string;
  readonly run: (args: string, result: string) => Iterable<string>;
};

/** Reads declared signals from a call's answer. */
export type SignalMapper = {
  readonly name: string;
  /** `passed` and `failed` name what a recognised report shows; null when the answer is no such report. */
  readonly map: (result: Json, outcome: 'ok' | 'error') => SignalReading | null;
};
export type SignalReading = { readonly passed: readonly string[]; readonly failed: readonly string[] };

/** A kind of command that a preset knows. */
export type CommandRule = {
  /** Leading words of the command. */
  readonly words: readonly string[];
  readonly kind: 'read' | 'check' | 'write';
  /** Options that make it an unknown command again (`--fix`); one that begins with `^` is a pattern. */
  readonly unless?: readonly string[];
  /** Options with which it does nothing (`--help`). */
  readonly idle?: readonly string[];
  /** Options with which a look shows names only. */
  readonly names?: readonly string[];
  /** The change touches nothing that a look or a check has seen. */
  readonly keeps?: boolean;
  /** `names` shows that things are there, `below` what lies under its operands where the answer names it, `nothing` neither. Else the operands themselves. */
  readonly shows?: 'names' | 'below' | 'nothing';
  /** Operands in front that name nothing (a pattern). @default 0 */
  readonly skip?: number;
  /** Signal that a passing check gives. */
  readonly signal?: string;
  /** Pattern of the answer that carries the resulting state. */
  readonly ownAnswer?: { readonly name: string; readonly pattern: RegExp };
};

export type GateLimits = {
  /** Obligations that are named before they collapse. @default 32 */
  readonly open: number;
  /** Characters that all open obligations may take as JSON. @default 16000 */
  readonly openSize: number;
  /** Calls that may run at once. @default 32 */
  readonly running: number;
  /** Characters that running calls may take; beyond it the oldest are forgotten. @default 12000 */
  readonly runningSize: number;
  /** Remembered answers; an older one counts as new again. @default 128 */
  readonly novelty: number;
  /** Remembered codes, in blocks of 200. @default 3000 */
  readonly codes: number;
  /** Identifiers that changes add to the surface. @default 48 */
  readonly surface: number;
};

export type GateConfig = {
  readonly preset?: 'default' | 'skipper' | 'diverger' | 'coding';
  /** `reference` turns every improvement off together; `settings` go over it. @default default */
  readonly profile?: 'default' | 'reference';
  readonly settings?: Partial<GateSettings>;
  /** Budget at the start and at most. */
  readonly cap?: number;
  /** Budget that a qualifying observation gives back; 1 <= refill < cap. */
  readonly refill?: number;
  /** Assertions too need a look after a change. */
  readonly strict?: boolean;
  /** Identifiers that claims are about. */
  readonly surface?: readonly string[];
  /** Signals that a completion needs. */
  readonly goals?: readonly string[];
  readonly tools?: { readonly [tool: string]: ToolContract };
  /** Classes calls by what they run; `name` enters the digest. Without it a shell call counts as a change. */
  readonly classifier?: { readonly name: string; readonly classify: CallClassifier };
  readonly commands?: readonly CommandRule[];
  readonly mappers?: readonly SignalMapper[];
  readonly normalizers?: { readonly [tool: string]: NamedNormalizer };
  readonly extractors?: { readonly [tool: string]: NamedExtractor };
  /** Tools whose repeated answers count as new. */
  readonly noveltyExempt?: readonly string[];
  /** A second look by a verifier that can only downgrade; confidence below `threshold` (0 to 1) refuses. @default threshold 0.5 */
  readonly verifier?: { readonly threshold?: number };
  /** Folder that paths are taken relative to, before a call's own. */
  readonly root?: string;
  /** Whether paths and names differ by case. @default true */
  readonly caseSensitive?: boolean;
  readonly limits?: Partial<GateLimits>;
};

/** A call that has begun and not reported. */
export type RunningCall = {
  readonly id: string;
  readonly tool: string;
  readonly kind: CallKind;
  readonly from: number;
  /** What it looks at or changes; null where it cannot be known. */
  readonly targets: readonly string[] | null;
  /** True when it shows names only. */
  readonly lists?: boolean;
  /** Hash of tool and arguments. */
  readonly key: string;
  /** True when its arguments meet the surface. */
  readonly meets: boolean;
  /** Kept only where a contract, an expectation or an extractor reads them. */
  readonly args?: Json;
  /** Value of the argument that says what the tool does. */
  readonly variant?: string;
  readonly rule?: string;
  /** What a check shows when it passes. */
  readonly signals?: readonly string[];
  /** True when the exit code of the command is its own (no pipe after it). */
  readonly exact?: boolean;
  /** True when something of which nothing is known runs in front of a check. */
  readonly changes?: boolean;
  /** True for a change that touches nothing that was seen. */
  readonly keeps?: boolean;
  readonly size: number;
};
export type CallKind = 'read' | 'write' | 'check' | 'run' | 'neutral';

/** A change that nobody has looked at since. */
export type Obligation = {
  readonly id: string;
  readonly tool: string;
  readonly key: string;
  readonly targets: readonly string[] | null;
  readonly gone?: readonly string[];
  readonly from: number;
  /** When it ended; null while it runs or when it never reported. */
  readonly ended: number | null;
  readonly failed: boolean;
  /** Values that were never observed before the change began. */
  readonly blind?: readonly string[];
  readonly expects?: Expectation;
  readonly contradicted?: { readonly by: string; readonly found: string };
  readonly redo: boolean;
  readonly readBack?: { readonly tool: string; readonly arguments: JsonObject };
  readonly size: number;
};

/** `stated` must be found; `derived` (from the arguments) refuses only when the answer shows something else. */
export type Expectation = {
  readonly type: 'stated' | 'derived';
  readonly value: Json;
  readonly replaces?: string;
};

export type Considered = {
  readonly callId: string;
  readonly tool: string;
  readonly evidence: EvidenceClass | 'not-run';
  /** What it supports. */
  readonly tier: 'none' | 'observed' | 'verified';
  /** Why it did not count, or `ok`. */
  readonly cause:
    | 'ok'
    | 'not-novel'
    | 'not-relevant'
    | 'not-read-only'
    | 'error'
    | 'empty'
    | 'contradicting'
    | 'not-run'
    | 'neutral'
    | 'signal';
};

/** An answer that counted in this turn. */
export type Evidence = {
  readonly callId: string;
  readonly tier: 'observed' | 'verified';
  readonly seq: number;
  /** What it was of, where that can be said in few words. */
  readonly targets?: readonly string[];
  /** True once something it was of has changed. */
  readonly stale?: true;
};

/** Everything the gate knows, as JSON. */
export type GateState = {
  readonly version: 1;
  /** Digest of the config that made it. */
  readonly config: Digest;
  readonly turn: number;
  readonly budget: number;
  readonly halted: boolean;
  readonly rejections: number;
  readonly grounded: boolean;
  readonly verified: boolean;
  /** An error or an empty answer was seen; it supports negative claims. */
  readonly absent: boolean;
  readonly trailingError: boolean;
  readonly seq: number;
  readonly lastMutation: number | null;
  readonly lastVerification: number | null;
  readonly running: readonly RunningCall[];
  readonly open: readonly Obligation[];
  /** Open obligations that can no longer be named. */
  readonly beyond: number;
  readonly met: { readonly count: number; readonly last: { readonly id: string; readonly by: string } | null };
  readonly reportedUnverified: number;
  readonly changed: readonly string[];
  readonly signals: { readonly [name: string]: { readonly from: number; readonly covers?: readonly string[] } };
  readonly evidence: readonly Evidence[];
  readonly considered: readonly Considered[];
  /** Hashes of answers that are known, 11 characters each, the oldest first. */
  readonly novelty: string;
  readonly codes: readonly string[];
  readonly codesFull: boolean;
};

/** A call or a submit that would help. */
export type LegalMove =
  | {
      readonly type: 'observe';
      readonly obligation: string | null;
      readonly targets: readonly string[];
      readonly tool?: string;
      readonly arguments?: JsonObject;
    }
  | { readonly type: 'redo'; readonly obligation: string; readonly tool: string; readonly targets: readonly string[] }
  | { readonly type: 'check'; readonly signals: readonly string[]; readonly obligations: readonly string[] }
  | { readonly type: 'report'; readonly callId: string }
  | { readonly type: 'change' }
  | { readonly type: 'submit'; readonly claim: 'unverified' };

export type GateVerdict = {
  readonly type: 'accepted' | 'refused';
  readonly claim: string;
  /** For a refusal why; for an acceptance remarks such as codes that were never observed. */
  readonly reasons: readonly Reason[];
  readonly considered: readonly Considered[];
  readonly legalNext: readonly LegalMove[];
  /** True when a verifier's confidence, and nothing else, refused. */
  readonly downgraded: boolean;
  readonly confidence: number | null;
};

/** Facts taken from a whole answer, kept with its record so that a re-check needs no full text. */
export type ObservationFacts = {
  readonly evidence: 'positive' | 'empty' | 'error';
  readonly novelty: string;
  readonly mentions: readonly string[];
  readonly shows: readonly string[];
  readonly codes: string;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly own: PostconditionAnswer | null;
  readonly expectations: { readonly [obligation: string]: ExpectationAnswer };
};
export type ExpectationAnswer =
  | { readonly type: 'matches' | 'silent' }
  | { readonly type: 'differs'; readonly found: string };

/** An observation as a record holds it: long text cut, its facts kept. */
export type RecordedObservation = Observation & { readonly facts?: ObservationFacts };

export type Progress = {
  readonly budget: number;
  readonly cap: number;
  readonly refill: number;
  readonly budgetHeadroom: number;
  readonly turn: number;
  readonly grounded: boolean;
  readonly verified: boolean;
  readonly rejections: number;
  readonly halted: boolean;
  readonly sinceMutation: number | null;
  readonly sinceVerification: number | null;
  readonly observations: number;
  readonly open: number;
  readonly met: number;
  readonly reportedUnverified: number;
  readonly unmetSignals: readonly string[];
};

export interface SubmitGate extends Gate<GateState, GateVerdict, Claim> {
  readonly config: ResolvedConfig;
  observe(state: GateState, event: RecordedObservation): GateState;
  /** The next turn; codes of the person's message count as known. */
  beginTurn(state: GateState, message?: string): GateState;
  /** What a call does, by contract, command table and classifier. */
  effectsOf: CallClassifier;
  /** The facts that `observe` would decide on, for a record that cuts long text. */
  factsOf(state: GateState, event: RecordedObservation): ObservationFacts;
  /** Pure snapshot for display. */
  progress(state: GateState): Progress;
  /** The same state when this gate may go on with it. @throws SUBMIT_GATE_CONFIG_CHANGED, SUBMIT_GATE_STATE_INVALID */
  resume(state: unknown): GateState;
}

/** A config with every default filled in. */
export type ResolvedConfig = {
  readonly digest: Digest;
  readonly settings: GateSettings;
  readonly cap: number;
  readonly refill: number;
  readonly strict: boolean;
  readonly surface: readonly string[];
  readonly goals: readonly string[];
  readonly tools: { readonly [tool: string]: ToolContract };
  readonly classifier: { readonly name: string; readonly classify: CallClassifier } | null;
  readonly commands: readonly CommandRule[];
  readonly mappers: { readonly [name: string]: SignalMapper };
  readonly normalizers: { readonly [tool: string]: NamedNormalizer };
  readonly extractors: { readonly [tool: string]: NamedExtractor };
  readonly noveltyExempt: readonly string[];
  readonly threshold: number | null;
  readonly root: string;
  readonly caseSensitive: boolean;
  readonly limits: GateLimits;
};
