import { execFileSync } from 'node:child_process';

const PATIENCE_MS = 2_000;
/** A repository's own settings may name programs: none of them runs for this look. */
const ALONE = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
const LOOK = ['diff', '--cached', '--name-only', '--no-ext-diff', '--no-textconv', '-z'];

/** Paths that are staged in a folder; none where it is no repository. */
export function stagedPaths(directory: string): readonly string[] {
  const out = execFileSync('git', [...ALONE, ...LOOK], {
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
