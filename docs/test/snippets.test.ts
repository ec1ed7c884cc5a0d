import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { format } from 'node:util';
import { expect, test, vi } from 'vitest';
import { findSnippets, output, root, snippetName } from './snippets.ts';

const snippets = findSnippets();
const running = snippets.filter((snippet) => snippet.runs).map((snippet) => [snippetName(snippet), snippet] as const);

test('the documentation has code blocks', () => {
  expect(running.length).toBeGreaterThan(0);
});

test('every code block type-checks', () => {
  const check = spawnSync('pnpm', ['exec', 'tsc', '-p', 'docs/tsconfig.snippets.json'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(check.stdout).toBe('');
  expect(check.status).toBe(0);
});

test.each(running)('%s runs and prints what it says', async (name, snippet) => {
  const printed: string[] = [];
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...values) => void printed.push(...format(...values).split('\n')));
  await import(join(output, name)).finally(() => log.mockRestore());
  const promised = [...snippet.code.matchAll(/\/\/ => (.*)$/gm)].map((match) => match[1]);
  if (promised.length > 0) expect(printed).toEqual(promised);
});
