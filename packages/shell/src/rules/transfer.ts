import { type FoundOption, has, type ParsedArguments, parseArguments, tableOf } from '../options.ts';
import { change, touch, touchAll, touchUnnamed, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import type { ProgramCall } from './call.ts';
import { applyOption } from './operands.ts';
import { CURL, RSYNC, SCP, WGET } from './transfer-options.ts';

const SAFE_METHODS = new Set(['GET', 'HEAD']);

function isSafeMethod(value: Word | null): boolean {
  return value?.text != null && SAFE_METHODS.has(value.text.toUpperCase());
}

function parseStrictly(call: ProgramCall, options: string): ParsedArguments {
  const parsed = parseArguments(call.args, tableOf(options));
  if (parsed.undetermined !== null) unknown(call.sink, 'undetermined-option', parsed.undetermined);
  return parsed;
}

export function curl(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parseStrictly(call, CURL);
  const asQuery = has(parsed, '-G');
  for (const option of parsed.options) {
    const { spec, value } = option;
    if (spec.name === '-X') {
      if (!isSafeMethod(value)) change(sink);
    } else if (spec.action === 'data') {
      if (!asQuery) change(sink);
      uploads(call, option);
    } else if (spec.name === '-o' && has(parsed, '--output-dir')) {
      sink.unnamed.push('writes');
      applyOption({ ...call, sink: { ...sink, place: { ...sink.place, directories: null } } }, option);
      sink.changes = true;
    } else applyOption(call, option);
  }
}

/** `-d @FILE`, `-F name=@FILE` and `-T FILE` send a file. */
function uploads(call: ProgramCall, { spec, value }: FoundOption): void {
  if (value === null) return;
  const at = spec.name === '-T' ? 0 : /^(?:[^=@]*=)?[@<]/.exec(value.lead)?.[0].length;
  if (at === undefined) return;
  const text = value.text === null ? null : value.text.slice(at).replace(/;type=.*$/s, '');
  touch(call.sink, 'optionReads', {
    ...value,
    text,
    lead: text ?? '',
    tilde: text?.startsWith('~') === true ? 'maybe' : 'no',
  });
}

export function wget(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parseStrictly(call, WGET);
  for (const option of parsed.options) {
    if (option.spec.name === '--method') {
      if (!isSafeMethod(option.value)) change(sink);
    } else applyOption(call, option);
  }
  const output = parsed.options.findLast(({ spec }) => spec.name === '-O')?.value;
  if (output === undefined && !has(parsed, '--spider')) touchUnnamed(sink, 'writes', call.own);
}

const REMOTE = /^(?:[^/]*:|[a-z]+:\/\/)/;

function isRemote(word: Word): boolean {
  return REMOTE.test(word.lead);
}

function toDestination(
  call: ProgramCall,
  operands: readonly Word[],
): { sources: readonly Word[]; target: Word | undefined } {
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (operands.some(isRemote)) call.sink.network = true;
  return { sources: sources.filter((word) => !isRemote(word)), target };
}

export function rsync(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parseStrictly(call, RSYNC);
  for (const option of parsed.options) if (option.spec.action !== 'data') applyOption(call, option);
  const { sources, target } = toDestination(call, parsed.operands);
  touchAll(sink, 'reads', sources);
  if (has(parsed, '-n')) {
    if (target !== undefined && !isRemote(target) && parsed.operands.length === 1) touch(sink, 'reads', target);
    return;
  }
  change(sink);
  if (has(parsed, '--remove-source-files')) touchAll(sink, 'deletes', sources);
  if (target === undefined || isRemote(target)) return;
  touch(sink, 'writes', target);
  if (parsed.options.some(({ spec }) => spec.name === '--delete')) touch(sink, 'deletes', target);
}

export function scp(call: ProgramCall): void {
  const { sink } = call;
  const parsed = parseStrictly(call, SCP);
  for (const option of parsed.options) applyOption(call, option);
  const { sources, target } = toDestination(call, parsed.operands);
  sink.network = true;
  change(sink);
  touchAll(sink, 'reads', sources);
  if (target !== undefined && !isRemote(target)) touch(sink, 'writes', target);
}
