import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { parseExport } from '../transfer/export-jsonl.ts';
import type { ImportItem, ImportProblem, Parsed } from '../transfer/import-item.ts';
import { parseJsonExport } from '../transfer/parse-json.ts';
import { parseMarkdown } from '../transfer/parse-markdown.ts';

/** `anthropic`: a folder of the memory tool. `markdown`: notes. `warrant`: lines that `exportJsonl` gave. */
export type ImportFormat = 'anthropic' | 'openai' | 'mem0' | 'markdown' | 'warrant';

/** Largest file that is read, in bytes. */
const MAX_FILE = 256 * 1024 * 1024;
/** Largest file of a folder, in bytes: a record holds no more. */
const MAX_NOTE = 1024 * 1024 - 64;
const MAX_FILES = 10_000;

/** The format that a path looks like; `undefined` when it could be anything. */
export function guessImportFormat(path: string): ImportFormat | undefined {
  if (lstatSync(path).isDirectory()) return 'anthropic';
  const extension = extname(path).toLowerCase();
  if (extension === '.md' || extension === '.markdown') return 'markdown';
  if (extension === '.jsonl') return 'warrant';
  if (extension !== '.json') return undefined;
  const start = readStart(path);
  return /"memory"\s*:/.test(start) ? 'mem0' : 'openai';
}

function readStart(path: string): string {
  return readFileSync(path, 'utf8').slice(0, 65_536);
}

/** What a path holds in a format. Links are not followed, and nothing outside of the path is read. */
export function readImport(path: string, format: ImportFormat): Parsed {
  const status = lstatSync(path);
  if (status.isSymbolicLink()) return problem(path, 'it is a link, which is not followed');
  if (status.isDirectory())
    return format === 'anthropic' || format === 'markdown' ? readFolder(path, format) : problem(path, 'it is a folder');
  if (status.size > MAX_FILE) return problem(path, `it is larger than ${MAX_FILE} bytes`);
  const name = basename(path);
  const text = textOf(readFileSync(path));
  if (text === undefined) return problem(path, 'it is not text in UTF-8');
  switch (format) {
    case 'anthropic':
      return { items: [noteOf(name, text)], problems: [] };
    case 'markdown':
      return parseMarkdown(text, name);
    case 'warrant':
      return parseExport(text, name);
    default:
      return parseJsonExport(text, format, name);
  }
}

function problem(where: string, message: string): Parsed {
  return { items: [], problems: [{ where, message }] };
}

function noteOf(name: string, text: string): ImportItem {
  return { name, value: text, source: `memory-tool:${name}` };
}

function readFolder(root: string, format: 'anthropic' | 'markdown'): Parsed {
  const items: ImportItem[] = [];
  const problems: ImportProblem[] = [];
  const folders = [''];
  for (let at = folders.shift(); at !== undefined; at = folders.shift()) {
    for (const entry of readdirSync(join(root, at), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const name = at === '' ? entry.name : `${at}/${entry.name}`;
      // The memory tool's own files never begin with a dot; repositories and editors' files do.
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) folders.push(name);
      else if (!entry.isFile())
        problems.push({ where: name, message: 'it is a link or no file, which is not followed' });
      else if (items.length >= MAX_FILES) problems.push({ where: name, message: `more than ${MAX_FILES} files` });
      else {
        const read = readNote(root, name, format);
        items.push(...read.items);
        problems.push(...read.problems);
      }
    }
  }
  return { items, problems };
}

function readNote(root: string, name: string, format: 'anthropic' | 'markdown'): Parsed {
  if (format === 'markdown' && !/\.(?:md|markdown)$/i.test(name)) return { items: [], problems: [] };
  const path = join(root, name);
  if (lstatSync(path).size > MAX_NOTE) return problem(name, `it is larger than ${MAX_NOTE} bytes`);
  const text = textOf(readFileSync(path));
  if (text === undefined) return problem(name, 'it is not text in UTF-8');
  if (text.trim() === '') return { items: [], problems: [] };
  return format === 'markdown' ? parseMarkdown(text, name) : { items: [noteOf(name, text)], problems: [] };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
