import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { HumanHandle } from '@warrant/memory';
import { loadSettings } from '@warrant/memory/files';
import { type OpenedMemory, openMemory } from '@warrant/memory/sqlite';
import { findWorkspace, openWorkspace, WORKSPACE_FOLDER, type Workspace } from '@warrant/workspace';
import type { Command } from 'commander';
import type { CommandCall } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';

export type MemoryOptions = { readonly memory?: string; readonly as?: string };
/** An opened memory and the person who works on it. */
export type MemoryDesk = {
  readonly memory: OpenedMemory;
  readonly person: string;
  readonly human: HumanHandle;
  /** The workspace whose queue takes proposals; absent without one, or where none was asked for. */
  readonly workspace?: Workspace;
};

/** Declares what every command of a memory takes. */
export function withMemoryOptions(command: Command): Command {
  return command
    .option('--memory <folder>', "where it lies (default: WARRANT_MEMORY, else the workspace's .warrant/memory)")
    .option('--as <name>', 'the person who acts', 'person');
}

type How = {
  /** Makes a memory that is not there. @default false */
  readonly create?: boolean;
  /** Opens the workspace's review queue too, where there is a workspace. @default false */
  readonly review?: boolean;
};

/** Runs work on the memory that a call is about, and closes it whatever happens. */
export async function withMemory(
  call: CommandCall<MemoryOptions>,
  work: (desk: MemoryDesk) => Promise<ExitCode>,
  how: How = {},
): Promise<ExitCode> {
  const from = resolve(call.terminal.directory, call.options.directory ?? '.');
  const found = findWorkspace(from);
  const folder = memoryFolder(call, found ?? from);
  if (how.create !== true && !existsSync(join(folder, 'memory.db')))
    return refuse(
      call,
      exitCodes.missing,
      'CLI_NO_MEMORY',
      `There is no memory in ${folder}; 'warrant memory add' makes one.`,
    );
  const own = found !== undefined && folder === join(found, WORKSPACE_FOLDER, 'memory');
  // A memory that lies elsewhere has no part in this workspace's queue: approving there would change another memory.
  if (how.review !== true || !own) return at(call, openMemory({ folder, ...loadSettings(folder) }), undefined, work);
  const workspace = await openWorkspace({ directory: found, create: false });
  try {
    return await at(call, await workspace.memory(), workspace, work);
  } finally {
    await workspace.close();
  }
}

function memoryFolder(call: CommandCall<MemoryOptions>, base: string): string {
  const given = call.options.memory ?? call.terminal.environment['WARRANT_MEMORY'];
  return given === undefined || given === ''
    ? join(base, WORKSPACE_FOLDER, 'memory')
    : resolve(call.terminal.directory, given);
}

async function at(
  call: CommandCall<MemoryOptions>,
  memory: OpenedMemory,
  workspace: Workspace | undefined,
  work: (desk: MemoryDesk) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    const person = call.options.as ?? 'person';
    const desk = { memory, person, human: memory.human(person) };
    return await work(workspace === undefined ? desk : { ...desk, workspace });
  } finally {
    // A workspace closes what it opened.
    if (workspace === undefined) await memory.close();
  }
}
