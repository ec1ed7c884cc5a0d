/** A word of a command after quote removal; `text` is null where it is not known before the line runs. */
export type Word = {
  readonly text: string | null;
  readonly pos: number;
  readonly end: number;
  /** The literal text before the first unknown piece; the whole text of a literal word. */
  readonly lead: string;
  /** Of an unknown word: it starts with literal text other than `-` and stays one word, so it is no option. */
  readonly operandOnly: boolean;
  /** Of an unknown word: the shell may make several words of it, or none. */
  readonly splits: boolean;
  /** Whether the shell replaces a leading tilde; `maybe` where it depends on the program. */
  readonly tilde: 'yes' | 'no' | 'maybe';
  /** The scripts of its substitutions, in source order. */
  readonly inner: readonly Script[];
  /** An assignment given to `export`, `declare` and the like. */
  readonly assignment?: true;
};

export type Assignment = {
  readonly name: string;
  /** Null for an array. */
  readonly value: Word | null;
  readonly pos: number;
  readonly end: number;
  readonly inner: readonly Script[];
};

export type Redirect = {
  readonly kind: 'write' | 'read' | 'both' | 'duplicate' | 'here';
  /** The file descriptor it is about; null for a variable. */
  readonly descriptor: number | null;
  readonly target: Word | null;
  /** The literal text of a here-document or here-string; null where it holds expansions. */
  readonly body: string | null;
  readonly bodyPos: number;
  readonly pos: number;
  readonly end: number;
  readonly inner: readonly Script[];
};

export type SimpleCommand = {
  readonly type: 'simple';
  readonly words: readonly Word[];
  readonly assignments: readonly Assignment[];
  readonly redirects: readonly Redirect[];
  /** The scripts of all its substitutions, in source order. */
  readonly inner: readonly Script[];
  readonly pos: number;
  readonly end: number;
};

export type Node =
  | SimpleCommand
  | { readonly type: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly type: 'background'; readonly node: Node }
  | { readonly type: 'and-or'; readonly nodes: readonly Node[]; readonly operators: readonly ('&&' | '||')[] }
  | { readonly type: 'pipeline'; readonly timed: boolean; readonly nodes: readonly Node[] }
  | { readonly type: 'group'; readonly subshell: boolean; readonly body: Node }
  | { readonly type: 'redirected'; readonly node: Node; readonly redirects: readonly Redirect[] }
  | { readonly type: 'choice'; readonly branches: readonly (readonly Node[])[]; readonly complete: boolean }
  | { readonly type: 'loop'; readonly body: readonly Node[]; readonly text: string }
  | { readonly type: 'function'; readonly name: string; readonly body: Node; readonly text: string }
  | { readonly type: 'coproc'; readonly body: Node }
  | { readonly type: 'expressions'; readonly inner: readonly Script[] };

/** One parsed text: a whole line, a substitution, or a script given as literal text. */
export type Script = { readonly node: Node };

/** Something in the words themselves that makes a line unknown, whatever the programs are. */
export type Hazard = { readonly code: HazardCode; readonly pos: number; readonly end: number };
export type HazardCode = 'indirect-expansion' | 'prompt-expansion' | 'test-variable' | 'sensitive-variable';

/** A place whose text bash evaluates as arithmetic. */
export type ArithmeticPlace = {
  readonly text: string;
  readonly pos: number;
  readonly end: number;
};

/** Whether a name is always given integers, and where that first happens. */
export type NameUse = { readonly kind: 'integer' | 'other'; readonly pos: number };

/** What reading a text gave: the tree, and what was noticed on the way. */
export type Reading = {
  readonly script: Script;
  readonly problems: readonly { readonly message: string; readonly pos: number }[];
  readonly hazards: readonly Hazard[];
  readonly places: readonly ArithmeticPlace[];
  /** Names that get a value. */
  readonly names: ReadonlyMap<string, NameUse>;
};
