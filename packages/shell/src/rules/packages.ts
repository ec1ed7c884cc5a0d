import { parseArguments, tableOf } from '../options.ts';
import { change, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { asksOnly, type ProgramCall } from './call.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Programs that run other programs' text: only telling their version is harmless. */
export function interpreter(call: ProgramCall): void {
  if (asksOnly(call, '--version', '-V', '-v', '--help', '-h')) return;
  if (call.name === 'go' && asksOnly(call, 'version')) return;
  unknown(call.sink, 'runs-code', call.args[0] ?? call.own);
}

/** `python -m pip` is pip. */
export function python(call: ProgramCall): void {
  const [first, second] = call.args;
  if (first?.text === '-m' && second?.text === 'pip') pip({ ...call, args: call.args.slice(2) });
  else interpreter(call);
}

const PIP_READS = set('list show freeze check help --version');
const PIP_FETCHES = set('install download wheel');

export function pip(call: ProgramCall): void {
  const { args, sink } = call;
  const subcommand = args.find(({ text }) => text === null || !text.startsWith('-') || text === '--version');
  const name = subcommand?.text ?? '';
  if (PIP_READS.has(name)) return;
  if (PIP_FETCHES.has(name)) {
    sink.network = true;
    unknown(sink, 'package-code', subcommand ?? call.own);
  } else unknown(sink, 'unknown-subcommand', subcommand ?? call.own);
}

const NPM_READS = set('ls list root prefix why explain help');
const NPM_ASKS = set('view info search outdated whoami audit');
const NPM_INSTALLS = set('install i add ci update uninstall remove');
const NPM_OPTIONS =
  '--prefix= -w,--workspace= -C,--dir= --filter= -F= --registry= --loglevel= --cwd= --tag= --depth= --userconfig= --cache= ' +
  '--script-shell=:unknown --node-options=:unknown -v,--version:data';

/** npm, pnpm and yarn. */
export function npm(call: ProgramCall): void {
  const { args, sink, name } = call;
  const parsed = parseArguments(args, tableOf(NPM_OPTIONS));
  for (const { spec, word } of parsed.options) if (spec.action === 'unknown') unknown(sink, 'unknown-option', word);
  const [first, second] = parsed.operands;
  const subcommand = first?.text ?? (first === undefined && name === 'yarn' && !asksVersion(args) ? 'install' : '');
  if (first === undefined && asksVersion(args)) return;
  if (NPM_READS.has(subcommand)) return;
  if (subcommand === 'config' && (second?.text === 'get' || second?.text === 'list')) return;
  if (NPM_ASKS.has(subcommand) && !(subcommand === 'audit' && second?.text === 'fix')) {
    sink.network = true;
  } else if (NPM_INSTALLS.has(subcommand)) {
    sink.network = true;
    if (ignoresScripts(args)) change(sink, 'writes', 'deletes');
    else unknown(sink, 'package-code', first ?? call.own);
  } else {
    if (subcommand === 'publish') sink.network = true;
    unknown(sink, 'unknown-subcommand', first ?? call.own);
  }
}

function asksVersion(args: readonly Word[]): boolean {
  return args.some(({ text }) => text === '-v' || text === '--version');
}

/** The last word counts, so one that nobody knows may undo it. */
function ignoresScripts(args: readonly Word[]): boolean {
  const given = args.some(({ text }) => text === '--ignore-scripts' || text === '--ignore-scripts=true');
  const undone = args.some(
    ({ text, operandOnly }) =>
      (text === null && !operandOnly) ||
      (text !== null && /^--(?:no-ignore-scripts|ignore-scripts=(?!true$))/.test(text)),
  );
  const followed = args.some(({ text }, at) => text === '--ignore-scripts' && args[at + 1]?.text === 'false');
  return given && !undone && !followed;
}

const APT_READS = set('list show search policy -v');
const APT_FETCHES = set('install update upgrade full-upgrade dist-upgrade source download');

export function apt(call: ProgramCall): void {
  const { args, sink } = call;
  const { options, operands } = parseArguments(
    args,
    tableOf('-o,--option=:unknown -c,--config-file=:unknown -t,--target-release= -a,--host-architecture='),
  );
  for (const { spec, word } of options) if (spec.action === 'unknown') unknown(sink, 'unknown-option', word);
  const subcommand = operands[0] ?? args.find(({ text }) => text === '-v');
  const name = subcommand?.text ?? '';
  if (APT_READS.has(name)) return;
  if (APT_FETCHES.has(name)) {
    sink.network = true;
    unknown(sink, 'package-code', subcommand ?? call.own);
  } else unknown(sink, 'unknown-subcommand', subcommand ?? call.own);
}
