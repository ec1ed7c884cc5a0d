import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Proposal } from '@warrant/core';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const FIXTURES = join(resolve(REPOSITORY, process.env['WARRANT_FIXTURES'] ?? '../shared/fixtures'), 'vouch-kb');

/** A copy of a recorded knowledge base; removed by `remove`. */
export function copyBase(name: 'orchard' | 'lagoon'): { readonly root: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), `warrant-${name}-`));
  cpSync(join(FIXTURES, name, '.vouch'), join(folder, '.vouch'), { recursive: true });
  return { root: join(folder, '.vouch'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** An empty knowledge base with a source `s1`-like content whose id is returned. */
export function emptyBase(config = ''): { readonly root: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-review-'));
  const root = join(folder, '.vouch');
  for (const name of ['proposed', 'decided', 'claims', 'pages', 'entities', 'relations', 'sources']) {
    mkdirSync(join(root, name), { recursive: true });
  }
  writeFileSync(
    join(root, 'config.yaml'),
    `version: 1\n${config}kb:\n  id: 0123456789abcdef0123456789abcdef\n  name: test\n`,
  );
  return { root, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Every file below the folder with its content, but for the store's own working files. */
export function snapshot(root: string, base = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(join(root, base))) {
    const path = base === '' ? name : `${base}/${name}`;
    if (name === '.warrant') continue;
    if (statSync(join(root, path)).isDirectory()) Object.assign(found, snapshot(root, path));
    else found[path] = readFileSync(join(root, path), 'utf8');
  }
  return found;
}

/** An entity proposal that can land. */
export function entityProposal(id: string, name: string, proposedBy = 'scribe'): Proposal {
  return {
    id,
    kind: 'entity',
    proposedBy,
    proposedAt: '2026-01-01T00:00:00.000Z',
    payload: { id: name, name, type: 'tool', aliases: [], description: null },
  };
}
