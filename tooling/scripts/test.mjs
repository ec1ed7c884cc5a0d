// `npm test`: installs, checks, builds and runs every test; `--soak` runs the full counts. Ends with `N passed, N failed`.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { prepare, run } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const soak = process.argv.includes('--soak');
const report = join(root, 'coverage/results.json');
const started = performance.now();
process.env.TURBO_TELEMETRY_DISABLED = '1';
process.env.DO_NOT_TRACK = '1';
if (soak) process.env.WARRANT_SOAK = '1';

await prepare();
if (/https?:\/\/|tarball:/.test(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))) end('the lockfile names a host');
await step('build', 'pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only']);
await step('format and lint', 'pnpm', ['exec', 'biome', 'check', '--error-on-warnings', '.']);
await step('types across packages', 'pnpm', ['exec', 'oxlint', '--type-aware', '--deny-warnings']);
await step('arrows', 'pnpm', ['exec', 'depcruise', 'packages', 'apps', '--include-only', '^(packages|apps)/[^/]+/src']);
await step('manifests', 'node', ['tooling/scripts/arrows.mjs']);
await step('types', 'pnpm', ['exec', 'tsc', '-p', 'tsconfig.check.json']);
await step('unused code', 'pnpm', ['exec', 'knip']);
await step('versions', 'pnpm', ['exec', 'syncpack', 'lint']);
await step('what packages offer', 'node', ['tooling/scripts/api.mjs', '--check']);
await step('sizes', 'pnpm', ['exec', 'size-limit']);
await step('packed packages', 'node', ['tooling/scripts/lint-pack.mjs', ...(soak ? ['--soak'] : [])]);
await step('demo', 'node', ['tooling/scripts/demo.mjs', '--quiet']);
const tests = await show('tests', 'pnpm', [
  'exec',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
]);
if (soak) await step('release rehearsal', 'node', ['tooling/scripts/release-rehearse.mjs']);
summary(tests);

function title(name) {
  console.log(`== ${name} [at ${Math.round((performance.now() - started) / 1000)} s]`);
}

/** Runs a check quietly; a failure prints all that it said and ends the run. */
async function step(name, command, args) {
  title(name);
  const done = run(command, args);
  if (done.status === 0) return;
  console.error(done.output.split('\n').slice(-120).join('\n'));
  end(`${name} failed`);
}

/** Runs a command in plain sight. */
function show(name, command, args) {
  title(name);
  return new Promise((done) =>
    spawn(command, args, { cwd: root, stdio: 'inherit' }).on('close', (code) => done(code ?? 1)),
  );
}

function end(sentence) {
  console.error(sentence);
  console.log('0 passed, 1 failed');
  process.exit(1);
}

function summary(status) {
  if (!existsSync(report)) end('the tests left no report');
  const result = JSON.parse(readFileSync(report, 'utf8'));
  console.log(`${result.numPassedTests} passed, ${result.numFailedTests} failed`);
  process.exitCode = status === 0 && result.success && result.numPassedTests > 0 ? 0 : 1;
}
