import type { CommandRule } from './types.ts';

/** What a command line is, by a table of leading words; null where it is not plain enough to say. */
export type CommandReading = {
  readonly kind: 'read' | 'check' | 'write' | 'script';
  readonly rule: CommandRule | null;
  readonly operands: readonly string[];
  /** False where a pipe hides the exit code. */
  readonly exact: boolean;
};

const LONGEST = 4_000;
const RUNNERS = new Set([
  'npx',
  'pnpm',
  'yarn',
  'bunx',
  'exec',
  'dlx',
  'poetry',
  'uv',
  'run',
  'pipenv',
  'bundle',
  '--',
]);
const SCRIPTS = new Set([
  'python',
  'python3',
  'node',
  'bash',
  'sh',
  'ruby',
  'deno',
  'bun',
  'tsx',
  'make',
  'npm',
  'pnpm',
  'yarn',
]);
const PAGERS = new Set(['tail', 'head', 'grep', 'cat', 'tee']);

/**
 * Reads a plain command line: words and quotes, `&&` between commands, `cd` in front, `2>&1` and one pipe into a pager behind.
 * Anything else (variables, substitutions, redirections, `;`, `||`, `&`) is null: unknown.
 */
export function readCommand(line: string, rules: readonly CommandRule[]): CommandReading | null {
  const plain = line.trim();
  // A line break is a separator that hides among white space.
  if (plain.length > LONGEST || /[\r\n]/.test(plain)) return null;
  const parts = plainParts(plain);
  if (parts === null || parts.length === 0) return null;
  const readings = parts.filter((part) => part.words[0] !== 'cd').map((part) => readPart(part, rules));
  if (readings.length === 0 || readings.some((reading) => reading === null)) return null;
  return (readings as CommandReading[]).reduce(worse);
}

function worse(a: CommandReading, b: CommandReading): CommandReading {
  const order = ['read', 'check', 'script', 'write'];
  const [less, more] = order.indexOf(b.kind) >= order.indexOf(a.kind) ? [a, b] : [b, a];
  if (less.kind === 'read' || (less.kind === more.kind && more.kind === 'check')) {
    return { ...more, operands: [...less.operands, ...more.operands], exact: less.exact && more.exact };
  }
  // A change joined with anything but looking is more than its rule can say.
  return {
    kind: 'write',
    rule: more.rule !== null && less.rule?.words[0] === more.rule.words[0] ? more.rule : null,
    operands: [],
    exact: false,
  };
}

type Part = { readonly words: readonly string[]; readonly piped: boolean };

function readPart(part: Part, rules: readonly CommandRule[]): CommandReading | null {
  const words = withoutRunner(part.words);
  for (const rule of rules) {
    if (!rule.words.every((word, index) => matchesWord(words[index], word))) continue;
    if (rule.unless?.some((stop) => words.some((word) => word === stop || word.startsWith(`${stop}=`)))) return null;
    const operands = words.slice(rule.words.length).filter((word) => !word.startsWith('-'));
    return { kind: rule.kind, rule, operands, exact: !part.piped };
  }
  const first = words[0] as string;
  const inline = words.some((word) => word === '-c' || word === '-e' || word === '--eval' || word === '-p');
  const script = (SCRIPTS.has(first) || first.startsWith('./')) && !inline;
  return script ? { kind: 'script', rule: null, operands: [], exact: !part.piped } : null;
}

function matchesWord(word: string | undefined, wanted: string): boolean {
  if (word === undefined) return false;
  if (wanted.startsWith('^')) return new RegExp(wanted).test(word);
  if (wanted.endsWith('*')) return word.startsWith(wanted.slice(0, -1));
  return word === wanted || (wanted !== '' && word.endsWith(`/${wanted}`) && word.includes('bin/'));
}

function withoutRunner(words: readonly string[]): readonly string[] {
  let rest = words;
  while (rest.length > 1 && /^[A-Z_][A-Z0-9_]*=[\w./:,-]*$/.test(rest[0] as string)) rest = rest.slice(1);
  const manager =
    rest[0] === 'pnpm' ||
    rest[0] === 'yarn' ||
    rest[0] === 'poetry' ||
    rest[0] === 'uv' ||
    rest[0] === 'pipenv' ||
    rest[0] === 'bundle';
  if (
    rest[0] === 'npx' ||
    rest[0] === 'bunx' ||
    (manager && (rest[1] === 'exec' || rest[1] === 'dlx' || rest[1] === 'run'))
  ) {
    const inner = rest.slice(1).filter((word, index) => index > 1 || !RUNNERS.has(word));
    if (inner.length > 0 && rest[1] !== 'run') return inner;
    if (rest[1] === 'run' && rest[0] !== 'pnpm' && rest[0] !== 'yarn') return inner;
  }
  return rest;
}

/** The commands of a plain line, or null. */
function plainParts(line: string): readonly Part[] | null {
  const parts: Part[] = [];
  for (const command of splitPlain(line.replace(/\s+2>&1(?=\s|$)/g, ''), '&&') ?? [null]) {
    if (command === null) return null;
    const piped = splitPlain(command, '|');
    if (piped === null || piped.length > 2) return null;
    const words = plainWords(piped[0] as string);
    if (words === null || words.length === 0) return null;
    if (piped.length === 2) {
      const pager = plainWords(piped[1] as string);
      if (pager === null || !PAGERS.has(pager[0] ?? '') || pager[0] === 'tee') return null;
    }
    parts.push({ words, piped: piped.length === 2 });
  }
  return parts;
}

/** Splits at an operator outside quotes. */
function splitPlain(line: string, operator: '&&' | '|'): readonly string[] | null {
  const out: string[] = [];
  let quote = '';
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const letter = line[at] as string;
    if (quote !== '') {
      if (letter === quote) quote = '';
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (line.startsWith(operator, at)) {
      if (operator === '|' && (line[at + 1] === '|' || line[at + 1] === '&')) return null;
      out.push(line.slice(start, at));
      start = at + operator.length;
      at = start - 1;
    }
  }
  if (quote !== '') return null;
  out.push(line.slice(start));
  return out;
}

function plainWords(text: string): readonly string[] | null {
  const words: string[] = [];
  const pattern = /\s*(?:"([^"$`\\]*)"|'([^']*)'|([^\s"'$`\\;&<>|(){}*?[\]!#]+))(\s|$)?/gy;
  let joined = '';
  let open = false;
  const source = text.trim();
  while (pattern.lastIndex < source.length) {
    const match = pattern.exec(source);
    if (match === null) return null;
    joined += match[1] ?? match[2] ?? (match[3] as string);
    open = match[4] === undefined;
    if (!open) {
      words.push(joined);
      joined = '';
    }
  }
  if (open) words.push(joined);
  return words;
}
