import { argumentOf, has, parseArguments, tableOf } from '../options.ts';
import { touch, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { literal, unknownWord } from '../syntax/words.ts';
import { joined, joinText, ORDINARY, opaque, type Unwrapped, unclear, type WrapperCall } from './outcome.ts';

/** Stands in a script for a value that only the run knows; no text of a line may hold it. */
const PLACEHOLDER = '\uFDD0';

const XARGS =
  '-n,--max-args= -P,--max-procs= -I= --replace? -i? -L= --max-lines? -l? -s,--max-chars= -d,--delimiter= ' +
  '-a,--arg-file=:read -E= -e? --eof? -0,--null -r,--no-run-if-empty -t,--verbose -p,--interactive -x,--exit ' +
  '-o,--open-tty --show-limits --process-slot-var=';

export function xargs(call: WrapperCall): Unwrapped {
  const parsed = parseArguments(call.args, tableOf(XARGS), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque('xargs', cause);
  const file = argumentOf(parsed, '-a');
  if (file != null) touch(call.sink, 'reads', file);
  const [own] = call.words;
  const last = call.args.at(-1) ?? own;
  if (own === undefined || last === undefined) return ORDINARY;
  const given = call.args.slice(parsed.rest);
  const words = given.length > 0 ? given : [literal('echo', own.pos, own.end, 'no')];
  const replace = replacement(parsed.options.findLast(({ spec }) => ['-I', '--replace', '-i'].includes(spec.name)));
  if (replace === null) {
    return {
      type: 'words',
      label: 'xargs',
      words: [...words, unknownWord(last.end, last.end, '', false)],
      keepsInput: false,
    };
  }
  if (replace.text === null) return opaque('xargs', replace);
  const mark = replace.text;
  return { type: 'words', label: 'xargs', words: words.map((word) => filled(word, mark)), keepsInput: false };
}

function replacement(option: { readonly value: Word | null; readonly word: Word } | undefined): Word | null {
  if (option === undefined) return null;
  return option.value ?? literal('{}', option.word.pos, option.word.end, 'no');
}

/** One input line takes the place of the mark: still one word. */
function filled(word: Word, mark: string): Word {
  if (word.text === null || mark === '' || !word.text.includes(mark)) return word;
  const lead = word.text.slice(0, word.text.indexOf(mark));
  const operandOnly = lead !== '' && !lead.startsWith('-');
  return { ...unknownWord(word.pos, word.end, lead, operandOnly), splits: false, inner: word.inner };
}

const PARALLEL =
  '-j,-P,--jobs,--max-procs= -k,--keep-order -0,--null -a,--arg-file= -n,--max-args= -N,--max-replace-args= -I= ' +
  '-X,--xargs -m -t,--verbose -v --bar --eta --progress --dry-run,--dryrun --halt= --halt-on-error= --delay= --timeout= ' +
  '--retries= --tag --line-buffer,--linebuffer,--lb --group -u,--ungroup -r,--no-run-if-empty -d,--delimiter= ' +
  '-C,--colsep= --will-cite --no-notice -L,--max-lines= -s,--max-chars= -x,--exit --nice= --load= --memfree= --shuf --plus --header=';
const PLACEHOLDERS = /\{=.*?=\}|\{(?:[+-]?\d*(?:\.|\/|\/\/|\/\.)?|[#%])\}/gs;
const SOURCES = new Set([':::', '::::', ':::+', '::::+']);

export function parallel(call: WrapperCall): Unwrapped {
  const parsed = parseArguments(call.args, tableOf(PARALLEL), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque('parallel', cause);
  const rest = call.args.slice(parsed.rest);
  const stop = rest.findIndex(({ text }) => text !== null && SOURCES.has(text));
  const words = stop === -1 ? rest : rest.slice(0, stop);
  const text = joinText(words);
  const [first] = words;
  if (first === undefined) return ORDINARY;
  const mark = argumentOf(parsed, '-I')?.text ?? '{}';
  if (text === null) return opaque('parallel', words.find((word) => word.text === null) ?? first, 'dynamic-script');
  if (text.includes(PLACEHOLDER)) return opaque('parallel', first, 'dynamic-script');
  // `{= … =}` holds Perl code.
  if (text.includes('{=')) unknown(call.sink, 'runs-code', first);
  const marked = text.replaceAll(PLACEHOLDERS, PLACEHOLDER).replaceAll(mark, PLACEHOLDER);
  const script = marked.includes(PLACEHOLDER) ? marked : `${marked} ${PLACEHOLDER}`;
  return { type: 'script', label: 'parallel', script: { text: script, from: words, placeholder: PLACEHOLDER } };
}

const WATCH =
  '-n,--interval= -d --differences? -t,--no-title -b,--beep -e,--errexit -g,--chgexit -c,--color -x,--exec ' +
  '-p,--precise -w,--no-wrap -C,--no-color -q,--equexit= -r,--no-rerun';

export function watch(call: WrapperCall): Unwrapped {
  const parsed = parseArguments(call.args, tableOf(WATCH), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque('watch', cause);
  const words = call.args.slice(parsed.rest);
  if (words.length === 0) return ORDINARY;
  return has(parsed, '-x') ? { type: 'words', label: 'watch', words } : joined('watch', words);
}

const SSH =
  '-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y -B= -b= -c= -D= -E=:write -e= -F=:unknown ' +
  '-I=:unknown -i= -J= -L= -l= -m= -O= -o=:data -P= -p= -Q= -R= -S= -W= -w=';
const HARMLESS_SSH = new Set(
  'stricthostkeychecking connecttimeout batchmode userknownhostsfile loglevel port user identityfile serveraliveinterval'.split(
    ' ',
  ),
);

export function ssh(call: WrapperCall): Unwrapped {
  const { sink } = call;
  sink.network = true;
  let at = 0;
  let host: Word | null = null;
  // ssh reads options on both sides of the host.
  for (let round = 0; round < 2; round += 1) {
    const parsed = parseArguments(call.args.slice(at), tableOf(SSH), { stops: true });
    const cause = host === null ? unclear(parsed) : (parsed.flags[0] ?? null);
    if (cause !== null) return opaque('ssh', cause);
    for (const { spec, value, word } of parsed.options) checkSshOption(call, spec.action, value, word);
    at += parsed.rest;
    if (host === null) {
      host = call.args[at] ?? null;
      if (host === null) return ORDINARY;
      at += 1;
    }
  }
  const words = call.args.slice(at);
  return words.length === 0 ? ORDINARY : joined('ssh', words, { remote: true });
}

function checkSshOption(call: WrapperCall, action: string, value: Word | null, word: Word): void {
  if (action === 'unknown') unknown(call.sink, 'unknown-option', value ?? word);
  if (action === 'write' && value !== null) touch(call.sink, 'writes', value);
  if (action !== 'data') return;
  const key = /^\s*(\w+)(?:\s*=|\s)/.exec(value?.lead ?? '')?.[1]?.toLowerCase();
  if (key === undefined || !HARMLESS_SSH.has(key)) unknown(call.sink, 'unknown-option', value ?? word);
}
