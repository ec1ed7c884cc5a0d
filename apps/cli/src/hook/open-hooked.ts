import { statSync } from 'node:fs';
import { WarrantError } from '@warrant/core';
import { openWorkspace, type Workspace, workspacePaths } from '@warrant/workspace';
import { bundledDriver } from '../cli/sqlite-driver.ts';

/**
 * Opens the workspace that hooks answer from. Elsewhere a database that is gone is made anew; here all that is recorded
 * and still open would be gone with it, without a word.
 * @throws CLI_DATABASE_MISSING and what `openWorkspace` throws
 */
export async function openHooked(directory: string): Promise<Workspace> {
  const { database } = workspacePaths(directory);
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) {
    throw new WarrantError(
      'CLI_DATABASE_MISSING',
      `${database} is missing: restore it from a backup; 'warrant init' makes an empty one`,
      { data: { file: database } },
    );
  }
  return openWorkspace({ directory, create: false, driver: bundledDriver() });
}
