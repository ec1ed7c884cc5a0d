import { argumentOf, has, type OptionTable, type ParsedArguments, parseArguments, tableOf } from '../options.ts';
import { touch, touchUnnamed, unknown } from '../sink.ts';
import { isSensitive } from '../syntax/context.ts';
import type { Word } from '../syntax/tree.ts';
import { ORDINARY, opaque, type Unwrapped, unclear, type Wrapper, type WrapperCall } from './outcome.ts';

/** A wrapper that only has options of its own and perhaps operands before the command. */
type PrefixSpec = {
  readonly options: string;
  readonly operands?: number;
  /** Words that are options in spite of their form. */
  readonly also?: RegExp;
  readonly remote?: boolean;
};

const PREFIXES: Readonly<Record<string, PrefixSpec>> = {
  nice: { options: '-n,--adjustment=', also: /^--?[+-]?\d+$/ },
  ionice: { options: '-c,--class= -n,--classdata= -p,--pid=:unknown -P,--pgid=:unknown -u,--uid=:unknown -t,--ignore' },
  nohup: { options: '' },
  setsid: { options: '-c,--ctty -f,--fork -w,--wait' },
  stdbuf: { options: '-i,--input= -o,--output= -e,--error=' },
  taskset: { options: '-a,--all-tasks -c,--cpu-list -p,--pid:unknown', operands: 1 },
  timeout: {
    options: '-k,--kill-after= -s,--signal= -f,--foreground -p,--preserve-status -v,--verbose',
    operands: 1,
  },
  caffeinate: { options: '-d -i -m -s -u -t= -w=' },
  time: { options: '-o,--output=:write -f,--format= -a,--append -v,--verbose -p,--portability -q,--quiet' },
  chroot: { options: '--groups= --userspec= --skip-chdir', operands: 1, remote: true },
  strace: {
    options:
      '-a,--columns= -b,--detach-on= -e,--trace= -E,--env=:change -I,--interruptible= -o,--output=:write -O= -p,--attach=:unknown ' +
      '-P,--trace-path= -s,--string-limit= -S,--summary-sort-by= -u,--user= -U,--summary-columns= -X,--const-print-style= ' +
      '-A,--output-append-mode -c,--summary-only -C,--summary -d,--debug -D,--daemonize -f,--follow-forks -F -h -i -k,--stack-traces ' +
      '-n -N -q,--quiet -r -t -T -v,--no-abbrev -w -x -y -Y -z -Z',
  },
};

export const prefixWrappers: Readonly<Record<string, Wrapper>> = Object.fromEntries(
  Object.entries(PREFIXES).map(([name, spec]) => [name, (call: WrapperCall) => prefix(call, spec)]),
);

function prefix(call: WrapperCall, spec: PrefixSpec): Unwrapped {
  const { name, args, sink } = call;
  const parsed = parsePrefix(args, spec);
  const cause = unclear(parsed);
  if (cause !== null) return opaque(name, cause);
  const words = args.slice(parsed.rest + (spec.operands ?? 0));
  if (words.length === 0 || parsed.options.some(({ spec: { action } }) => action === 'unknown')) return ORDINARY;
  for (const { spec: option, word, value } of parsed.options) {
    if (option.action === 'write') writeTo(call, value, word);
    if (option.action === 'change') checkAssignment(call, value ?? word);
  }
  return { type: 'words', label: name, words, ...(spec.remote === true ? { remote: true } : {}) };

  function writeTo(target: WrapperCall, value: Word | null, word: Word): void {
    if (value === null) touchUnnamed(sink, 'writes', word);
    // strace pipes its output to a command given as `|command` or `!command`.
    else if (value.text !== null && /^[|!]/.test(value.text) && target.name === 'strace')
      unknown(sink, 'runs-code', value);
    else touch(sink, 'writes', value);
  }
}

function parsePrefix(args: readonly Word[], spec: PrefixSpec): ParsedArguments {
  let skipped = 0;
  while (spec.also?.test(args[skipped]?.text ?? '') === true) skipped += 1;
  const parsed = parseArguments(args.slice(skipped), tableOf(spec.options), { stops: true });
  return { ...parsed, rest: parsed.rest + skipped };
}

/** `NAME=value` in front of a command, also with an unknown value. */
function assignedName(word: Word): string | null {
  const at = word.lead.indexOf('=');
  return at > 0 && !word.lead.startsWith('-') ? word.lead.slice(0, at) : null;
}

function checkAssignment(call: WrapperCall, word: Word): void {
  const name = assignedName(word);
  if (name === null || isSensitive(name)) unknown(call.sink, 'sensitive-variable', word);
}

/** Skips `NAME=value` words; a sensitive name makes the call unknown. */
function skipAssignments(call: WrapperCall, words: readonly Word[]): readonly Word[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || assignedName(word) === null) break;
    checkAssignment(call, word);
  }
  return words.slice(at);
}

const SUDO =
  '-u,--user= -g,--group= -h,--host= -p,--prompt= -C,--close-from= -r,--role= -t,--type= -T,--command-timeout= ' +
  '-U,--other-user= -D,--chdir= -R,--chroot= -A,--askpass -b,--background -B,--bell -E,--preserve-env? -H,--set-home ' +
  '-i,--login -n,--non-interactive -N,--no-update -P,--preserve-groups -s,--shell -S,--stdin ' +
  '-l,--list:unknown -v,--validate:unknown -k,--reset-timestamp:unknown -K,--remove-timestamp:unknown ' +
  '-V,--version:unknown -e,--edit:unknown --help:unknown';
const DOAS = '-u= -C= -L:unknown -n -s';

export function sudo(call: WrapperCall): Unwrapped {
  const { name, args } = call;
  const table = tableOf(name === 'doas' ? DOAS : SUDO);
  // `-E` is a flag; only the long form takes a list.
  const parsed = parseArguments(args, name === 'doas' ? table : splitPreserve(table), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque(name, cause);
  if (parsed.options.some(({ spec }) => spec.action === 'unknown')) return ORDINARY;
  const rest = args.slice(parsed.rest);
  const words = name === 'doas' ? rest : skipAssignments(call, rest);
  const [first] = words;
  if (first === undefined) return ORDINARY;
  if (isUnclearStart(first)) return opaque(name, first);
  const directory = has(parsed, '-i') ? null : argumentOf(parsed, '-D');
  const other = has(parsed, '-R') ? { remote: true } : {};
  return { type: 'words', label: name, words, ...other, ...(directory === undefined ? {} : { directory }) };
}

function splitPreserve(table: OptionTable): OptionTable {
  const flag = { name: '-E', argument: 'none', action: 'none' } as const;
  return new Map([...table, ['-E', flag]]);
}

/** After an assignment another one may follow, so an unknown word there is no certain program. */
function isUnclearStart(word: Word): boolean {
  return word.text === null && !word.operandOnly && word.lead === '';
}

const ENV =
  '-i,--ignore-environment -0,--null -u,--unset= -C,--chdir= -S,--split-string= -v,--debug ' +
  '--block-signal? --default-signal? --ignore-signal? --list-signal-handling';

export function env(call: WrapperCall): Unwrapped {
  const { args } = call;
  const parsed = parseArguments(dashless(args), tableOf(ENV), { stops: true });
  const split = parsed.options.find(({ spec }) => spec.name === '-S');
  if (split !== undefined) return envSplit(call, split.value, split.word);
  const cause = unclear(parsed);
  if (cause !== null) return opaque('env', cause);
  const words = skipAssignments(call, args.slice(parsed.rest));
  const [first] = words;
  if (first === undefined) return ORDINARY;
  if (isUnclearStart(first)) return opaque('env', first);
  const directory = argumentOf(parsed, '-C');
  return { type: 'words', label: 'env', words, ...(directory === undefined ? {} : { directory }) };
}

/** A lone `-` means `-i`. */
function dashless(args: readonly Word[]): readonly Word[] {
  const at = args.findIndex(({ text }) => text === null || !text.startsWith('-'));
  const end = at === -1 ? args.length : at;
  return args.map((word, index) => (index <= end && word.text === '-' ? { ...word, text: '-i', lead: '-i' } : word));
}

function envSplit(call: WrapperCall, value: Word | null, word: Word): Unwrapped {
  const pieces = value?.text == null ? null : splitString(value.text);
  if (value === null || pieces === null) return opaque('env', value ?? word, 'dynamic-script');
  const at = call.args.indexOf(word);
  const after = call.args.slice(at + (call.args[at + 1] === value ? 2 : 1));
  const made = pieces.map((text): Word => ({ ...value, text, lead: text, tilde: 'no', inner: [] }));
  return env({ ...call, args: [...made, ...after] });
}

/** Splits as `env -S` does; null with a variable, which only the run knows, or an escape out of the ordinary. */
function splitString(text: string): readonly string[] | null {
  const words: string[] = [];
  let current: string | null = null;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (quote !== "'" && (char === '$' || (char === '#' && current === null))) return null;
    if (char === '\\' && quote !== "'") {
      const next = text.charAt(at + 1);
      if (!/["'\\$# ]/.test(next)) return null;
      current = (current ?? '') + next;
      at += 1;
    } else if (quote !== '' && char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      current ??= '';
    } else if (quote === '' && /\s/.test(char)) {
      if (current !== null) words.push(current);
      current = null;
    } else current = (current ?? '') + char;
  }
  if (quote !== '') return null;
  return current === null ? words : [...words, current];
}
