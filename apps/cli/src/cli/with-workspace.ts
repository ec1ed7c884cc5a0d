import { resolve } from 'node:path';
import { isWarrantError } from '@warrant/core';
import { findWorkspace, openWorkspace, type Workspace } from '@warrant/workspace';
import type { CommandCall } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';

/** Runs work on the workspace of this directory or of one above it, and closes it whatever happens. */
export async function withWorkspace(
  call: CommandCall,
  work: (workspace: Workspace) => Promise<ExitCode>,
  options: { readonly readOnly?: boolean } = {},
): Promise<ExitCode> {
  const from = resolve(call.terminal.directory, call.options.directory ?? '.');
  const directory = findWorkspace(from);
  if (directory === undefined) {
    call.terminal.writeError(`There is no workspace at ${from} or above it; 'warrant init' makes one.\n`);
    return exitCodes.missing;
  }
  const workspace = await (options.readOnly === true
    ? openToRead(directory)
    : openWorkspace({ directory, create: false }));
  try {
    return await work(workspace);
  } finally {
    await workspace.close();
  }
}

/** Nothing is written, unless the file comes from an older version and has to be brought forward first. */
async function openToRead(directory: string): Promise<Workspace> {
  try {
    return await openWorkspace({ directory, readOnly: true });
  } catch (error) {
    if (!isWarrantError(error, 'SQLITE_SCHEMA_OLDER')) throw error;
    return openWorkspace({ directory, create: false });
  }
}
