// `npm run demo`: installs what is missing, builds, and runs the main job on real files.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fail, prepare, run } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const quiet = process.argv.includes('--quiet');

await prepare({ quiet });
if (!quiet) console.log('Building ...');
process.env.TURBO_TELEMETRY_DISABLED = '1';
const build = run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
if (build.status !== 0) {
  console.error(build.output);
  fail('The build failed; the lines above say where.');
}
const example = join(root, 'examples/file-agent');
const demo = spawnSync(process.execPath, ['--import', 'tsx', 'src/main.ts', ...process.argv.slice(2)], {
  cwd: example,
  stdio: 'inherit',
});
process.exitCode = demo.status ?? 1;
