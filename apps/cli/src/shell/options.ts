import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { AnalyzeOptions } from '@warrant/shell';
import { findWorkspace, readConfig, workspacePaths } from '@warrant/workspace';

/** Where paths of a command line lead from here, with the programs that the workspace teaches, if there is one. */
export async function analyzeOptions(directory: string): Promise<AnalyzeOptions> {
  const base = { directory, home: homedir() };
  const workspace = findWorkspace(directory);
  if (workspace === undefined) return base;
  const paths = workspacePaths(workspace);
  const { shell } = await readConfig(paths);
  if (shell.programs === undefined) return base;
  const { readYaml, formatFault } = await import('@warrant/core/documents');
  const { parsePrograms } = await import('@warrant/shell');
  const file = resolve(paths.folder, shell.programs);
  const read = readYaml({ file, text: await readFile(file) });
  if (read.type === 'faulty') {
    const { WarrantError } = await import('@warrant/core');
    throw new WarrantError('SHELL_PROGRAMS_INVALID', read.faults.map(formatFault).join('\n'));
  }
  return { ...base, programs: parsePrograms(read.document.value) };
}
