import { resolve } from 'node:path';
import { isWarrantError } from '@warrant/core';
import { findWorkspace, openWorkspace, type Workspace } from '@warrant/workspace';
import type { CommandCall } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { refuse } from './failure.ts';
import { bundledDriver } from './sqlite-driver.ts';

type How = {
  readonly readOnly?: boolean;
  /** The work is short and often done: closing the file, which takes the disk longer than the work, is left to a later one. @default false */
  readonly brief?: boolean;
};

/** Runs work on the workspace of this directory or of one above it, and closes it whatever happens. */
export function withWorkspace(
  call: CommandCall,
  work: (workspace: Workspace) => Promise<ExitCode>,
  options: How = {},
): Promise<ExitCode> {
  return inWorkspace(call, async (directory) => {
    const { environment, notes } = call.terminal;
    const workspace = await (options.readOnly === true
      ? openToRead(directory, environment)
      : openWorkspace({ directory, create: false, environment, driver: bundledDriver() }));
    let done = false;
    try {
      const code = await work(workspace);
      done = true;
      return code;
    } finally {
      if (done && options.brief === true && notes !== undefined) {
        await workspace.settle();
        notes.left();
      } else await workspace.close();
    }
  });
}

/** Runs work in the folder of the workspace, without opening it; where there is none, says so. */
export async function inWorkspace(
  call: CommandCall,
  work: (directory: string) => Promise<ExitCode>,
): Promise<ExitCode> {
  const from = resolve(call.terminal.directory, call.options.directory ?? '.');
  const directory = findWorkspace(from);
  if (directory !== undefined) return work(directory);
  const message = `There is no workspace at ${from} or above it; 'warrant init' makes one.`;
  return refuse(call, exitCodes.missing, 'CLI_NO_WORKSPACE', message);
}

type Environment = CommandCall['terminal']['environment'];

/** Nothing is written, unless the file has no graph yet or comes from an older version and has to be brought forward first. */
async function openToRead(directory: string, environment: Environment): Promise<Workspace> {
  const driver = bundledDriver();
  try {
    return await openWorkspace({ directory, readOnly: true, environment, driver });
  } catch (error) {
    const isUnmade = isWarrantError(error, 'SQLITE_SCHEMA_OLDER') || isWarrantError(error, 'GRAPH_SCHEMA_MISSING');
    if (!isUnmade) throw error;
    return openWorkspace({ directory, create: false, environment, driver });
  }
}
