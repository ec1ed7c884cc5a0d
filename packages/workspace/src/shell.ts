import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { foldName, type GraphStore, type GraphView, WarrantError } from '@warrant/core';
import type { AnalyzeOptions, ConceptMapping, MappedDomain } from '@warrant/shell';
import type { WorkspaceConfig } from './config/schema.ts';
import type { WorkspacePaths } from './paths.ts';
import { readNamed } from './read-named.ts';

/**
 * What the workspace knows about command lines: the home directory, and the programs that its settings teach.
 * @throws SHELL_PROGRAMS_INVALID with every fault of the file; WORKSPACE_IO where it cannot be read
 */
export async function shellOptions(
  paths: Pick<WorkspacePaths, 'folder'>,
  { shell }: Pick<WorkspaceConfig, 'shell'>,
): Promise<AnalyzeOptions> {
  if (shell.programs === undefined) return { home: homedir() };
  const { formatFault, readYaml } = await import('@warrant/core/documents');
  const { parsePrograms } = await import('@warrant/shell');
  const file = resolve(paths.folder, shell.programs);
  const read = readYaml({ file, text: await readNamed(file) });
  if (read.type === 'faulty')
    throw new WarrantError('SHELL_PROGRAMS_INVALID', read.faults.map(formatFault).join('\n'), { data: { file } });
  return { home: homedir(), programs: parsePrograms(read.document.value) };
}

/** The words for a command line: of the domains that the graph has, as it is now. */
export type ShellWords = (line: string) => Promise<ConceptMapping>;

/**
 * In whose words command lines are read: those of the seeds `filesystem`, `shell` and `git`, and of every domain that the
 * graph has a concept of, so that what somebody took out of a domain shows as a gap. `shell.domains` fixes them instead.
 * The graph is not asked for a plain line that names no program of a domain.
 */
export async function shellWords(
  graph: Pick<GraphStore, 'view'>,
  config: Pick<WorkspaceConfig, 'shell'>,
): Promise<ShellWords> {
  // What reads command lines is loaded with the first of them.
  let prepared: Promise<ShellWords> | undefined;
  return async (line) => {
    prepared ??= prepareWords(graph, config);
    return (await prepared)(line);
  };
}

async function prepareWords(
  graph: Pick<GraphStore, 'view'>,
  { shell }: Pick<WorkspaceConfig, 'shell'>,
): Promise<ShellWords> {
  const { defaultMapping, MAPPED_DOMAINS, mappingFor } = await import('@warrant/shell');
  const { domains } = shell;
  if (domains !== 'auto') {
    const fixed = mappingFor(domains);
    return () => Promise.resolve(fixed);
  }
  const common = wordsOf(defaultMapping);
  const words = MAPPED_DOMAINS.map((domain) => ({
    domain,
    own: [...wordsOf(mappingFor([domain]))].filter((word) => !common.has(word)),
  }));
  const names = words.flatMap(({ own }) => own);
  const programs = programsOf(mappingFor(MAPPED_DOMAINS), defaultMapping);
  let last: { readonly view: GraphView; readonly mapping: ConceptMapping } | undefined;
  return async (line) => {
    if (PLAIN.test(line) && !programs.some((program) => line.includes(program))) return defaultMapping;
    const view = await graph.view(names);
    if (last?.view === view) return last.mapping;
    const known = new Set(view.snapshot().primitives.map(({ name }) => foldName(name)));
    const found: MappedDomain[] = words
      .filter(({ own }) => own.some((word) => known.has(word)))
      .map(({ domain }) => domain);
    last = { view, mapping: mappingFor(found) };
    return last.mapping;
  };
}

/** Without quotes, expansions and the like: what is run is there to be read. */
const PLAIN = /^[\w\s./:,;&|=@%+-]*$/;

function wordsOf({ programs, wrappers = {}, ...always }: ConceptMapping): ReadonlySet<string> {
  const entries = [...Object.values(programs), ...Object.values(wrappers), ...Object.values(always)];
  return new Set(entries.flatMap((entry) => ('reads' in entry ? [...entry.reads, ...entry.changes] : entry)));
}

/** The programs of which one mapping says more than the other. */
function programsOf(more: ConceptMapping, less: ConceptMapping): readonly string[] {
  const changed = Object.entries(more.programs).filter(([name, concepts]) => less.programs[name] !== concepts);
  return [...new Set(changed.map(([name]) => name.split(' ')[0] as string))];
}
