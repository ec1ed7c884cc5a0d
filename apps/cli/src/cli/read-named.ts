import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { WarrantError } from '@warrant/core';

/**
 * The same of a document that a person wrote: replaced characters would change its names without a word.
 * @throws CLI_FILE_NAME, CLI_FILE_TEXT
 */
export async function readNamedDocument(directory: string, name: string): Promise<string> {
  const bytes = await readBytes(directory, name);
  try {
    // What marks the order of bytes is left to who reads the document.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const { line, byte } = firstForeign(bytes);
    const message = `${name}:${line}: not UTF-8 from byte ${byte} on: save the file in that encoding`;
    throw new WarrantError('CLI_FILE_TEXT', message, { data: { path: name, line, byte }, cause });
  }
}

/** Where the bytes stop being UTF-8: the line from 1, the byte from 0. */
function firstForeign(bytes: Buffer): { readonly line: number; readonly byte: number } {
  const decoded = Buffer.from(bytes.toString('utf8'));
  let byte = 0;
  while (decoded[byte] === bytes[byte]) byte += 1;
  return { line: bytes.subarray(0, byte).toString('latin1').split('\n').length, byte };
}

/**
 * The text of a file that the command line names, relative to the folder it was called in.
 * @throws CLI_FILE_NAME for a folder; what Node throws for everything else, which names the file
 */
export async function readNamed(directory: string, name: string): Promise<string> {
  return (await readBytes(directory, name)).toString('utf8');
}

async function readBytes(directory: string, name: string): Promise<Buffer> {
  try {
    return await readFile(resolve(directory, name));
  } catch (error) {
    // Node opens a folder without complaint, and then does not say which it could not read.
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw new WarrantError('CLI_FILE_NAME', `${name} is a folder: name the files in it`, { data: { path: name } });
  }
}
