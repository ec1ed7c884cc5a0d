import { argumentOf, has, parseArguments, tableOf } from '../options.ts';
import { touch, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { joined, ORDINARY, opaque, scriptOf, type Unwrapped, unclear, type WrapperCall } from './outcome.ts';

const LONG_FLAGS = new Set(
  (
    '--debug --debugger --dump-po-strings --dump-strings --login --noediting --noprofile --norc --posix ' +
    '--pretty-print --restricted --verbose --protected --wordexp'
  ).split(' '),
);

type ShellArguments = {
  command: boolean;
  standardInput: boolean;
  readonly rest: number;
  readonly cause: Word | null;
  readonly startFile: Word | null;
  readonly informs: boolean;
};

/** `sh -c`, a here-document given to a shell, or a script file. */
export function shell(call: WrapperCall): Unwrapped {
  const { name, args, input, sink } = call;
  const parsed = parseShell(args);
  if (parsed.informs) return ORDINARY;
  if (parsed.cause !== null) return opaque(name, parsed.cause);
  if (parsed.startFile !== null) unknown(sink, 'script', parsed.startFile);
  const operand = args[parsed.rest];
  if (parsed.command) return operand === undefined ? ORDINARY : scriptOf(name, operand);
  if (operand !== undefined && !parsed.standardInput) return ORDINARY;
  if (input === null || input.kind !== 'here' || input.body === null) return ORDINARY;
  const from: Word = {
    text: input.body,
    lead: input.body,
    pos: input.bodyPos,
    end: input.bodyPos + input.body.length,
    operandOnly: false,
    splits: false,
    tilde: 'no',
    inner: [],
  };
  return { type: 'script', label: name, script: { text: input.body, from: [from] } };
}

function parseShell(args: readonly Word[]): ShellArguments {
  const found = { command: false, standardInput: false };
  let startFile: Word | null = null;
  let at = 0;
  const done = (cause: Word | null, informs = false): ShellArguments => ({
    ...found,
    rest: at,
    cause,
    startFile,
    informs,
  });
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (word === undefined) break;
    if (word.text === null) return done(word.operandOnly ? null : word);
    if (!/^[-+]./.test(word.text)) {
      if (word.text === '-') at += 1;
      return done(null);
    }
    if (word.text === '--') {
      at += 1;
      return done(null);
    }
    if (word.text === '--version' || word.text === '--help') return done(null, true);
    if (word.text === '--rcfile' || word.text === '--init-file') {
      startFile = args[at + 1] ?? word;
      at += 1;
    } else if (word.text.startsWith('--')) {
      if (!LONG_FLAGS.has(word.text)) return done(word);
    } else {
      const letters = word.text.slice(1);
      if (!/^[A-Za-z]+$/.test(letters)) return done(word);
      if (word.text.startsWith('-') && letters.includes('c')) found.command = true;
      if (letters.includes('s')) found.standardInput = true;
      const taken = letters.replaceAll(/[^oO]/g, '').length;
      const values = args.slice(at + 1, at + 1 + taken);
      const dynamic = values.find((value) => value.text === null);
      if (dynamic !== undefined) return done(dynamic);
      at += taken;
    }
  }
  return done(null);
}

const SU =
  '-c,--command= -s,--shell=:unknown -g,--group= -G,--supp-group= -w,--whitelist-environment= ' +
  '-l,--login -m,-p,--preserve-environment -P,--pty -f,--fast';

export function su(call: WrapperCall): Unwrapped {
  const parsed = parseArguments(call.args, tableOf(SU));
  const script = argumentOf(parsed, '-c');
  if (script === undefined) return ORDINARY;
  const cause = unclear(parsed);
  if (cause !== null) return opaque('su', cause);
  if (script === null || has(parsed, '-s')) return ORDINARY;
  const login = has(parsed, '-l') || call.args.some(({ text }) => text === '-');
  return scriptOf('su', script, login ? { directory: null } : {});
}

export function evaluate(call: WrapperCall): Unwrapped {
  const words = call.args[0]?.text === '--' ? call.args.slice(1) : call.args;
  return words.length === 0 ? ORDINARY : joined('eval', words, { sharesShell: true });
}

/** A handler runs later in the same shell, in a directory that nobody knows yet. */
export function trap(call: WrapperCall): Unwrapped {
  const [first, second] = call.args;
  const handler = first?.text === '--' ? second : first;
  if (handler === undefined || handler.text === '' || handler.text === '-') return ORDINARY;
  if (handler === first && handler.text?.startsWith('-') === true) return ORDINARY;
  if (handler.text === null) return opaque('trap', handler, 'dynamic-script');
  return {
    type: 'script',
    label: 'trap',
    script: { text: handler.text, from: [handler], sharesShell: true },
    directory: null,
  };
}

export function builtin(call: WrapperCall): Unwrapped {
  const { name, args } = call;
  const options = name === 'exec' ? '-c -l -a=' : '-p -v:unknown -V:unknown';
  const parsed = parseArguments(args, tableOf(options), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque(name, cause);
  const words = args.slice(parsed.rest);
  if (words.length === 0 || parsed.options.some(({ spec }) => spec.action === 'unknown')) return ORDINARY;
  return { type: 'words', label: name, words };
}

export function busybox(call: WrapperCall): Unwrapped {
  const [first] = call.args;
  if (first === undefined || first.text?.startsWith('-') === true) return ORDINARY;
  if (first.text === null && !first.operandOnly) return opaque('busybox', first);
  return { type: 'words', label: 'busybox', words: call.args };
}

const FLOCK =
  '-s,--shared -x,-e,--exclusive -u,--unlock -n,--nonblock,--nb -o,--close -F,--no-fork -v,--verbose ' +
  '-w,--timeout,--wait= -E,--conflict-exit-code= -c,--command=';

export function flock(call: WrapperCall): Unwrapped {
  const parsed = parseArguments(call.args, tableOf(FLOCK), { stops: true });
  const cause = unclear(parsed);
  if (cause !== null) return opaque('flock', cause);
  const file = call.args[parsed.rest];
  const words = call.args.slice(parsed.rest + 1);
  const [first] = words;
  if (file === undefined || first === undefined) return ORDINARY;
  touch(call.sink, 'writes', file);
  if (first.text === null && !first.operandOnly) return opaque('flock', first);
  if (first.text !== '-c' && first.text !== '--command') return { type: 'words', label: 'flock', words };
  const script = words[1];
  return script === undefined ? ORDINARY : scriptOf('flock', script);
}
