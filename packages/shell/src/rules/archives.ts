import {
  argumentOf,
  type FoundOption,
  findLong,
  has,
  type ParsedArguments,
  parseArguments,
  tableOf,
} from '../options.ts';
import { change, part, touch, touchAll, touchUnnamed, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { type ProgramCall, parse } from './call.ts';
import { applyOption, here } from './operands.ts';

/** `gzip` and its relatives replace their operands. */
export function compress(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parse(call);
  const { operands } = parsed;
  const [first] = operands;
  if (first === undefined) return;
  if (has(parsed, '-c', '-l', '-t')) {
    touchAll(sink, 'optionReads', operands);
    return;
  }
  if (has(parsed, '-k')) touchAll(sink, 'optionReads', operands);
  else touchAll(sink, 'deletes', operands);
  touchUnnamed(sink, 'writes', first);
}

export function patch(call: ProgramCall): void {
  if (!has(parse(call), '--dry-run')) touchUnnamed(call.sink, 'writes', call.own);
}

const TAR =
  '-f,--file=:data -C,--directory= -b,--blocking-factor= -T,--files-from=:aside -X,--exclude-from=:aside -N,--newer,--after-date= ' +
  '-g,--listed-incremental=:write -K,--starting-file= -L,--tape-length= -V,--label= -H,--format= ' +
  '-F,--info-script,--new-volume-script=:unknown -I,--use-compress-program=:unknown --to-command=:unknown ' +
  '--checkpoint-action=:unknown --rsh-command=:unknown --rmt-command=:unknown --exclude= --transform,--xform= ' +
  '--strip-components= --owner= --group= --mode= --mtime= --newer-mtime= --suffix= --index-file=:write --volno-file=:write ' +
  '--sort= --warning= --pax-option= --record-size= --level= --owner-map=:aside --group-map=:aside --checkpoint? --one-top-level? ' +
  '--add-file= --occurrence? --quoting-style= --hole-detection= --exclude-tag= --exclude-tag-all= --exclude-tag-under= ' +
  '--exclude-ignore= -c,--create -r,--append -u,--update -x,--extract,--get -t,--list -A,--catenate,--concatenate ' +
  '-d,--diff,--compare --delete --remove-files -O,--to-stdout -k,--keep-old-files -z,--gzip -j,--bzip2 -J,--xz -v,--verbose';
const MODES = ['-c', '-r', '-u', '-x', '-t'];

export function tar(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parseArguments(withoutOldStyle(call.args), tableOf(TAR));
  if (parsed.undetermined !== null) unknown(sink, 'undetermined-option', parsed.undetermined);
  for (const option of parsed.options) if (option.spec.action !== 'data') applyOption(call, option);
  const mode = parsed.options.find(({ spec }) => MODES.includes(spec.name))?.spec.name;
  const archive = argumentOf(parsed, '-f');
  if (archive?.text != null && /^[^/]+:/.test(archive.text)) unknown(sink, 'unknown-option', archive);
  if (mode === undefined || has(parsed, '-A', '-d', '--delete')) {
    unknown(sink, 'unknown-subcommand', call.args[0] ?? call.own);
    return;
  }
  if (mode === '-t' || mode === '-x') {
    if (archive != null) touch(sink, 'reads', archive);
    if (mode === '-x') touch(sink, 'writes', argumentOf(parsed, '-C') ?? here(call.own));
    return;
  }
  if (archive != null) touch(sink, 'writes', archive);
  addMembers(call, parsed);
}

/** After `-C` the operands belong to another directory, whose name the line gives apart from them. */
function addMembers(call: ProgramCall, parsed: ParsedArguments): void {
  const { sink } = call;
  const moved = has(parsed, '-C');
  for (const operand of parsed.operands) {
    const relative = moved && operand.text?.startsWith('/') === false;
    const target = relative ? { ...sink, place: { ...sink.place, directories: null } } : sink;
    touch(target, 'reads', operand);
    if (has(parsed, '--remove-files')) touch(target, 'deletes', operand);
  }
  if (has(parsed, '--remove-files')) change(sink, 'deletes');
}

/** `tar xzf a.tgz`: letters without a dash, their arguments follow in the order of the letters. */
function withoutOldStyle(args: readonly Word[]): readonly Word[] {
  const [first, ...rest] = args;
  if (first?.text == null || first.text.startsWith('-') || !/^[A-Za-z]+$/.test(first.text)) return args;
  const table = tableOf(TAR);
  const words: Word[] = [];
  let next = 0;
  for (const letter of first.text) {
    const option = part(first, `-${letter}`);
    words.push(option);
    if (findLong(table, `-${letter}`)?.argument !== 'required') continue;
    const value = rest[next];
    next += 1;
    if (value !== undefined) words.push(value);
  }
  return [...words, ...rest.slice(next)];
}

const ZIP =
  '-b= -n= -P= -t= -tt= -O,--out=:write -s= -i= -m,--move -T,--test:unknown --unzip-command=:unknown -x,--exclude:data';

export function zip(call: ProgramCall): void {
  const { sink } = call;
  const [kept, excluded] = splitExcluded(call.args);
  const parsed = parseArguments(kept, tableOf(ZIP));
  for (const option of [...parsed.options, ...excluded]) if (option.spec.action !== 'data') applyOption(call, option);
  const [archive, ...members] = parsed.operands;
  if (archive === undefined) {
    change(sink);
    return;
  }
  touch(sink, 'writes', archive);
  touchAll(sink, 'reads', members);
  if (has(parsed, '-m')) touchAll(sink, 'deletes', members);
  if (parsed.undetermined !== null) change(sink, 'writes', 'deletes');
}

/** The words after `-x` are patterns up to the next option or `@`. */
function splitExcluded(args: readonly Word[]): readonly [readonly Word[], readonly FoundOption[]] {
  const kept: Word[] = [];
  let skipping = false;
  for (const word of args) {
    const text = word.text ?? '';
    if (text === '-x' || text === '--exclude' || text === '-i' || text === '--include') skipping = true;
    else if (text === '@') skipping = false;
    else if (text.startsWith('-') && text.length > 1) {
      skipping = false;
      kept.push(word);
    } else if (!skipping) kept.push(word);
  }
  return [kept, []];
}

export function unzip(call: ProgramCall): void {
  const { sink } = call;
  const [kept] = splitExcluded(call.args);
  const parsed = parseArguments(kept, tableOf('-d= -P= -I= -O= -l -t -p -Z'));
  if (parsed.undetermined !== null) unknown(sink, 'undetermined-option', parsed.undetermined);
  const [archive] = parsed.operands;
  if (archive !== undefined) touch(sink, 'reads', archive);
  if (has(parsed, '-l', '-t', '-p', '-Z')) return;
  touch(sink, 'writes', argumentOf(parsed, '-d') ?? here(call.own));
}
