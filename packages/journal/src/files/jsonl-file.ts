import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ExportOptions, exportJsonl } from '../export-jsonl.ts';
import { type Imported, type ImportOptions, importJsonl } from '../import-jsonl.ts';
import type { ProvenJournal } from '../journal.ts';
import { syncFolder } from './sync-folder.ts';

const BUFFER_BYTES = 1024 * 1024;

/** Writes an export beside its name and gives it the name once it is whole and on the disk. Gives the bytes written. */
export async function exportFile(journal: ProvenJournal, path: string, options: ExportOptions = {}): Promise<number> {
  return writeLines(path, exportJsonl(journal, options));
}

/** Imports a file of `exportFile`. @see importJsonl */
export async function importFile(journal: ProvenJournal, path: string, options: ImportOptions = {}): Promise<Imported> {
  return importJsonl(journal, createReadStream(path), options);
}

/** @internal Gives the bytes written once the file and its name are on the disk. */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<number> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  let bytes = 0;
  try {
    let waiting = '';
    const put = async (): Promise<void> => {
      // A lone write may take but a part where the disk is full, without a word.
      await file.writeFile(waiting);
      bytes += Buffer.byteLength(waiting);
      waiting = '';
    };
    for await (const line of lines) {
      waiting += line;
      if (waiting.length >= BUFFER_BYTES) await put();
    }
    await put();
    await file.sync();
    await file.close();
    await rename(temporary, path);
    await syncFolder(dirname(path));
    return bytes;
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}
