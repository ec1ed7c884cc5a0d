import type { AnalysedCommand, Analysis, PathEffect, ShellClass, Unknown, UnknownCode } from './types.ts';

export type RenderOptions = {
  /** Colours for a terminal. @default false */
  readonly colour?: boolean;
  /** Only ASCII signs. @default false */
  readonly ascii?: boolean;
};

const MESSAGES: Readonly<Record<UnknownCode, string>> = {
  'syntax-error': 'the line does not parse',
  'input-too-long': 'the line is too long to analyse',
  'too-deep': 'scripts are nested too deeply',
  'foreign-shell': 'this is written for PowerShell or cmd',
  'unknown-program': 'the program is not in the table',
  'dynamic-program': 'which program runs is only known at run time',
  'local-program': 'a program at a path of its own may be anything',
  'runs-code': 'it may run any code',
  script: 'it runs a file that is not part of the line',
  'dynamic-script': 'the script it runs is only known at run time',
  'wrapper-option': 'an option hides where the command begins',
  'undetermined-option': 'the word may be an option at run time',
  'unknown-option': 'the option may run or write anything',
  'unknown-subcommand': 'the subcommand is not in the table',
  'sensitive-variable': 'the variable changes what programs do',
  arithmetic: 'bash evaluates the text of a variable here',
  'indirect-expansion': 'the name of the variable is only known at run time',
  'prompt-expansion': 'the text of a variable is expanded once more',
  'test-variable': 'the name in the test may hold a subscript that runs',
  subscript: 'the name may hold a subscript that runs',
  'package-code': 'code of a package runs',
  'container-image': 'what the image runs is not known',
};

/** Why, in a few words for a person. */
export function describeUnknown(code: UnknownCode): string {
  return MESSAGES[code];
}

type Tree = { readonly text: string; readonly mark?: ShellClass; readonly children: readonly Tree[] };

/** The analysis as a tree: the line, its commands, what each does, and why something is unknown. */
export function renderAnalysis(analysis: Analysis, options: RenderOptions = {}): string {
  const listed = new Set(analysis.commands.flatMap(({ unknowns }) => unknowns));
  const rest = analysis.unknowns.filter((unknown) => !listed.has(unknown));
  const touched = new Set(
    analysis.commands.flatMap((command) => [...command.reads, ...command.writes, ...command.deletes]),
  );
  const own = {
    reads: analysis.reads.filter((effect) => !touched.has(effect) && !same(touched, effect)),
    writes: analysis.writes.filter((effect) => !touched.has(effect) && !same(touched, effect)),
    deletes: analysis.deletes.filter((effect) => !touched.has(effect) && !same(touched, effect)),
  };
  const children = [
    ...analysis.commands.map((command) => ofCommand(command, analysis.source)),
    ...effectsOf(own),
    ...rest.map((unknown) => ofUnknown(unknown, analysis.source)),
    { text: `network: ${analysis.network}`, children: [] },
  ];
  return draw({ text: oneLine(analysis.source), mark: analysis.class, children }, options);
}

/** The lists of a line hold one entry a path; the same path of another command is not told twice. */
function same(touched: ReadonlySet<PathEffect>, effect: PathEffect): boolean {
  for (const one of touched) if (one.path === effect.path && one.span.start === effect.span.start) return true;
  return false;
}

function ofCommand(command: AnalysedCommand, source: string): Tree {
  const words = command.words.map(({ text, span }) =>
    text === null ? `<${oneLine(source.slice(span.start, span.end)) || '…'}>` : quoted(text),
  );
  const notes = [
    ...command.wrappers.map((wrapper) => `via ${wrapper}`),
    ...(command.viaSubstitution ? ['in a substitution'] : []),
    ...(command.remote ? ['elsewhere'] : []),
  ];
  const text = notes.length === 0 ? words.join(' ') : `${words.join(' ')}  (${notes.join(', ')})`;
  const network = command.network ? [{ text: 'uses the network', children: [] }] : [];
  const children = [...effectsOf(command), ...network, ...command.unknowns.map((one) => ofUnknown(one, source))];
  return { text, mark: command.class, children };
}

function effectsOf(effects: Pick<AnalysedCommand, 'reads' | 'writes' | 'deletes'>): readonly Tree[] {
  return (['reads', 'writes', 'deletes'] as const).flatMap((kind) =>
    effects[kind].map((effect) => ofPath(kind, effect)),
  );
}

function ofPath(kind: string, { path, resolved }: PathEffect): Tree {
  const shown = path === null ? 'a path that is not known' : quoted(path);
  const target =
    resolved.length === 0 || (resolved.length === 1 && resolved[0] === path) ? '' : ` = ${resolved.join(' or ')}`;
  return { text: `${kind} ${shown}${target}`, children: [] };
}

function ofUnknown({ code, span, word }: Unknown, source: string): Tree {
  const text = word ?? source.slice(span.start, span.end);
  const where = span.start === span.end ? `at ${span.start + 1}` : `at ${span.start + 1}-${span.end}`;
  return { text: `why: ${MESSAGES[code]} (${code}, ${where}${text === '' ? '' : `: ${oneLine(text)}`})`, children: [] };
}

/** Control signs of the analysed text must not reach a terminal. */
function oneLine(text: string): string {
  const shown = text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) => escapeControl(char));
  return shown.length > 160 ? `${shown.slice(0, 159)}…` : shown;
}

function escapeControl(char: string): string {
  const names: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
  return names[char] ?? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

function quoted(text: string): string {
  return /^[\w@%+=:,./~^-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", "'\\''")}'`;
}

const COLOURS: Readonly<Record<ShellClass, string>> = { read: '32', write: '33', unknown: '31' };

function draw(tree: Tree, options: RenderOptions): string {
  const lines: string[] = [];
  const [tee, corner, bar] = options.ascii === true ? ['+- ', '`- ', '|  '] : ['├─ ', '└─ ', '│  '];
  const visit = (node: Tree, first: string, next: string): void => {
    lines.push(`${first}${node.text}${node.mark === undefined ? '' : `  ${paint(node.mark, options)}`}`);
    for (const [index, child] of node.children.entries()) {
      const last = index === node.children.length - 1;
      visit(child, next + (last ? corner : tee), next + (last ? '   ' : bar));
    }
  };
  visit(tree, '', '');
  const text = lines.join('\n');
  return options.ascii === true ? text.replaceAll('…', '...') : text;
}

function paint(mark: ShellClass, options: RenderOptions): string {
  return options.colour === true ? `\u001B[${COLOURS[mark]}m[${mark}]\u001B[0m` : `[${mark}]`;
}
