import { part } from './sink.ts';
import type { Word } from './syntax/tree.ts';

/** What an option does beyond being there. */
export type OptionAction =
  | 'none'
  | 'read'
  | 'write'
  | 'write-null'
  | 'delete'
  | 'aside'
  | 'change'
  | 'unknown'
  | 'pattern'
  | 'data'
  | 'network';

export type OptionSpec = {
  /** The first name of the group. */
  readonly name: string;
  readonly argument: 'none' | 'required' | 'optional';
  readonly action: OptionAction;
};

/** The options of a program by name with dashes; what is not listed is a flag without an argument. */
export type OptionTable = ReadonlyMap<string, OptionSpec>;

export type FoundOption = { readonly spec: OptionSpec; readonly word: Word; readonly value: Word | null };

export type ParsedArguments = {
  readonly operands: readonly Word[];
  readonly options: readonly FoundOption[];
  /** Words with an option that is in no table. */
  readonly flags: readonly Word[];
  /** The first word that may be an option which nobody knows. */
  readonly undetermined: Word | null;
  /** Where the operands begin, for wrappers. */
  readonly rest: number;
};

const tables = new Map<string, OptionTable>();

/** The table of a text, compiled with its first use; tables are data and never change. */
export function tableOf(options: string): OptionTable {
  let table = tables.get(options);
  if (table === undefined) {
    table = compileOptions(options);
    tables.set(options, table);
  }
  return table;
}

/**
 * Reads `-o,--output=:write -k,--key= -i? -v`: names separated by commas, `=` for a required and `?` for an
 * optional argument, `:` and an action.
 */
function compileOptions(text: string): OptionTable {
  const table = new Map<string, OptionSpec>();
  for (const token of text.split(' ')) {
    if (token === '') continue;
    const [names = '', action = 'none'] = token.split(':');
    const mark = names.at(-1);
    const argument = mark === '=' ? 'required' : mark === '?' ? 'optional' : 'none';
    const list = (argument === 'none' ? names : names.slice(0, -1)).split(',');
    const spec: OptionSpec = { name: list[0] ?? '', argument, action: action as OptionAction };
    for (const name of list) table.set(name, spec);
  }
  return table;
}

export type ParseStyle = {
  /** Stop at the first operand, as wrappers do. */
  readonly stops?: boolean;
};

type State = {
  readonly words: readonly Word[];
  readonly table: OptionTable;
  readonly operands: Word[];
  readonly options: FoundOption[];
  readonly flags: Word[];
  undetermined: Word | null;
};

/** Parses words as getopt_long does: bundles, attached values, unambiguous beginnings of long names, `--`. */
export function parseArguments(words: readonly Word[], table: OptionTable, style: ParseStyle = {}): ParsedArguments {
  const state: State = { words, table, operands: [], options: [], flags: [], undetermined: null };
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    if (word.text === '--') {
      state.operands.push(...words.slice(at + 1));
      at += 1;
      break;
    }
    const isOption = word.text !== null && word.text.length > 1 && word.text.startsWith('-');
    if (!isOption) {
      if (word.text === null && !word.operandOnly) state.undetermined ??= word;
      if (style.stops === true) break;
      state.operands.push(word);
      continue;
    }
    at = word.text.startsWith('--') ? longOption(state, at, word, word.text) : bundle(state, at, word, word.text);
  }
  const { operands, options, flags, undetermined } = state;
  return { operands, options, flags, undetermined, rest: at };
}

function longOption(state: State, at: number, word: Word, text: string): number {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  const spec = findLong(state.table, name);
  if (spec === undefined) {
    state.flags.push(word);
    return at;
  }
  if (equals !== -1) {
    state.options.push({ spec, word, value: part(word, text.slice(equals + 1)) });
    return at;
  }
  return spec.argument === 'required' ? takeNext(state, at, word, spec) : takeNone(state, at, word, spec);
}

/** Of several long names with the same beginning the most dangerous one counts. */
export function findLong(table: OptionTable, name: string): OptionSpec | undefined {
  const exact = table.get(name);
  if (exact !== undefined || name.length < 3) return exact;
  let best: OptionSpec | undefined;
  for (const [known, spec] of table) {
    if (known.startsWith(name) && known.startsWith('--') && (best === undefined || best.action === 'none')) best = spec;
    if (known.startsWith(name) && spec.action === 'unknown') return spec;
  }
  return best;
}

function bundle(state: State, at: number, word: Word, text: string): number {
  let listed = true;
  for (let index = 1; index < text.length; index += 1) {
    const spec = state.table.get(`-${text.charAt(index)}`);
    if (spec === undefined) {
      if (listed) state.flags.push(word);
      listed = false;
      continue;
    }
    const rest = text.slice(index + 1);
    if (spec.argument === 'none') {
      state.options.push({ spec, word, value: null });
      continue;
    }
    if (rest !== '') state.options.push({ spec, word, value: part(word, rest) });
    else if (spec.argument === 'required') return takeNext(state, at, word, spec);
    else takeNone(state, at, word, spec);
    return at;
  }
  return at;
}

function takeNone(state: State, at: number, word: Word, spec: OptionSpec): number {
  state.options.push({ spec, word, value: null });
  return at;
}

function takeNext(state: State, at: number, word: Word, spec: OptionSpec): number {
  const value = state.words[at + 1] ?? null;
  // What splits into several words gives the option only its first one; the others may be options.
  if (value?.splits === true) state.undetermined ??= value;
  state.options.push({ spec, word, value });
  return at + 1;
}

/** True if one of the named options (first names) was given. */
export function has(parsed: ParsedArguments, ...names: readonly string[]): boolean {
  return parsed.options.some(({ spec }) => names.includes(spec.name));
}

/** The value of the last of the named options; undefined where none was given. */
export function argumentOf(parsed: ParsedArguments, ...names: readonly string[]): Word | null | undefined {
  return parsed.options.findLast(({ spec }) => names.includes(spec.name))?.value;
}
