import { has, type ParsedArguments } from '../options.ts';
import { touch, unknown } from '../sink.ts';
import type { Word } from '../syntax/tree.ts';
import { type ProgramCall, parse } from './call.ts';
import { sqliteArgumentOnlyReads, sqliteScriptOnlyReads, sqlOnlyReads } from './sql.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Options of SQLite's shell that change how it shows what it reads. */
const FLAGS = set(
  'ascii bail batch box column csv echo header headers html json line list markdown nofollow noheader quote readonly safe ' +
    'stats table tabs',
);
const VALUES = set('escape maxsize newline nullvalue separator');

type SqliteCall = {
  readonly database: Word | null;
  /** What `-cmd` gives, which is run first, whatever else is asked for. */
  readonly commands: readonly Word[];
  /** What is run after that; where there is none, the input is read. */
  readonly statements: readonly Word[];
  /** Asked for its version or its help, it runs nothing but the commands. */
  readonly informs: boolean;
};

/** SQLite's shell: a database is read where each command and statement on the line, or in its here-document, only looks. */
export function sqlite(call: ProgramCall): void {
  const { sink } = call;
  const parsed = sqliteCall(call);
  if (parsed === null) return;
  const { database, commands, statements, informs } = parsed;
  if (database !== null && !informs) touchDatabase(call, database);
  const pieces = informs ? commands : [...commands, ...statements];
  const harmful = pieces.find(({ text }) => text !== null && !sqliteArgumentOnlyReads(text));
  const dynamic = pieces.find(({ text }) => text === null);
  if (dynamic !== undefined) unknown(sink, 'dynamic-script', dynamic);
  if (harmful !== undefined) unknown(sink, 'runs-code', harmful);
  if (informs || statements.length > 0) return;
  const { input } = call;
  const body = input?.kind === 'here' ? input.body : null;
  if (body === null) unknown(sink, 'script', call.own);
  else if (!sqliteScriptOnlyReads(body)) unknown(sink, 'runs-code', call.own);
}

/** The words of the call; null where one of them may do anything, which is noted. */
function sqliteCall(call: ProgramCall): SqliteCall | null {
  const operands: Word[] = [];
  const commands: Word[] = [];
  let informs = false;
  for (let at = 0; at < call.args.length; at += 1) {
    const word = call.args[at] as Word;
    const { text } = word;
    if (text === null && !word.operandOnly && !(operands.length > 0 && !word.splits && /^[^-]/.test(word.lead))) {
      unknown(call.sink, 'undetermined-option', word);
      return null;
    }
    if (text === null || !text.startsWith('-')) {
      operands.push(word);
      continue;
    }
    const name = text.replace(/^--?/, '');
    const value = call.args[at + 1];
    if (name === 'help' || name === 'version') informs = true;
    else if (FLAGS.has(name)) continue;
    else if ((VALUES.has(name) || name === 'cmd') && value !== undefined && !value.splits) {
      if (name === 'cmd') commands.push(value);
      at += 1;
    } else {
      unknown(call.sink, 'unknown-option', word);
      return null;
    }
  }
  const [database = null, ...statements] = operands;
  return { database, commands, statements, informs };
}

const HARMLESS_URI =
  /^file:(?!\/\/)([^?#%]*)(?:\?(?:(?:mode=(?:ro|memory)|immutable=[01]|cache=(?:shared|private))&?)+)?$/;

function touchDatabase({ sink }: ProgramCall, database: Word): void {
  if (database.text === ':memory:' || database.text === '') return;
  if (database.text?.startsWith('file:') !== true) return touch(sink, 'reads', database);
  const path = HARMLESS_URI.exec(database.text)?.[1];
  if (path === undefined) unknown(sink, 'unknown-option', database);
  else touch(sink, 'reads', { ...database, text: path, lead: path, tilde: 'no' });
}

const PSQL =
  '-c,--command=:data -d,--dbname= -h,--host= -p,--port= -U,--username= -F,--field-separator= -R,--record-separator= ' +
  '-P,--pset= -A,--no-align -t,--tuples-only -x,--expanded -q,--quiet -w,--no-password -X,--no-psqlrc -1,--single-transaction ' +
  '-E,--echo-hidden -e,--echo-queries -b,--echo-errors -H,--html -z -0 --csv -l,--list';
const MYSQL =
  '-e,--execute=:data -D,--database= -h,--host= -P,--port= -u,--user= -p,--password? -S,--socket= -N,--skip-column-names ' +
  '-B,--batch -t,--table -s,--silent -E,--vertical -r,--raw -A,--no-auto-rehash -C,--compress -X,--xml -H,--html --ssl-mode= ' +
  '--protocol= --default-character-set=';
const BACKSLASH = /^\\(?:d[a-zA-Z]*[+S]*|l\+?|z|conninfo|encoding)(?:\s+[\w.*?"]+)?\s*$/;

/** The client of PostgreSQL, given what it asks on the line. */
export function psql(call: ProgramCall): void {
  client(call, PSQL, (text) => BACKSLASH.test(text) || sqlOnlyReads(text, 'postgres'));
}

/** The client of MySQL and MariaDB. */
export function mysql(call: ProgramCall): void {
  client(call, MYSQL, (text) => sqlOnlyReads(text.replace(/\\G\s*(?:;\s*)?$/, ''), 'mysql'));
}

function client(call: ProgramCall, options: string, onlyReads: (text: string) => boolean): void {
  const { sink } = call;
  const parsed = parse(call, options);
  const doubtful = parsed.undetermined ?? parsed.flags[0] ?? null;
  if (doubtful !== null) return unknown(sink, 'undetermined-option', doubtful);
  const given = scriptsOf(parsed);
  if (given.length === 0 && !has(parsed, '-l')) return unknown(sink, 'script', call.own);
  for (const word of given) {
    if (word.text === null) unknown(sink, 'dynamic-script', word);
    else if (!onlyReads(word.text)) unknown(sink, 'runs-code', word);
  }
  if (sink.unknowns.length === 0) sink.network = true;
}

function scriptsOf({ options }: ParsedArguments): readonly Word[] {
  return options.flatMap(({ spec, word, value }) => (spec.action === 'data' ? [value ?? { ...word, text: null }] : []));
}
