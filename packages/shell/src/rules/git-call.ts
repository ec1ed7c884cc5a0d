import { part, touch, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { ProgramCall } from './call.ts';

/** A git call split at its subcommand. */
export type GitCall = {
  readonly call: ProgramCall;
  readonly subcommand: Word;
  readonly args: readonly Word[];
  /** True if `-C` or its relatives move git to another directory. */
  readonly elsewhere: boolean;
};

/** A word that may be an option which nobody knows makes the call unknown. */
export function undetermined(git: GitCall): void {
  for (const word of git.args) {
    if (word.text === '--') return;
    if (word.text !== null || word.operandOnly) continue;
    unknown(git.call.sink, 'undetermined-option', word);
    return;
  }
}

/** `-O` in a bundle, unless a letter before it takes the rest for its value. */
const GREP_PAGER = /^-[^-efABCmO]*O/;
const READ_UNKNOWN = ['--ext-diff', '--textconv', '--filters', '--open-files-in-pager'];

/** Subcommands that only read, unless told to run a program or to write their output to a file. */
export function readOnly(git: GitCall, subcommand: string): void {
  const { args, call, elsewhere } = git;
  const { sink } = call;
  undetermined(git);
  let at = -1;
  for (const word of args) {
    at += 1;
    const { text } = word;
    if (text === '--') break;
    if (text === null || !text.startsWith('-')) continue;
    const name = text.includes('=') ? text.slice(0, text.indexOf('=')) : text;
    if (name.length > 3 && READ_UNKNOWN.some((option) => option.startsWith(name)))
      unknown(sink, 'unknown-option', word);
    if (subcommand === 'grep' && GREP_PAGER.test(text)) {
      unknown(sink, 'unknown-option', word);
    }
    if (!'--output'.startsWith(name) || name.length < 5) continue;
    const target = name === text ? args[at + 1] : part(word, text.slice(name.length + 1));
    const place = elsewhere ? { ...sink.place, directories: null } : sink.place;
    if (target !== undefined) touch({ ...sink, place }, 'writes', target);
    sink.changes = true;
  }
}
