import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { type ExportOptions, exportJsonl } from '../export-jsonl.ts';
import { type Imported, type ImportOptions, importJsonl } from '../import-jsonl.ts';
import type { ProvenJournal } from '../journal.ts';

const BUFFER_BYTES = 1024 * 1024;

/** Writes an export beside its name and gives it the name once it is whole and on the disk. Gives the bytes written. */
export async function exportFile(journal: ProvenJournal, path: string, options: ExportOptions = {}): Promise<number> {
  return writeLines(path, exportJsonl(journal, options));
}

/** Imports a file of `exportFile`. @see importJsonl */
export async function importFile(journal: ProvenJournal, path: string, options: ImportOptions = {}): Promise<Imported> {
  return importJsonl(journal, createReadStream(path), options);
}

/** @internal */
export async function writeLines(path: string, lines: AsyncIterable<string>): Promise<number> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  let bytes = 0;
  try {
    let waiting = '';
    for await (const line of lines) {
      waiting += line;
      if (waiting.length < BUFFER_BYTES) continue;
      bytes += (await file.write(waiting)).bytesWritten;
      waiting = '';
    }
    bytes += (await file.write(waiting)).bytesWritten;
    await file.sync();
    await file.close();
    await rename(temporary, path);
    return bytes;
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
}
