// Starts one of the doors: fixtures, bench, mutants.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fail, prepare, run } from './setup.mjs';

const doors = {
  fixtures: 'tooling/fixtures/src/main.ts',
  bench: 'benchmarks/src/main.ts',
  mutants: 'tooling/mutants/main.ts',
};
const root = resolve(import.meta.dirname, '../..');
const [door, ...args] = process.argv.slice(2);

await prepare({ quiet: true });
// Figures are those of the packages as people install them; everything else reads the sources, without a build.
const conditions = door === 'bench' ? [] : ['--conditions=@warrant/source'];
if (door === 'bench') build();
const child = spawnSync(
  process.execPath,
  ['--import', 'tsx', ...conditions, '--expose-gc', join(root, doors[door]), ...args],
  { cwd: root, stdio: 'inherit' },
);
process.exitCode = child.status ?? 1;

function build() {
  process.env.TURBO_TELEMETRY_DISABLED = '1';
  const built = run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
  if (built.status === 0) return;
  console.error(built.output);
  fail('The build failed; the lines above say where.');
}
