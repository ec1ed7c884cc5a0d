import { touch, touchAll, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { unknownWord } from '../syntax/words.ts';
import type { ProgramCall } from './call.ts';
import { here } from './operands.ts';

const FLAGS = new Set(
  (
    '( ) ! , -a -and -o -or -not -true -false -empty -executable -readable -writable -nogroup -nouser -daystart -depth -d ' +
    '-mount -xdev -follow -noleaf -ignore_readdir_race -noignore_readdir_race -warn -nowarn -print -print0 -prune -quit ' +
    '-ls -help --help -version --version -delete -nocase -x -X -s -E'
  ).split(' '),
);
const VALUES = new Set(
  (
    '-amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links ' +
    '-lname -mmin -mtime -name -newer -path -perm -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype ' +
    '-context -maxdepth -mindepth -printf -files0-from -newerXY -Bmin -Btime -mnewer -flags'
  ).split(' '),
);
const OUTPUTS = new Set(['-fprint', '-fprint0', '-fls']);
const EXECUTORS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** `find PATH… EXPRESSION`: reads the paths; actions delete, write and run. */
export function find(call: ProgramCall): void {
  const { args } = call;
  let at = leadingOptions(args);
  const starts: Word[] = [];
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined || isExpression(word)) break;
    if (word.text === null && !word.operandOnly) unknown(call.sink, 'undetermined-option', word);
    starts.push(word);
  }
  const paths = starts.length > 0 ? starts : [here(call.own)];
  touchAll(call.sink, starts.length > 0 ? 'reads' : 'optionReads', paths);
  while (at < args.length) at = term(call, at, paths);
}

function isExpression(word: Word): boolean {
  return word.text !== null && (/^-./.test(word.text) || ['(', ')', '!', ','].includes(word.text));
}

function leadingOptions(args: readonly Word[]): number {
  let at = 0;
  for (; at < args.length; at += 1) {
    const text = args[at]?.text;
    if (text === '-D') at += 1;
    else if (text == null || !/^(?:-[HLPEXdsx]+|-O\d*|--)$/.test(text)) break;
  }
  return at;
}

/** One term of the expression; returns where the next one begins. */
function term(call: ProgramCall, at: number, paths: readonly Word[]): number {
  const { args, sink } = call;
  const word = args[at];
  const value = args[at + 1];
  if (word === undefined) return at + 1;
  const { text } = word;
  if (text === null) {
    unknown(sink, 'undetermined-option', word);
    return at + 1;
  }
  if (EXECUTORS.has(text)) return execute(call, at);
  if (text === '-delete') touchAll(sink, 'deletes', paths);
  if (OUTPUTS.has(text) || text === '-fprintf') {
    if (value !== undefined) touch(sink, 'writes', value);
    checkSplit(call, value);
    return at + (text === '-fprintf' ? 3 : 2);
  }
  if (VALUES.has(text) || /^-newer[aBcm][aBcmt]$/.test(text)) {
    checkSplit(call, value);
    return at + 2;
  }
  if (!FLAGS.has(text)) unknown(sink, 'unknown-option', word);
  return at + 1;
}

/** What becomes several words may continue the expression. */
function checkSplit(call: ProgramCall, value: Word | undefined): void {
  if (value?.splits === true) unknown(call.sink, 'undetermined-option', value);
}

function execute(call: ProgramCall, at: number): number {
  const { args, sink } = call;
  const executor = args[at]?.text ?? '';
  const words: Word[] = [];
  let next = at + 1;
  for (; next < args.length; next += 1) {
    const word = args[next];
    if (word === undefined || word.text === ';') break;
    if (word.text === '+' && args[next - 1]?.text === '{}') break;
    if (word.text === null && word.splits) unknown(sink, 'undetermined-option', word);
    words.push(word.text?.includes('{}') === true ? found(word) : word);
  }
  const [first] = words;
  if (first === undefined) unknown(sink, 'dynamic-program', args[at] ?? call.own);
  else call.starts.push({ label: 'find', words, ...(executor.endsWith('dir') ? { directory: null } : {}) });
  return next + 1;
}

/** A found path is no option: it begins with its start path. */
function found(word: Word): Word {
  return { ...unknownWord(word.pos, word.end, word.lead.slice(0, word.lead.indexOf('{}')), true), inner: word.inner };
}
