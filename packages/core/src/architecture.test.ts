import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = import.meta.dirname;
const IMPORT = /^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gms;

/** Every module that loading an entry loads, and the packages that those import. */
function loadedBy(entry: string): { readonly files: ReadonlySet<string>; readonly packages: ReadonlySet<string> } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (specifier?.startsWith('.')) visit(resolve(dirname(file), specifier));
      else packages.add(specifier as string);
    }
  };
  visit(join(source, entry));
  return { files, packages };
}

describe('the package', () => {
  it.each([
    ['index.ts', ['node:crypto']],
    ['files/index.ts', ['node:child_process', 'node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path']],
    ['sqlite/index.ts', ['node:fs', 'node:module', 'node:path']],
    ['kysely/index.ts', ['kysely']],
    ['cel/index.ts', ['@bufbuild/re2', '@marcbachmann/cel-js', 'node:worker_threads']],
    ['schemas/index.ts', ['zod']],
  ])('loads with %s no more than %j', (entry, packages) => {
    const loaded = loadedBy(entry);
    expect([...loaded.packages].sort()).toEqual(packages);
    expect(loaded.files.has(join(source, entry))).toBe(true);
  });

  it('names in its README every code of an error', () => {
    const readme = readFileSync(join(source, '../README.md'), 'utf8');
    const table = readme.slice(readme.indexOf('## Errors'), readme.indexOf('## Limits'));
    const codes = new Set<string>();
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue;
      const text = readFileSync(join(source, name), 'utf8');
      const made = [
        ...text.matchAll(/new WarrantError\(\s*'([A-Z_]+)'/g),
        ...text.matchAll(/code: '((?:SQLITE)_[A-Z_]+)'/g),
        ...text.matchAll(/(?:celError|limitError)\('([A-Z_]+)'/g),
      ];
      for (const [, code] of made) codes.add(code as string);
    }
    expect(codes.size).toBeGreaterThan(35);
    expect([...codes].filter((code) => !table.includes(`\`${code}\``))).toEqual([]);
    const listed = [...table.matchAll(/`([A-Z]+_[A-Z_]+)`/g)].map(([, code]) => code as string);
    expect(listed.filter((code) => !codes.has(code))).toEqual([]);
  });

  it('reads the clock and makes randomness in one place each', () => {
    const owners: { readonly [pattern: string]: readonly string[] } = {
      'Date.now(': ['clock.ts'],
      'new Date()': [],
      'Math.random': [],
      randomUUID: [],
      randomFillSync: ['ids.ts'],
      'setTimeout(': ['timer.ts'],
    };
    for (const [pattern, expected] of Object.entries(owners)) {
      const users = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
        (name) =>
          name.endsWith('.ts') &&
          !name.endsWith('.test.ts') &&
          readFileSync(join(source, name), 'utf8').includes(pattern),
      );
      expect(users, pattern).toEqual(expected);
    }
  });
});
