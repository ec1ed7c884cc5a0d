import { readFile } from 'node:fs/promises';
import { WarrantError } from '@warrant/core';

/**
 * The bytes of a file that the settings name.
 * @throws WORKSPACE_IO where it cannot be read
 */
export async function readNamed(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new WarrantError('WORKSPACE_IO', `${file} cannot be read`, { data: { file }, cause });
  }
}
