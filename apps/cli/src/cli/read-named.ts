import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WarrantError } from '@warrant/core';

/**
 * The text of a file that the command line names, relative to the folder it was called in.
 * @throws CLI_FILE_NAME for a folder; what Node throws for everything else, which names the file
 */
export async function readNamed(directory: string, name: string): Promise<string> {
  try {
    return await readFile(resolve(directory, name), 'utf8');
  } catch (error) {
    // Node opens a folder without complaint, and then does not say which it could not read.
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw new WarrantError('CLI_FILE_NAME', `${name} is a folder: name the files in it`, { data: { path: name } });
  }
}
