import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { WarrantError } from '@warrant/core';
import type { AnalyzeOptions } from '@warrant/shell';
import type { WorkspaceConfig } from './config/schema.ts';
import type { WorkspacePaths } from './paths.ts';

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
  const read = readYaml({ file, text: await readBytes(file) });
  if (read.type === 'faulty')
    throw new WarrantError('SHELL_PROGRAMS_INVALID', read.faults.map(formatFault).join('\n'), { data: { file } });
  return { home: homedir(), programs: parsePrograms(read.document.value) };
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new WarrantError('WORKSPACE_IO', `${file} cannot be read`, { data: { file }, cause });
  }
}
