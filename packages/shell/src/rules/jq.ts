import { touch, touchAll } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { ProgramCall } from './call.ts';

/** Options that take one or two arguments. */
const ARGUMENTS: Readonly<Record<string, number>> = {
  '--arg': 2,
  '--argjson': 2,
  '--slurpfile': 2,
  '--rawfile': 2,
  '--argfile': 2,
  '--indent': 1,
  '-L': 1,
  '--library-path': 1,
};

/** The first operand is the filter unless `-f` names a file that holds it; the others are files. */
export function jq(call: ProgramCall): void {
  const { args, sink } = call;
  const operands: Word[] = [];
  let fromFile = false;
  let values = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined) break;
    const text = word.text ?? '';
    if (text === '--') {
      operands.push(...args.slice(at + 1));
      break;
    }
    const taken = ARGUMENTS[text];
    if (taken !== undefined) {
      const file = text.endsWith('file') ? args[at + 2] : undefined;
      if (file !== undefined) touch(sink, 'optionReads', file);
      at += taken;
    } else if (text === '--args' || text === '--jsonargs') {
      values = true;
    } else if (text === '--from-file' || /^-[a-zA-Z]*f[a-zA-Z]*$/.test(text)) {
      fromFile = true;
    } else if (!text.startsWith('-') && !(values && operands.length > 0)) {
      operands.push(word);
    }
  }
  const [filter, ...rest] = operands;
  if (fromFile && filter !== undefined) touch(sink, 'optionReads', filter);
  touchAll(sink, 'reads', rest);
}
