import { type AnalyzeOptions, analyzeCommand } from './analyze.ts';
import { type ConceptMapping, defaultMapping, type ProgramConcepts } from './mapping.ts';
import { programName } from './names.ts';
import type { AnalysedCommand, Analysis } from './types.ts';

/** What cannot be known; no seed grounds this concept, so a guard refuses it. */
export const UNKNOWN_COMMAND = 'unknown-command';

/** The concepts of a knowledge graph that a command line touches, sorted and without repetition. */
export function conceptsFor(analysis: Analysis, mapping: ConceptMapping = defaultMapping): readonly string[] {
  const concepts = new Set(mapping.always);
  const add = (names: readonly string[]): void => {
    for (const name of names) concepts.add(name);
  };
  if (analysis.class === 'unknown') concepts.add(UNKNOWN_COMMAND);
  for (const command of analysis.commands) add(ofCommand(command, mapping));
  if (analysis.reads.length > 0 || analysis.optionReads.length > 0) add(mapping.reads);
  if (analysis.writes.length > 0 || analysis.unnamed.includes('writes')) add(mapping.writes);
  if (analysis.deletes.length > 0 || analysis.unnamed.includes('deletes')) add(mapping.deletes);
  if (usesNetwork(analysis, mapping)) add(mapping.network);
  return [...concepts].sort();
}

/** What an entry for a subcommand says (`git push`) already tells that a remote is asked. */
function usesNetwork(analysis: Analysis, mapping: ConceptMapping): boolean {
  if (analysis.network !== 'yes') return false;
  const users = analysis.commands.filter(({ network }) => network);
  return users.length === 0 || users.some((command) => !isSubcommandMapped(command, mapping));
}

function isSubcommandMapped({ argv, wrappers }: AnalysedCommand, mapping: ConceptMapping): boolean {
  const name = argv[0] == null ? null : programName(argv[0]);
  if (name === null || wrappers.includes('ssh')) return false;
  return argv.slice(1).some((word) => word !== null && Object.hasOwn(mapping.programs, `${name} ${word}`));
}

function ofCommand(command: AnalysedCommand, mapping: ConceptMapping): readonly string[] {
  const [first] = command.argv;
  const name = first == null ? null : programName(first);
  if (name === null) return [];
  const known = conceptsOf(entriesOf(mapping, name, command.argv), command);
  const changes = command.class === 'write' && command.writes.length + command.deletes.length === 0;
  return [
    ...known,
    ...(changes && known.length === 0 ? mapping.changes : []),
    ...(command.remote ? mapping.remote : []),
    ...command.wrappers.flatMap((wrapper) => mapping.wrappers?.[wrapper] ?? []),
  ];
}

/** What may do anything counts as a change. */
function conceptsOf(concepts: ProgramConcepts, command: AnalysedCommand): readonly string[] {
  if (!('reads' in concepts)) return concepts;
  return command.changesState || command.class === 'unknown' ? concepts.changes : concepts.reads;
}

/** The most exact entry that fits: `git push` before `git`. */
function entriesOf(mapping: ConceptMapping, name: string, argv: readonly (string | null)[]): ProgramConcepts {
  const { programs } = mapping;
  for (const word of argv.slice(1)) {
    const key = `${name} ${word ?? ''}`;
    if (word !== null && Object.hasOwn(programs, key)) return programs[key] ?? [];
  }
  return Object.hasOwn(programs, name) ? (programs[name] ?? []) : [];
}

/** One target, several, or null where nobody knows. */
export function cardinalityFor(analysis: Analysis): 'single' | 'multiple' | null {
  if (analysis.class === 'unknown') return null;
  const changed = [...analysis.writes, ...analysis.deletes];
  const targets = changed.length > 0 ? changed : analysis.reads;
  if (analysis.commands.some(isRecursive)) return 'multiple';
  const paths = new Set(targets.map(({ path }) => path));
  if (paths.size > 1) return 'multiple';
  return paths.has(null) || analysis.unnamed.length > 0 ? null : 'single';
}

const RECURSIVE = new Set(['rm', 'cp', 'chmod', 'chown', 'chgrp', 'scp', 'zip', 'grep', 'rsync']);

function isRecursive(command: AnalysedCommand): boolean {
  const [first, ...args] = command.argv;
  const name = first == null ? null : programName(first);
  if (command.wrappers.includes('find') || command.wrappers.includes('xargs') || command.wrappers.includes('parallel'))
    return true;
  if (name === 'find') return args.includes('-delete');
  if (name === null || !RECURSIVE.has(name)) return false;
  return args.some((word) => word !== null && (/^--(?:recurs|archive)/.test(word) || /^-[a-zA-Z]*[rRa]/.test(word)));
}

export type ShellConceptOptions = AnalyzeOptions & {
  /** The name of the argument that holds the command line, for tools that take one object. @default 'command' */
  readonly argument?: string;
  /** @default {@link defaultMapping} */
  readonly mapping?: ConceptMapping;
};

/**
 * For `guard(runShell, { concepts: shellConcepts() })`: finds the command line among the tool's arguments
 * (the first text, or `command` of the first object) and gives its concepts; without one, `unknown-command`.
 */
export function shellConcepts(options: ShellConceptOptions = {}): (...args: readonly unknown[]) => readonly string[] {
  return (...args) => {
    const analysis = analysisOf(args, options);
    return analysis === null ? [UNKNOWN_COMMAND] : conceptsFor(analysis, options.mapping);
  };
}

/** For `guard(runShell, { cardinality: shellCardinality() })`; null where nobody knows, so every policy is considered. */
export function shellCardinality(
  options: Omit<ShellConceptOptions, 'mapping'> = {},
): (...args: readonly unknown[]) => 'single' | 'multiple' | null {
  return (...args) => {
    const analysis = analysisOf(args, options);
    return analysis === null ? null : cardinalityFor(analysis);
  };
}

function analysisOf(args: readonly unknown[], options: ShellConceptOptions): Analysis | null {
  const { argument = 'command', mapping: _, ...rest } = options;
  const [first] = args;
  const value = typeof first === 'object' && first !== null ? (first as Record<string, unknown>)[argument] : first;
  return typeof value === 'string' ? analyzeCommand(value, rest) : null;
}
