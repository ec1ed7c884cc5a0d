import type { ParsedScript } from 'unbash';
import { assignedNames } from './arithmetic.ts';
import type { ArithmeticPlace, Hazard, HazardCode, NameUse, Script } from './tree.ts';

/** How a nested script is read; given by the reader, which needs words in turn. */
export type ReadNested = (context: ReadContext, script: ParsedScript, span: { pos: number; end: number }) => Script;

/** What one reading gathers while it turns the parser's tree into ours. */
export type ReadContext = {
  readonly source: string;
  readonly nested: ReadNested;
  /** Set inside a backquoted script with escapes, whose positions index a text of its own. */
  readonly origin: { readonly pos: number; readonly end: number } | null;
  /** A character that stands for a value not known before the line runs. */
  readonly placeholder: string | null;
  readonly problems: { readonly message: string; readonly pos: number }[];
  readonly hazards: Hazard[];
  readonly places: ArithmeticPlace[];
  readonly names: Map<string, NameUse>;
  /** What is still allowed in the whole text: results of braces, and signs of words whose parts are looked at. */
  readonly budget: { braces: number; signs: number };
};

/** Sixteen times the longest text: each level of substitutions is read once more, and some hold all that follows them. */
const MAX_SIGNS = 1_048_576;

/** The empty state of a reading. */
export function createContext(source: string, placeholder: string | null, nested: ReadNested): ReadContext {
  return {
    source,
    nested,
    origin: null,
    placeholder,
    problems: [],
    hazards: [],
    places: [],
    names: new Map(),
    budget: { braces: 2048, signs: MAX_SIGNS },
  };
}

export function posOf(context: ReadContext, pos: number): number {
  return context.origin?.pos ?? pos;
}

export function endOf(context: ReadContext, end: number): number {
  return context.origin?.end ?? end;
}

/** False, and a problem of the line, once its substitutions stand in each other so deep that reading them all would take seconds. */
export function mayReadParts(context: ReadContext, word: { readonly text: string; readonly pos: number }): boolean {
  const { budget, problems } = context;
  if (budget.signs < 0) return false;
  budget.signs -= word.text.length;
  if (budget.signs >= 0) return true;
  problems.push({ message: 'the substitutions are nested too deeply', pos: posOf(context, word.pos) });
  return false;
}

export function addHazard(context: ReadContext, code: HazardCode, span: { pos: number; end: number }): void {
  context.hazards.push({ code, pos: posOf(context, span.pos), end: endOf(context, span.end) });
}

/** Notes a text that bash will evaluate as arithmetic, and the names that it assigns. */
export function addPlace(context: ReadContext, text: string, span: { pos: number; end: number }): void {
  context.places.push({ text, pos: posOf(context, span.pos), end: endOf(context, span.end) });
  if (!text.includes('=')) return;
  for (const name of assignedNames(text)) setName(context, name, 'integer', span);
}

/** A name is an integer only as long as nothing else is ever assigned to it. */
export function setName(
  context: ReadContext,
  name: string,
  kind: 'integer' | 'other',
  span: { pos: number; end: number },
): void {
  const known = context.names.get(name);
  const pos = posOf(context, span.pos);
  context.names.set(name, { kind: known?.kind === 'other' ? 'other' : kind, pos: Math.min(pos, known?.pos ?? pos) });
  if (isSensitive(name)) addHazard(context, 'sensitive-variable', span);
}

const SENSITIVE = new Set(
  (
    'PATH BASH_ENV ENV IFS SHELLOPTS BASHOPTS PS4 PROMPT_COMMAND CDPATH GLOBIGNORE PAGER EDITOR VISUAL BROWSER ' +
    'LESSOPEN LESSCLOSE MANPAGER NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONSTARTUP PYTHONHOME PERL5OPT PERL5LIB ' +
    'PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS SSH_ASKPASS SUDO_ASKPASS HOME http_proxy https_proxy HTTP_PROXY ' +
    'HTTPS_PROXY ALL_PROXY LESS TAR_OPTIONS RSYNC_RSH RSYNC_CONNECT_PROG RIPGREP_CONFIG_PATH WGETRC CURL_HOME ' +
    'KUBECONFIG ZIPOPT XDG_CONFIG_HOME'
  ).split(' '),
);
const HARMLESS_GIT = /^GIT_(?:(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|TERMINAL_PROMPT)$/;

/** True for a variable through which programs are made to run other programs or to read another configuration. */
export function isSensitive(name: string): boolean {
  if (SENSITIVE.has(name)) return true;
  if (name.startsWith('GIT_')) return !HARMLESS_GIT.test(name);
  if (name.startsWith('LD_') || name.startsWith('DYLD_') || name.startsWith('BASH_FUNC_')) return true;
  return name.slice(0, 11).toLowerCase() === 'npm_config_';
}
