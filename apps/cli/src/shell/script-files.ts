import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_SOURCE_LENGTH } from '@warrant/shell';

const NAMED = /\.(?:sh|bash|bats|ksh)$/;
const SHEBANG = /^#!\s*\S*\/(?:env\s+)?(?:ba|da|k|a)?sh\b/;

/** The shell scripts under a path: the file itself, or in a folder those that their name or first line tells. */
export async function scriptFiles(path: string): Promise<readonly string[]> {
  if ((await stat(path)).isFile()) return [path];
  const found: string[] = [];
  const entries = await readdir(path, { withFileTypes: true });
  entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const entry of entries) {
    const own = join(path, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules')
      found.push(...(await scriptFiles(own)));
    else if (entry.isFile() && (NAMED.test(entry.name) || SHEBANG.test(await firstBytes(own)))) found.push(own);
  }
  return found;
}

async function firstBytes(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * A script in pieces that can be analysed: whole where it is short enough, else cut at empty lines before text that is
 * not indented, where functions and lists seldom go on.
 */
export async function scriptPieces(path: string): Promise<readonly string[]> {
  const text = await readFile(path, 'utf8');
  if (text.length <= MAX_SOURCE_LENGTH) return [text];
  const pieces: string[] = [];
  for (const part of text.split(/\n{2,}(?=\S)/)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length + 2 <= MAX_SOURCE_LENGTH)
      pieces[pieces.length - 1] = `${last}\n\n${part}`;
    else pieces.push(part);
  }
  return pieces;
}
