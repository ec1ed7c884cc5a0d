import { argumentOf, type FoundOption, type ParsedArguments } from '../options.ts';
import { change, touch, touchAll, touchUnnamed, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { OperandKind } from '../table/spec.ts';
import type { ProgramCall } from './call.ts';

/** What an option does by itself. */
export function applyOption(call: ProgramCall, { spec, word, value }: FoundOption): void {
  const { sink } = call;
  const target = value ?? { ...word, text: null };
  switch (spec.action) {
    case 'read':
      touch(sink, 'reads', target);
      return;
    case 'write':
      touch(sink, 'writes', target);
      return;
    case 'write-null':
      touchUnnamed(sink, 'writes', word);
      return;
    case 'delete':
      change(sink);
      return;
    case 'aside':
      touch(sink, 'optionReads', target);
      return;
    case 'change':
      change(sink);
      return;
    case 'network':
      sink.network = true;
      return;
    case 'unknown':
      unknown(sink, 'unknown-option', word);
      return;
    case 'pattern':
      if (spec.name === '-f' && value !== null) touch(sink, 'optionReads', value);
      return;
    default:
  }
}

/** What the operands are to the program. */
export function applyOperands(call: ProgramCall, kind: OperandKind, parsed: ParsedArguments): void {
  const { sink } = call;
  const { operands } = parsed;
  switch (kind) {
    case 'reads':
    case 'writes':
    case 'deletes':
      touchAll(sink, kind, operands);
      return;
    case 'pattern': {
      const given = parsed.options.some(({ spec }) => spec.action === 'pattern');
      touchAll(sink, 'reads', given ? operands : operands.slice(1));
      return;
    }
    case 'copy':
    case 'move':
      copyOrMove(call, kind, parsed);
      return;
    case 'link': {
      const directory = argumentOf(parsed, '-t');
      const last = operands.at(-1);
      if (directory != null) touch(sink, 'writes', directory);
      else if (operands.length === 1 && last !== undefined) touch(sink, 'writes', here(last));
      else if (last !== undefined) touch(sink, 'writes', last);
      return;
    }
    case 'somewhere':
      touchUnnamed(sink, 'writes', call.own);
      return;
    case 'change':
      if (operands.length > 0) change(sink);
      return;
    case 'ignored':
      return;
  }
}

/** The working directory as a target, pointing at the word that implies it. */
export function here(word: Word): Word {
  return { ...word, text: '.', lead: '.', tilde: 'no' };
}

/** The last operand, or the directory of `-t`, is written; `cp a b` and its relatives. */
export function copyOrMove(call: ProgramCall, kind: 'copy' | 'move', parsed: ParsedArguments): void {
  const { sink } = call;
  const directory = argumentOf(parsed, '-t');
  const target = directory ?? parsed.operands.at(-1);
  const sources = directory == null ? parsed.operands.slice(0, -1) : parsed.operands;
  if (target !== undefined) touch(sink, 'writes', target);
  touchAll(sink, 'reads', sources);
  if (kind === 'move') touchAll(sink, 'deletes', sources);
}
