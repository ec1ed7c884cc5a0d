import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, mkdir, open, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fault } from '../errors.ts';
import type { KeyFound, KeyStore } from '../keys.ts';
import { syncFolder } from './sync-folder.ts';

const KEY_BYTES = 32;
const ERASED = 'erased\n';

/**
 * A folder with a file a subject, named by the digest of the subject and readable for its owner alone. Destroying a key
 * overwrites its file before it is replaced by a marker; what the disk itself, its snapshots or backups keep is beyond
 * that, so the folder belongs on storage without them.
 */
export function createFileKeyStore(folder: string): KeyStore {
  const pathOf = (subject: string): string => join(folder, `${createHash('sha256').update(subject).digest('hex')}.key`);
  const find = async (path: string): Promise<KeyFound | { readonly type: 'none' }> => {
    const bytes = await readOrNothing(path);
    if (bytes === undefined) return { type: 'none' };
    if (bytes.toString('latin1') === ERASED) return { type: 'erased' };
    if (bytes.length !== KEY_BYTES) throw fault('JOURNAL_INVALID_KEY', `not a key: ${path}`, { path });
    return { type: 'key', key: new Uint8Array(bytes) };
  };
  return {
    find: (subject) => find(pathOf(subject)),
    obtain: async (subject) => {
      const path = pathOf(subject);
      for (;;) {
        const found = await find(path);
        if (found.type !== 'none') return found;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await putNew(folder, path, randomBytes(KEY_BYTES));
      }
    },
    destroy: async (subject) => {
      const path = pathOf(subject);
      const found = await find(path);
      if (found.type === 'key') await overwrite(path);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
      await writeDurably(temporary, Buffer.from(ERASED));
      await rename(temporary, path);
      await syncFolder(folder);
      return found.type === 'key';
    },
  };
}

async function readOrNothing(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A whole file or none under this name, and never over one that is there: the first of racing makers wins. */
async function putNew(folder: string, path: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  await writeDurably(temporary, bytes);
  try {
    await link(temporary, path);
    await syncFolder(folder);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}

async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(Buffer.alloc(KEY_BYTES), 0, KEY_BYTES, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}
