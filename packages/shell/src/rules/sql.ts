import {
  CHANGING_WORDS,
  COMPUTING_FUNCTIONS,
  GRAMMAR_WORDS,
  INSPECTING_PRAGMAS,
  READ_DOT_COMMANDS,
  READ_PRAGMAS,
} from './sql-words.ts';

type SqlDialect = 'sqlite' | 'postgres' | 'mysql';

type Token = { readonly kind: 'word' | 'quoted' | 'string' | 'sign'; readonly text: string };
type Statement = readonly Token[];

// The alternatives exclude each other by their first characters, so that no text makes them go back.
const TOKEN =
  /([ \t\f\r\n])|(--[^\n]*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)|('(?:[^']|'')*')|("(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\])|([A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)|(\.?\d[\w.]*|[\s\S])/y;
/** What clients of other databases read in ways of their own. */
const AMBIGUOUS = /[\\#$[]|--|\/\*/;

/** A line that ends a statement in SQLite's shell, as it does in those of others. */
const ENDS_STATEMENT = /^[ \t]*(?:go\b|\/(?!\*))/im;

/** True for statements that only look, whatever the database holds; false where anybody may read them otherwise. */
export function sqlOnlyReads(text: string, dialect: SqlDialect): boolean {
  if (dialect !== 'sqlite' && AMBIGUOUS.test(text)) return false;
  const statements = statementsIn(text, false);
  return statements !== null && statements.length > 0 && statements.every((one) => onlyReads(one, dialect));
}

/** True for one argument of SQLite's shell, a command of its own or SQL, that only looks. */
export function sqliteArgumentOnlyReads(text: string): boolean {
  const bare = text.trim();
  if (bare.startsWith('.')) return !bare.includes('\n') && dotOnlyReads(bare);
  // Some releases read each line of an argument for itself.
  return !/\n[ \t]*[.#/]/.test(text) && sqlOnlyReads(text, 'sqlite');
}

/** True for the input of SQLite's shell, its own commands and SQL in turn, that only looks. */
export function sqliteScriptOnlyReads(text: string): boolean {
  if (ENDS_STATEMENT.test(text)) return false;
  const statements = statementsIn(text, true);
  return statements?.every((one) => onlyReads(one, 'sqlite')) === true;
}

function dotOnlyReads(line: string): boolean {
  const name = /^\.([a-z0-9]+)(?:\s|$)/.exec(line)?.[1];
  return name !== undefined && READ_DOT_COMMANDS.has(name);
}

/**
 * Statements without blanks and comments, those of nothing left out; null for what does not end, or for a line that is a
 * command and does more than show something.
 */
function statementsIn(text: string, commands: boolean): readonly Statement[] | null {
  const statements: Token[][] = [[]];
  let between = commands;
  let at = 0;
  while (at < text.length) {
    if (between && (at === 0 || text.charAt(at - 1) === '\n') && /[.#/]/.test(text.charAt(at))) {
      const end = text.indexOf('\n', at);
      if (!dotOnlyReads(text.slice(at, end < 0 ? text.length : end))) return null;
      at = end < 0 ? text.length : end;
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) return null;
    at = TOKEN.lastIndex;
    const [all, blank, comment] = match;
    if (blank !== undefined) continue;
    if (comment !== undefined) {
      if (all.includes('\n')) between = false;
      continue;
    }
    if (all === ';') {
      statements.push([]);
      between = commands;
      continue;
    }
    if (opensOnly(all, text.charAt(at))) return null;
    between = false;
    statements.at(-1)?.push(tokenOf(match));
  }
  return statements.filter((statement) => statement.length > 0);
}

/** A quote, bracket or comment that is never closed. */
function opensOnly(sign: string, next: string): boolean {
  return /^['"`[]$/.test(sign) || (sign === '/' && next === '*');
}

function tokenOf([all, , , string, quoted, word]: RegExpExecArray): Token {
  if (string !== undefined) return { kind: 'string', text: all };
  if (quoted !== undefined) return { kind: 'quoted', text: all.slice(1, -1).toLowerCase() };
  return { kind: word === undefined ? 'sign' : 'word', text: all.toLowerCase() };
}

const VERBS: Readonly<Record<SqlDialect, ReadonlySet<string>>> = {
  sqlite: new Set(['select', 'with', 'values']),
  postgres: new Set(['select', 'with', 'values', 'table', 'show']),
  mysql: new Set(['select', 'with', 'values', 'table', 'show', 'describe', 'desc']),
};
const EXPLAINS: ReadonlySet<string> = new Set(['explain', 'query', 'plan', 'analyze', 'verbose']);

function onlyReads(statement: Statement, dialect: SqlDialect): boolean {
  const [first] = statement;
  if (first?.kind !== 'word') return false;
  if (dialect === 'sqlite' && first.text === 'pragma') return pragmaOnlyReads(statement.slice(1));
  const from = first.text === 'explain' ? statement.findIndex(({ text }) => !EXPLAINS.has(text)) : 0;
  const verb = statement[from];
  if (verb?.kind !== 'word' || !VERBS[dialect].has(verb.text)) return false;
  return !statement.some((token, at) => changes(token) || callsOther(statement, at));
}

function changes({ kind, text }: Token): boolean {
  return kind === 'word' && CHANGING_WORDS.has(text);
}

/** True where something before a parenthesis is neither grammar nor a function that only computes. */
function callsOther(statement: Statement, at: number): boolean {
  const token = statement[at] as Token;
  if (token.kind === 'sign' || statement[at + 1]?.text !== '(') return false;
  if (token.kind === 'word' && GRAMMAR_WORDS.has(token.text)) return false;
  if (token.kind === 'string' || statement[at - 1]?.text === '.') return true;
  return !COMPUTING_FUNCTIONS.has(token.text) && !namesPart(statement, at);
}

/** `WITH name(column, ...) AS (`: names a part of the query. */
function namesPart(statement: Statement, at: number): boolean {
  const before = statement[at - 1]?.text;
  if (before !== 'with' && before !== 'recursive' && before !== ',') return false;
  let close = at + 2;
  while (isName(statement[close]) || statement[close]?.text === ',') close += 1;
  return statement[close]?.text === ')' && statement[close + 1]?.text === 'as';
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'quoted';
}

function pragmaOnlyReads(given: Statement): boolean {
  const rest = given[1]?.text === '.' ? given.slice(2) : given;
  const [name, open, argument, close] = rest;
  if (name?.kind !== 'word') return false;
  if (rest.length === 1) return READ_PRAGMAS.has(name.text) || INSPECTING_PRAGMAS.has(name.text);
  if (rest.length !== 4 || open?.text !== '(' || close?.text !== ')' || argument === undefined) return false;
  return INSPECTING_PRAGMAS.has(name.text);
}
