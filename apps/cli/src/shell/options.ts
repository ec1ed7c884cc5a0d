import { homedir } from 'node:os';
import type { AnalyzeOptions } from '@warrant/shell';
import { findWorkspace, readConfig, shellOptions, workspacePaths } from '@warrant/workspace';

/** Where paths of a command line lead from here, with the programs that the workspace teaches, if there is one. */
export async function analyzeOptions(directory: string): Promise<AnalyzeOptions> {
  const workspace = findWorkspace(directory);
  if (workspace === undefined) return { directory, home: homedir() };
  const paths = workspacePaths(workspace);
  return { directory, ...(await shellOptions(paths, await readConfig(paths))) };
}
