import { type CommandPart, plainParts } from './command-line.ts';
import type { CommandRule } from './config-types.ts';
import { isTestReport } from './signals/mappers.ts';

/** What a command line is, by a table of leading words. */
export type CommandReading = {
  readonly kind: 'read' | 'check' | 'write' | 'script';
  /** Of a change whose answer may show its result. */
  readonly rule: CommandRule | null;
  /** What it looks at; of a look at names only, whose names. */
  readonly targets: readonly string[];
  readonly lists: boolean;
  /** What it shows when it passes. */
  readonly signals: readonly string[];
  /** True when the exit code of the line is that of its checks. */
  readonly exact: boolean;
  /** True when something of which nothing is known runs in front of the checks. */
  readonly changes: boolean;
};

type PartReading = Omit<CommandReading, 'kind' | 'changes'> & { readonly kind: CommandReading['kind'] | 'unknown' };

const NOTHING: Omit<PartReading, 'kind'> = {
  rule: null,
  targets: [],
  lists: true,
  signals: [],
  exact: false,
};
const IDLE: PartReading = { ...NOTHING, kind: 'read' };
const DEEPEST = 2;
/** Programs that run another one, by `exec`, `dlx` or `run`. */
const MANAGERS = new Set('pnpm yarn poetry uv pipenv bundle'.split(' '));
const RUN_BY = new Set('exec dlx run'.split(' '));
const RUNNERS = new Set([...MANAGERS, ...RUN_BY, 'npx', 'bunx', '--']);
const SCRIPTS = new Set('python python3 node bash sh ruby deno bun tsx make npm pnpm yarn'.split(' '));
const FILTERS = new Set('sort uniq cut tr column more less'.split(' '));

/** Reads a command line by a table of rules; null where it is not plain enough, or not known well enough, to say. */
export function readCommand(line: string, rules: readonly CommandRule[]): CommandReading | null {
  return readLine(line, rules, 0);
}

function readLine(line: string, rules: readonly CommandRule[], depth: number): CommandReading | null {
  const parts = plainParts(line);
  if (parts === null || parts.length === 0 || depth > DEEPEST) return null;
  const only = parts.length === 1 ? wrapped(parts[0] as CommandPart) : null;
  if (only !== null) return readLine(only, rules, depth + 1);
  const readings: PartReading[] = [];
  let directory = '';
  for (const [index, part] of parts.entries()) {
    if (part.words[0] === 'cd') {
      const next = changedDirectory(directory, part);
      if (next === null) return null;
      directory = next;
    } else if (!isPreparation(part)) readings.push(readPart(part, rules, { directory, exact: isExact(parts, index) }));
  }
  return readings.length === 0 ? null : joined(readings, parts);
}

/** The line that a shell is given to run. */
function wrapped({ words, filters }: CommandPart): string | null {
  const [shell, flag, line] = words;
  if (words.length !== 3 || filters.length > 0 || line === undefined) return null;
  return (shell === 'bash' || shell === 'sh') && (flag === '-c' || flag === '-lc') ? line : null;
}

function changedDirectory(directory: string, { words, filters }: CommandPart): string | null {
  const to = words[1];
  if (words.length !== 2 || filters.length > 0 || to === undefined || /^[-~]|[*?[]/.test(to)) return null;
  return inDirectory(directory, to);
}

function inDirectory(directory: string, path: string): string {
  if (directory === '' || path.startsWith('/')) return path;
  return path === '.' ? directory : `${directory}/${path}`;
}

/** Settings of the shell and of its environment. */
function isPreparation({ words, filters }: CommandPart): boolean {
  if (filters.length > 0) return false;
  if (words[0] === 'set') return words.slice(1).every((word) => /^[-+]\w+$/.test(word) || word === 'pipefail');
  if (words[0] === 'export') return words.slice(1).every((word) => /^\w+=/.test(word));
  return (words[0] === 'source' || words[0] === '.') && /(?:^|\/)bin\/activate$/.test(words[1] ?? '');
}

/** True when a failure of the part is one of the line, and the part has run if the line did not fail. */
function isExact(parts: readonly CommandPart[], index: number): boolean {
  if ((parts[index] as CommandPart).filters.length > 0 || parts[index]?.after === '||') return false;
  return parts.slice(index + 1).every((part) => part.after === '&&');
}

function joined(readings: readonly PartReading[], parts: readonly CommandPart[]): CommandReading | null {
  const checks = readings.filter((reading) => reading.kind === 'check');
  const changing = readings.filter((reading) => reading.kind !== 'check' && reading.kind !== 'read');
  const last = changing.at(-1);
  if (last === undefined) {
    const check = checked(checks);
    const told = checks.length === 0 || (!check.exact && couldImitate(readings, parts));
    return { ...(told ? looks(readings.filter((reading) => reading.kind === 'read')) : check), changes: false };
  }
  const behind = readings.slice(readings.indexOf(last) + 1).filter((reading) => reading.kind === 'check');
  if (behind.length > 0) return { ...checked(behind), kind: 'script', exact: false, changes: true };
  if (changing.length === 1 && checks.length === 0 && last.kind === 'script')
    return { ...last, kind: 'script', changes: false };
  const known = changing.every((item) => item.rule !== null && item.rule.words[0] === last.rule?.words[0]);
  const chained = parts.every((part) => part.after === '' || part.after === '&&');
  // What was added is in what was committed.
  const added = changing.slice(0, -1).every((item) => item.rule?.words[1] === 'add');
  return known && (chained || added) ? { ...NOTHING, ...last, kind: 'write', changes: false } : null;
}

/** True when the line prints a report that is not of its checks: of words of its own, or of a file that keeps output. */
function couldImitate(readings: readonly PartReading[], parts: readonly CommandPart[]): boolean {
  if (parts.some(({ words }) => PRINTS.has(words[0] as string) && isTestReport(unescaped(words)))) return true;
  return readings.some((item) => item.kind === 'read' && item.targets.some((name) => KEPT_OUTPUT.test(name)));
}

const PRINTS = new Set(['echo', 'printf']);
const KEPT_OUTPUT = /\.(?:log|out|txt|xml|tap)$/i;

function unescaped(words: readonly string[]): string {
  return words
    .slice(1)
    .filter((word) => !/^-[neE]+$/.test(word))
    .join(' ')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t');
}

function checked(checks: readonly PartReading[]): Omit<CommandReading, 'changes'> {
  const signals = [...new Set(checks.flatMap((item) => item.signals))];
  return { ...NOTHING, kind: 'check', signals, exact: checks.every((item) => item.exact) };
}

/** What several looks show together: names only where none shows more. */
function looks(reads: readonly PartReading[]): Omit<CommandReading, 'changes'> {
  const contents = reads.filter((reading) => !reading.lists);
  const shown = contents.length > 0 ? contents : reads;
  const targets = [...new Set(shown.flatMap((reading) => reading.targets))];
  return { ...NOTHING, kind: 'read', targets, lists: contents.length === 0, exact: reads.every((item) => item.exact) };
}

type Place = { readonly directory: string; readonly exact: boolean };

function readPart(part: CommandPart, rules: readonly CommandRule[], place: Place): PartReading {
  const words = withoutRunner(part.words);
  const elsewhere = words[0] === 'git' && words[1] === '-C' ? inDirectory(place.directory, words[2] ?? '.') : null;
  const reading =
    elsewhere === null
      ? readWords(words, rules, place)
      : readWords(['git', ...words.slice(3)], rules, { ...place, directory: elsewhere });
  let { lists } = reading;
  for (const filter of part.filters) {
    if (reading.kind === 'check' && hidesFailures(filter, words)) return IDLE;
    const through = readFilter(filter, rules);
    if (through === null) return { ...NOTHING, kind: 'unknown' };
    lists ||= through.counts;
  }
  return { ...reading, lists };
}

const SEARCHES = new Set(['grep', 'egrep', 'fgrep', 'rg']);

/** True when a report may pass the filter without the failures beside it: some have a line for each package. */
function hidesFailures(filter: readonly string[], check: readonly string[]): boolean {
  const [first = '', ...options] = filter;
  const searches = SEARCHES.has(first);
  if (searches && options.some((word) => /^-[a-zA-Z]*v|^--invert-match$/.test(word))) return true;
  const manyLines = (check[0] === 'go' || check[0] === 'cargo') && check[1] === 'test';
  return manyLines && (first === 'head' || (searches && !options.some((word) => /fail/i.test(word))));
}

/** A filter changes nothing; one that counts shows no content. */
function readFilter(words: readonly string[], rules: readonly CommandRule[]): { readonly counts: boolean } | null {
  const [first = ''] = words;
  if (FILTERS.has(first)) {
    const writes = words.some((word) => word.startsWith('-o') || word.startsWith('--output'));
    const operands = words.slice(1).filter((word) => !word.startsWith('-'));
    return writes || (first === 'uniq' && operands.length > 0) ? null : { counts: false };
  }
  const rule = ruleOf(words, rules);
  if (rule === null || rule.kind !== 'read' || hits(words, rule.unless)) return null;
  return { counts: rule.shows === 'names' || hits(words, rule.names) };
}

function readWords(words: readonly string[], rules: readonly CommandRule[], place: Place): PartReading {
  const rule = ruleOf(words, rules);
  if (rule === null) return scriptReading(words, place);
  const options = words.slice(rule.words.length);
  if (hits(options, rule.idle)) return IDLE;
  if (hits(options, rule.unless)) return { ...NOTHING, kind: 'unknown' };
  if (rule.kind === 'check')
    return { ...NOTHING, kind: 'check', signals: rule.signal === undefined ? [] : [rule.signal], exact: place.exact };
  if (rule.kind === 'write') return { ...NOTHING, kind: 'write', rule, exact: place.exact };
  const shows = hits(options, rule.names) ? 'names' : rule.shows;
  if (shows === 'nothing') return IDLE;
  const operands = options.filter((word) => !word.startsWith('-'));
  const named = operands.slice(rule.skip ?? 0).map((word) => inDirectory(place.directory, withoutPattern(word)));
  const targets = named.length === 0 && shows !== undefined ? [inDirectory(place.directory, '.')] : named;
  return { ...NOTHING, kind: 'read', targets, lists: shows === 'names', exact: place.exact };
}

/** The folder that a pattern of names stands in. */
function withoutPattern(word: string): string {
  const at = word.search(/[*?[]/);
  if (at < 0) return word;
  const slash = word.lastIndexOf('/', at);
  return slash < 0 ? '.' : word.slice(0, Math.max(1, slash));
}

function scriptReading(words: readonly string[], place: Place): PartReading {
  const first = words[0] as string;
  const inline = words.some((word) => word === '-c' || word === '-e' || word === '--eval' || word === '-p');
  const script = (SCRIPTS.has(first) || first.startsWith('./')) && !inline;
  return { ...NOTHING, kind: script ? 'script' : 'unknown', exact: place.exact };
}

function ruleOf(words: readonly string[], rules: readonly CommandRule[]): CommandRule | null {
  return rules.find((rule) => rule.words.every((word, index) => matchesWord(words[index], word))) ?? null;
}

/** True when one of the words is in the list, with or without a value; an entry with `^` is a pattern. */
function hits(words: readonly string[], list: readonly string[] | undefined): boolean {
  return (
    list?.some((stop) =>
      words.some((word) =>
        stop.startsWith('^') ? new RegExp(stop).test(word) : word === stop || word.startsWith(`${stop}=`),
      ),
    ) === true
  );
}

function matchesWord(word: string | undefined, wanted: string): boolean {
  if (word === undefined) return false;
  if (wanted.startsWith('^')) return new RegExp(wanted).test(word);
  if (wanted.endsWith('*')) return word.startsWith(wanted.slice(0, -1));
  return word === wanted || (wanted !== '' && word.endsWith(`/${wanted}`) && word.includes('bin/'));
}

/** Without what only sets the stage: variables, time limits, package managers that run a tool. */
function withoutRunner(words: readonly string[]): readonly string[] {
  let rest = words;
  if (rest[0] === 'time' && rest.length > 1) rest = rest.slice(1);
  if (rest[0] === 'timeout' && /^\d+(?:\.\d+)?[smh]?$/.test(rest[1] ?? '') && rest.length > 2) rest = rest.slice(2);
  if (rest[0] === 'env' && rest.length > 2 && (rest[1] as string).includes('=')) rest = rest.slice(1);
  while (rest.length > 1 && /^[A-Z_][A-Z0-9_]*=[\w./:,-]*$/.test(rest[0] as string)) rest = rest.slice(1);
  return rest[0] === 'git' ? gitWords(rest) : withoutManager(rest);
}

function gitWords(words: readonly string[]): readonly string[] {
  let at = 1;
  while (words[at] === '--no-pager' || words[at] === '-P') at += 1;
  return at === 1 ? words : ['git', ...words.slice(at)];
}

function withoutManager(rest: readonly string[]): readonly string[] {
  const [first = '', second = '', third = ''] = rest;
  if (first === 'npx' || first === 'bunx') {
    let at = 1;
    while (rest[at] === '--yes' || rest[at] === '-y' || rest[at] === '--no-install') at += 1;
    return rest.length > at ? rest.slice(at) : rest;
  }
  if (!MANAGERS.has(first) || !RUN_BY.has(second)) return projectWords(rest);
  // A script of the project, which a rule knows by that name.
  if (second === 'run' && (first === 'pnpm' || first === 'yarn')) return rest;
  const inner = rest.slice(RUNNERS.has(third) ? 3 : 2);
  return inner.length > 0 ? inner : rest;
}

const ALONE = new Set('-r --recursive -s --silent --workspaces --workspace-root'.split(' '));
const VALUED = new Set('--filter -F -w --workspace --prefix -C'.split(' '));

/** `npm -w app test` and the like run the script of another project. */
function projectWords(words: readonly string[]): readonly string[] {
  const [first, second] = words;
  if (first === 'yarn' && second === 'workspace' && words.length > 3) return ['yarn', ...words.slice(3)];
  if (first === 'make' && second === '-C' && words.length > 3) return ['make', ...words.slice(3)];
  if (first !== 'npm' && first !== 'pnpm') return words;
  let at = 1;
  for (;;) {
    const word = words[at];
    if (word !== undefined && (ALONE.has(word) || (word === '-w' && first === 'pnpm'))) at += 1;
    else if (word !== undefined && VALUED.has(word)) at += 2;
    else break;
  }
  return at === 1 || at >= words.length ? words : [first, ...words.slice(at)];
}
