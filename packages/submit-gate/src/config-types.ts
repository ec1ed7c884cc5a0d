import type { CallClassifier, Digest, Json, JsonObject } from '@warrant/core';

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
  /** `refuse`: who says that tests, types or lint pass needs the fresh signal of that check, where the gate knows such checks. @default refuse */
  readonly claimedSignals: 'refuse' | 'ignore';
  /** `refuse`: while a check that failed after a change has not passed since, nothing is complete. @default allow */
  readonly failedChecks: 'allow' | 'refuse';
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
