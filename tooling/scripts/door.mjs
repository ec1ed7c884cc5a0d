// Starts one of the doors (fixtures, bench, mutants) on the sources, without a build.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { prepare } from './setup.mjs';

const doors = {
  fixtures: 'tooling/fixtures/src/main.ts',
  bench: 'benchmarks/src/main.ts',
  mutants: 'tooling/mutants/main.ts',
};
const root = resolve(import.meta.dirname, '../..');
const [door, ...args] = process.argv.slice(2);

await prepare({ quiet: true });
const run = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--conditions=@warrant/source', '--expose-gc', join(root, doors[door]), ...args],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = run.status ?? 1;
