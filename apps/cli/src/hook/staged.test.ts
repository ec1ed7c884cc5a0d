import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stagedPaths } from './staged.ts';

it('names what is staged, and runs no program that the repository names', () => {
  const directory = mkdtempSync(join(tmpdir(), 'warrant-staged-'));
  const git = (...words: string[]) => execFileSync('git', words, { cwd: directory, stdio: 'ignore' });
  git('init');
  writeFileSync(join(directory, 'a b\n.sql'), 'x');
  git('add', '.');
  const ran = join(directory, 'ran');
  const program = join(directory, 'program.sh');
  writeFileSync(program, `#!/bin/sh\n: > '${ran}'\n`);
  chmodSync(program, 0o755);
  for (const name of ['core.fsmonitor', 'core.pager', 'diff.external']) git('config', name, program);
  expect(stagedPaths(directory)).toEqual(['a b\n.sql']);
  expect(existsSync(ran)).toBe(false);
});
