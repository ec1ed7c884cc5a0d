import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { JOURNAL_ERRORS } from '../src/index.ts';

const read = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');

describe('the package', () => {
  test('explains every error code, and whether it is worth another try', () => {
    const rows = [...read('../README.md').matchAll(/^\| `(JOURNAL_\w+)` \|.*\| (yes|no) \|$/gm)];
    expect(Object.fromEntries(rows.map(([, code, retryable]) => [code, retryable === 'yes']))).toEqual(JOURNAL_ERRORS);
  });

  test('keeps drivers out of its root', () => {
    const seen = new Set<string>();
    const walk = (path: string): void => {
      if (seen.has(path)) return;
      seen.add(path);
      for (const [, from] of read(path).matchAll(/from '([^']+)'/g)) {
        const target = from as string;
        if (target.startsWith('./')) walk(`../src/${target.slice(2)}`);
        else expect(['@warrant/core', 'node:crypto']).toContain(target);
      }
    };
    walk('../src/index.ts');
    expect(seen.size).toBeGreaterThan(30);
  });
});
