import type { RuleName } from '../rules/names.ts';

/** What the operands of a program are to it. */
export type OperandKind =
  | 'ignored'
  | 'reads'
  | 'writes'
  | 'deletes'
  /** The first one is a pattern unless an option gives it, the others are reads. */
  | 'pattern'
  /** The last one is written, or the directory of `-t`; the others are reads. */
  | 'copy'
  /** As `copy`, and the others are deleted. */
  | 'move'
  /** Only the last one counts: it is written. */
  | 'link'
  /** Writes somewhere that the line does not name. */
  | 'somewhere'
  /** Any operand changes something; without operands nothing does. */
  | 'change';

/** One entry of the program table: plain data, the same shape that people may give in a file of their own. */
export type ProgramSpec = {
  /** Names separated by blanks. */
  readonly names: string;
  /** `write` changes something whatever the operands are; `unknown` ends the analysis. */
  readonly class: 'read' | 'write' | 'unknown';
  /** @default 'ignored' */
  readonly operands?: OperandKind;
  /** Options with an argument or an effect: `-o,--output=:write -k,--key= -i?`. */
  readonly options?: string;
  /** A word that may be an option which nobody knows makes the call unknown. @default false */
  readonly strict?: boolean;
  /** It surely uses the network. @default false */
  readonly network?: boolean;
  /** Entries by the first operand; any other one is unknown. */
  readonly subcommands?: Readonly<Record<string, SubcommandSpec>>;
  /** Code that judges what data cannot say; only the built-in table has it. */
  readonly rule?: RuleName;
  /** Set for entries of a person's own. */
  readonly taught?: true;
};

/** What one subcommand of a program does. */
export type SubcommandSpec = Omit<ProgramSpec, 'names' | 'rule' | 'subcommands' | 'taught'>;
