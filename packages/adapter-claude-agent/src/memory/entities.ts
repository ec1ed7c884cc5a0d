import { basename } from 'node:path';
import type { Analysis } from '@warrant/shell';
import type { HookCall } from '../hook-event.ts';
import { textsAt } from '../pointers.ts';

const FILE_TOOLS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);
const FILES = ['/file_path', '/notebook_path', '/path', '/edits/*/file_path'];
const SELECTS = ['--select', '-s', '--models', '-m'];
const MOST = 20;

/**
 * What a call is about to touch, by the names under which something may be remembered: files of editing tools, the model
 * of an `.sql` file, what a line selects, and what is staged when a commit is made.
 * @param staged paths that are staged; asked only for a commit
 */
export function entitiesOf(
  call: HookCall,
  analysis: Analysis | null,
  staged: () => readonly string[] = () => [],
): readonly string[] {
  const found = FILE_TOOLS.has(call.tool)
    ? FILES.flatMap((pointer) => textsAt(call.arguments, pointer)).flatMap(withModel)
    : lineEntities(analysis, staged);
  return [...new Set(found)].slice(0, MOST);
}

function withModel(path: string): readonly string[] {
  return path.endsWith('.sql') ? [path, basename(path, '.sql')] : [path];
}

function lineEntities(analysis: Analysis | null, staged: () => readonly string[]): readonly string[] {
  if (analysis === null) return [];
  return analysis.commands.flatMap(({ argv }) => {
    if (argv[0] === 'git' && argv.includes('commit')) return staged().flatMap(withModel);
    return argv[0] === 'dbt' ? selected(argv) : selectedByName(argv);
  });
}

function selected(argv: readonly (string | null)[]): readonly string[] {
  return argv.flatMap((word, index) => {
    if (word === null) return [];
    const [name, value] = word.split('=', 2);
    if (!SELECTS.includes(name as string)) return [];
    return names(value ?? argv[index + 1] ?? null);
  });
}

/** Only the long option says what it means with any program. */
function selectedByName(argv: readonly (string | null)[]): readonly string[] {
  return selected(argv.map((word) => (word === '-s' || word === '-m' || word === '--models' ? null : word)));
}

/** `+model,other` selects two models and what one stands on. */
function names(value: string | null): readonly string[] {
  if (value === null || value.startsWith('-')) return [];
  return value
    .split(/[\s,]+/)
    .map((one) => one.replace(/^[+@\d]+|[+\d]+$/g, ''))
    .filter((one) => /^[\w./*:-]+$/.test(one));
}
