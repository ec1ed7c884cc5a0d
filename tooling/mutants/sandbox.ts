import { cpSync, existsSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from './plan.ts';

const LEFT_OUT = new Set(['node_modules', 'dist', '.git', '.turbo', 'coverage']);

/**
 * A copy of the project whose sources may be mutated, with the installed packages linked in and the recorded cases
 * beside it. The package's dependencies resolve to the unmutated originals.
 */
export function createSandbox(): string {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-mutants-'));
  const copy = join(folder, basename(root));
  cpSync(root, copy, { recursive: true, filter: (source) => !LEFT_OUT.has(basename(source)) });
  for (const place of ['.', ...workspaceFolders()]) linkModules(place, copy);
  const shared = join(root, '../shared');
  if (existsSync(shared)) symlinkSync(shared, join(folder, 'shared'));
  return copy;
}

function linkModules(place: string, copy: string): void {
  const modules = join(root, place, 'node_modules');
  if (existsSync(modules)) symlinkSync(modules, join(copy, place, 'node_modules'));
}

function workspaceFolders(): readonly string[] {
  return ['packages', 'apps', 'examples'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(group, name)),
  );
}
