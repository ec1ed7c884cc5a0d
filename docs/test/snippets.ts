import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
export const output = resolve(import.meta.dirname, '../snippets');
const SKIPPED = new Set([
  'node_modules',
  'dist',
  '.git',
  '.changeset',
  '.turbo',
  'snippets',
  'coverage',
  'templates',
  'results',
  'api',
]);

export type Snippet = { readonly file: string; readonly line: number; readonly runs: boolean; readonly code: string };

/** Every ```ts block of the project's Markdown; the info string `ts no-run` keeps one from being run. */
export function findSnippets(): readonly Snippet[] {
  return markdownFiles(root).flatMap((file) => snippetsOf(relative(root, file), readFileSync(file, 'utf8')));
}

/** The name of the file that holds a snippet. */
export function snippetName(snippet: Snippet): string {
  return `${snippet.file.replaceAll(/[^\w]+/g, '_')}_L${snippet.line}.ts`;
}

/** Writes each snippet on the line numbers it has in its Markdown file. */
export default function writeSnippets(): void {
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  for (const snippet of findSnippets()) {
    writeFileSync(join(output, snippetName(snippet)), `${'\n'.repeat(snippet.line)}${snippet.code}\nexport {};\n`);
  }
}

function snippetsOf(file: string, text: string): readonly Snippet[] {
  const blocks = text.matchAll(/^(`{3,})ts(?:[ \t]+(.*))?\n([\s\S]*?)^\1[ \t]*$/gm);
  return [...blocks].map((block) => ({
    file,
    line: text.slice(0, block.index).split('\n').length,
    runs: block[2]?.includes('no-run') !== true,
    code: (block[3] ?? '').trimEnd(),
  }));
}

function markdownFiles(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(path);
    return entry.name.endsWith('.md') && entry.name !== 'CHANGELOG.md' ? [path] : [];
  });
}
