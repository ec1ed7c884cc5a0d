import { execFileSync } from 'node:child_process';

const PATIENCE_MS = 2_000;

/** Paths that are staged in a folder; none where it is no repository. */
export function stagedPaths(directory: string): readonly string[] {
  const out = execFileSync('git', ['diff', '--cached', '--name-only', '-z'], {
    cwd: directory,
    timeout: PATIENCE_MS,
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1_000_000,
  });
  return out
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '')
    .slice(0, 100);
}
