import { existsSync } from 'node:fs';
import { dirname, join, parse } from 'node:path';

/** Name of the folder that makes a directory a workspace. */
export const WORKSPACE_FOLDER = '.warrant';

/** Where everything of a workspace lies. */
export type WorkspacePaths = {
  readonly directory: string;
  readonly folder: string;
  readonly config: string;
  /** The settings as they were last checked. */
  readonly configReading: string;
  readonly database: string;
  readonly agents: string;
  /** Key under which secrets are replaced; never leaves this machine. */
  readonly secretKey: string;
  readonly traces: string;
  readonly backups: string;
  /** Folder of the memory; it is made when the memory is first opened. */
  readonly memory: string;
};

export function workspacePaths(directory: string): WorkspacePaths {
  const folder = join(directory, WORKSPACE_FOLDER);
  return {
    directory,
    folder,
    config: join(folder, 'warrant.yaml'),
    configReading: join(folder, 'warrant.reading.json'),
    database: join(folder, 'warrant.db'),
    agents: join(folder, 'agents.json'),
    secretKey: join(folder, 'secret.key'),
    traces: join(folder, 'traces'),
    backups: join(folder, 'backups'),
    memory: join(folder, 'memory'),
  };
}

/** The nearest directory, from here upwards, that is a workspace. */
export function findWorkspace(from: string): string | undefined {
  const { root } = parse(from);
  for (let directory = from; ; directory = dirname(directory)) {
    if (existsSync(join(directory, WORKSPACE_FOLDER, 'warrant.yaml'))) return directory;
    if (directory === root) return undefined;
  }
}
