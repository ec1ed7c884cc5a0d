/** Where something stands in the analysed text, in UTF-16 units. */
export type Span = { readonly start: number; readonly end: number };

export type ShellClass = 'read' | 'write' | 'unknown';

/** Why a line, or a command of it, cannot be known beforehand. */
export type UnknownCode =
  | 'syntax-error'
  | 'input-too-long'
  | 'too-deep'
  | 'foreign-shell'
  | 'unknown-program'
  | 'dynamic-program'
  | 'local-program'
  | 'runs-code'
  | 'script'
  | 'dynamic-script'
  | 'wrapper-option'
  | 'undetermined-option'
  | 'unknown-option'
  | 'unknown-subcommand'
  | 'sensitive-variable'
  | 'arithmetic'
  | 'indirect-expansion'
  | 'prompt-expansion'
  | 'test-variable'
  | 'subscript'
  | 'package-code'
  | 'container-image';

/** One reason for `unknown`, with the word that causes it. */
export type Unknown = { readonly code: UnknownCode; readonly span: Span; readonly word: string | null };

/** A file that a command touches. */
export type PathEffect = {
  /** As written after quote removal; null where it cannot be determined. */
  readonly path: string | null;
  /**
   * Absolute and normalised by text (links are not followed). Empty where it cannot be resolved;
   * several where an earlier `cd` may have failed.
   */
  readonly resolved: readonly string[];
  readonly span: Span;
};

export type TargetKind = 'reads' | 'writes' | 'deletes';

/** A word of a command and where it stands. */
export type CommandWord = { readonly text: string | null; readonly span: Span };

/** One simple command that would run, wrappers removed. */
export type AnalysedCommand = {
  readonly argv: readonly (string | null)[];
  readonly words: readonly CommandWord[];
  /** Base names of the wrappers in front, outermost first. */
  readonly wrappers: readonly string[];
  readonly viaSubstitution: boolean;
  /** It runs on another machine or below another root: its paths are not listed. */
  readonly remote: boolean;
  readonly class: ShellClass;
  /** It changes something that no path names: a process, a setting, what a server keeps. */
  readonly changesState: boolean;
  readonly network: boolean;
  readonly reads: readonly PathEffect[];
  readonly writes: readonly PathEffect[];
  readonly deletes: readonly PathEffect[];
  readonly unknowns: readonly Unknown[];
};

/** What a command line would do, as far as its text tells. */
export type Analysis = {
  readonly source: string;
  readonly parse: 'ok' | 'error';
  readonly problems: readonly { readonly message: string; readonly span: Span }[];
  readonly commands: readonly AnalysedCommand[];
  readonly writes: readonly PathEffect[];
  readonly deletes: readonly PathEffect[];
  readonly reads: readonly PathEffect[];
  /** Files that options name and the listed reads leave out (`grep -f FILE`, `curl -d @FILE`). */
  readonly optionReads: readonly PathEffect[];
  /** Kinds of targets that exist but cannot be named, such as the files that `git checkout` rewrites. */
  readonly unnamed: readonly TargetKind[];
  readonly network: 'yes' | 'no' | 'unknown';
  /** True if any word or listed path is not known. */
  readonly dynamic: boolean;
  readonly class: ShellClass;
  readonly unknowns: readonly Unknown[];
};
