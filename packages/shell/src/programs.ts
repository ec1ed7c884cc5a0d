import { type JsonObject, WarrantError } from '@warrant/core';
import type { OptionAction } from './options.ts';
import { isLauncher } from './table/launchers.ts';
import { builtInPrograms } from './table/lookup.ts';
import type { ProgramSpec } from './table/spec.ts';
import { isWrapper } from './wrappers/index.ts';

/** A checked table of a person's own programs. */
export type Programs = { readonly entries: ReadonlyMap<string, ProgramSpec> };

/** What is wrong with an entry, and where, as a JSON Pointer. */
export type ProgramIssue = {
  readonly pointer: string;
  readonly code: 'not-an-object' | 'bad-name' | 'unknown-key' | 'bad-value' | 'runs-programs' | 'weakens';
  readonly message: string;
};

const CLASSES = ['read', 'write', 'unknown'];
const OPERANDS = ['ignored', 'reads', 'writes', 'deletes', 'pattern', 'copy', 'move', 'link', 'somewhere', 'change'];
const ACTIONS: readonly OptionAction[] = [
  'none',
  'read',
  'write',
  'write-null',
  'delete',
  'aside',
  'change',
  'unknown',
  'pattern',
  'network',
];
const OPTION = /^-[^\s,:=?]*(?:,-[^\s,:=?]*)*[=?]?(?::([a-z-]+))?$/;
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.+-]*$/;

/**
 * The entries under `shell.programs`, checked.
 * @throws SHELL_PROGRAMS_INVALID with all issues
 */
export function parsePrograms(value: unknown): Programs {
  const issues = lintPrograms(value);
  if (issues.length > 0) {
    throw new WarrantError<'SHELL_PROGRAMS_INVALID', JsonObject>(
      'SHELL_PROGRAMS_INVALID',
      `${issues.length} ${issues.length === 1 ? 'issue' : 'issues'} in the table of programs, the first at ${issues[0]?.pointer}`,
      { data: { issues: issues.map(({ pointer, code, message }) => ({ pointer, code, message })) } },
    );
  }
  const given = value as Readonly<Record<string, Omit<ProgramSpec, 'names'>>>;
  return {
    entries: new Map(Object.entries(given).map(([name, entry]) => [name, { ...entry, names: name, taught: true }])),
  };
}

/** What is wrong with a table of programs; empty for a good one. */
export function lintPrograms(value: unknown): readonly ProgramIssue[] {
  if (!isRecord(value))
    return [{ pointer: '', code: 'not-an-object', message: 'the table is an object of programs by name' }];
  return Object.entries(value).flatMap(([name, entry]) => {
    const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!NAME.test(name)) return [{ pointer, code: 'bad-name', message: 'a program has a plain base name' } as const];
    if (!isRecord(entry)) return [{ pointer, code: 'not-an-object', message: 'an entry is an object' } as const];
    return [...lintEntry(entry, pointer, true), ...lintPower(name, entry, pointer)];
  });
}

function lintEntry(entry: Readonly<Record<string, unknown>>, pointer: string, top: boolean): readonly ProgramIssue[] {
  const issues: ProgramIssue[] = [];
  const bad = (key: string, message: string): void =>
    void issues.push({ pointer: `${pointer}/${key}`, code: 'bad-value', message });
  const keys = top
    ? ['class', 'operands', 'options', 'strict', 'network', 'subcommands']
    : ['class', 'operands', 'options', 'strict', 'network'];
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key))
      issues.push({ pointer: `${pointer}/${key}`, code: 'unknown-key', message: `there are ${keys.join(', ')}` });
  }
  if (!CLASSES.includes(entry['class'] as string)) bad('class', `one of ${CLASSES.join(', ')}`);
  if (entry['operands'] !== undefined && !OPERANDS.includes(entry['operands'] as string))
    bad('operands', `one of ${OPERANDS.join(', ')}`);
  for (const key of ['strict', 'network']) {
    if (entry[key] !== undefined && typeof entry[key] !== 'boolean') bad(key, 'true or false');
  }
  if (entry['options'] !== undefined && !areOptions(entry['options']))
    bad('options', 'options as `-o,--output=:write -v`');
  if (top && entry['subcommands'] !== undefined)
    issues.push(...lintSubcommands(entry['subcommands'], `${pointer}/subcommands`));
  return issues;
}

function lintSubcommands(value: unknown, pointer: string): readonly ProgramIssue[] {
  if (!isRecord(value)) return [{ pointer, code: 'not-an-object', message: 'subcommands are an object by name' }];
  return Object.entries(value).flatMap(([name, entry]) => {
    const at = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (!NAME.test(name)) return [{ pointer: at, code: 'bad-name', message: 'a subcommand has a plain name' } as const];
    return isRecord(entry)
      ? lintEntry(entry, at, false)
      : [{ pointer: at, code: 'not-an-object', message: 'an entry is an object' } as const];
  });
}

function areOptions(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return value
    .split(' ')
    .filter(Boolean)
    .every((token) => {
      const match = OPTION.exec(token);
      return match !== null && (match[1] === undefined || ACTIONS.includes(match[1] as OptionAction));
    });
}

/** A program that runs other programs stays what it is; a known one may only become stricter. */
function lintPower(name: string, entry: Readonly<Record<string, unknown>>, pointer: string): readonly ProgramIssue[] {
  const isStrictest = entry['class'] === 'unknown' && entry['subcommands'] === undefined;
  if (isStrictest) return [];
  if (isWrapper(name) || isLauncher(name)) {
    return [{ pointer, code: 'runs-programs', message: `${name} runs what follows it; only class unknown can be set` }];
  }
  const known = builtInPrograms().get(name);
  if (known === undefined) return [];
  const message =
    known.class === 'unknown' || known.rule !== undefined
      ? 'has rules that data cannot replace'
      : 'is in the table already';
  return [{ pointer, code: 'weakens', message: `${name} ${message}; only class unknown can be set` }];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
