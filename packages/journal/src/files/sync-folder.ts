import { open } from 'node:fs/promises';

/** Returns once the names in the folder are on the disk. @internal */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
