import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WarrantError } from '../error.ts';
import { createIdSource } from '../ids.ts';

export type WriteFileAtomicOptions = {
  /** Permissions of a new file; those of an existing one are kept. @default 0o644 */
  readonly mode?: number;
};

/**
 * Replaces a file so that whoever reads it sees the old content or the new, never a part, also after a crash at any
 * moment. The new content is on the disk when this returns. A symbolic link stays, its target is replaced.
 * @throws FILE_IO
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteFileAtomicOptions = {},
): Promise<void> {
  await asFileError(path, async () => {
    const target = await realpath(path).catch(() => path);
    const mode = (await modeOf(target)) ?? options.mode ?? 0o644;
    const temporary = join(dirname(target), temporaryName(basename(target)));
    try {
      await writeDurably(temporary, content, mode);
      await rename(temporary, target);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await syncDirectory(dirname(target));
  });
}

/** Names of unfinished writes, so that whoever holds the file's lock can clear those of processes that died. */
export function isTemporaryOf(name: string, file: string): boolean {
  return name.startsWith(`.${file}.`) && name.endsWith('.tmp');
}

function temporaryName(file: string): string {
  return `.${file}.${process.pid}.${createIdSource().next()}.tmp`;
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o7777;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function writeDurably(path: string, content: string | Uint8Array, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(content);
    // The process's umask may have taken bits away that the file had before.
    await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable once its folder is. Windows cannot open folders and needs no such step. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

/** Failures of the file system as FILE_IO, with the system's code. Other errors pass. */
export async function asFileError<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof WarrantError || typeof code !== 'string' || !('syscall' in (error as object))) throw error;
    const retryable = code === 'ENOSPC' || code === 'EMFILE' || code === 'EAGAIN';
    throw new WarrantError('FILE_IO', `${code}: ${path}`, { data: { path, system: code }, cause: error, retryable });
  }
}
