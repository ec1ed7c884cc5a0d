import { has } from '../options.ts';
import { change, touch, touchAll, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { type ProgramCall, parse } from './call.ts';
import { copyOrMove } from './operands.ts';

/** `install -d` makes directories of all operands. */
export function install(call: ProgramCall): void {
  const parsed = parse(call);
  if (parsed.operands.length === 0) change(call.sink);
  if (has(parsed, '-d')) touchAll(call.sink, 'writes', parsed.operands);
  else copyOrMove(call, 'copy', parsed);
}

const SYMBOLIC_MODE = /^-[rwxXstugo]+$/;

/** `chmod -x file`: the mode may look like an option. */
export function mode(call: ProgramCall): void {
  const { name, args, sink } = call;
  const end = args.findIndex(({ text }) => text === '--');
  const at = args.findIndex(
    ({ text }, index) => name === 'chmod' && SYMBOLIC_MODE.test(text ?? '') && (end === -1 || index < end),
  );
  const parsed = parse(at === -1 ? call : { ...call, args: args.filter((_, index) => index !== at) });
  const files = at !== -1 || has(parsed, '--reference') ? parsed.operands : parsed.operands.slice(1);
  touchAll(sink, 'writes', files);
  if (files.length === 0 || parsed.undetermined !== null)
    change(sink, ...(files.length === 0 ? [] : (['writes'] as const)));
}

export function shred(call: ProgramCall): void {
  const parsed = parse(call);
  if (has(parsed, '-u')) touchAll(call.sink, 'deletes', parsed.operands);
}

/** `dd` has no options, only `NAME=value` operands. */
export function dd(call: ProgramCall): void {
  for (const word of call.args) {
    const { lead } = word;
    if (word.text === null && !word.operandOnly) unknown(call.sink, 'undetermined-option', word);
    else if (lead.startsWith('if=')) touch(call.sink, 'reads', valueAfter(word, 3));
    else if (lead.startsWith('of=')) touch(call.sink, 'writes', valueAfter(word, 3));
    else if (word.text === null && !/^[a-z]+=/.test(lead)) unknown(call.sink, 'undetermined-option', word);
  }
}

/** Outside of POSIX mode bash expands a tilde after `NAME=`. */
function valueAfter(word: Word, length: number): Word {
  const text = word.text?.slice(length) ?? null;
  return {
    ...word,
    text,
    lead: word.lead.slice(length),
    tilde: text?.startsWith('~') === true ? 'maybe' : 'no',
    inner: [],
  };
}

/** `uniq IN OUT`. */
export function secondOperand(call: ProgramCall): void {
  const { operands, undetermined } = parse(call);
  const [input, output] = operands;
  if (input !== undefined) touch(call.sink, 'reads', input);
  if (output === undefined) return;
  touch(call.sink, 'writes', output);
  if (undetermined !== null) unknown(call.sink, 'undetermined-option', undetermined);
}

/** An operand that is no format sets the clock. */
export function date(call: ProgramCall): void {
  const { operands } = parse(call);
  if (operands.some(({ text }) => text !== null && !text.startsWith('+'))) change(call.sink);
}

/** `less +COMMAND` runs commands of the pager, some of which run programs. */
export function pager(call: ProgramCall): void {
  for (const word of call.args) {
    if (/^\+(?!(?:\+?(?:\d*|G|F|\/.*))$)/.test(word.lead)) unknown(call.sink, 'runs-code', word);
  }
}
