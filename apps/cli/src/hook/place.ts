import { resolve } from 'node:path';
import { findWorkspace, readConfig, workspacePaths } from '@warrant/workspace';
import type { CommandCall } from '../cli/command.ts';
import { type Place, settingsPath } from './settings-file.ts';

const DEFAULT_SECONDS = 45;

export type PlaceOptions = { readonly project?: boolean; readonly user?: boolean; readonly local?: boolean };

/** The settings that a command is about: the project's, unless others are named. */
export function placeOf(call: CommandCall<PlaceOptions>): { readonly place: Place; readonly path: string } {
  const { user, local } = call.options;
  const place: Place = user === true ? 'user' : local === true ? 'local' : 'project';
  return { place, path: settingsPath(place, projectOf(call), call.terminal.environment) };
}

/** The folder of the workspace, so that hook and workspace belong together; else where the command was called. */
export function projectOf(call: CommandCall): string {
  const from = resolve(call.terminal.directory, call.options.directory ?? '.');
  return findWorkspace(from) ?? from;
}

/** Longest time that the workspace lets a hook wait for a person, in seconds; the default where it asks in the client, or there is none. */
export async function askSecondsIn(call: CommandCall): Promise<number> {
  const directory = findWorkspace(projectOf(call));
  if (directory === undefined) return DEFAULT_SECONDS;
  const { claude } = await readConfig(workspacePaths(directory));
  return claude.ask === 'inbox' ? claude.askSeconds : DEFAULT_SECONDS;
}
