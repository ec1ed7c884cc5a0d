// Installs what is missing at pinned versions: pnpm into a cache of its own, then the workspace's packages.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pnpmVersion = manifest.packageManager.split('@')[1];
const stamp = join(root, 'node_modules/.warrant-installed');

/** Ends the process with one clear sentence. */
export function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}

/** Makes pnpm and the installed packages available; does nothing, and needs no network, when they are already. */
export async function prepare({ quiet = false } = {}) {
  const say = (text) => {
    if (!quiet) console.log(text);
  };
  requireNode();
  usePnpm(say);
  useNodeHeaders();
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'pnpm-lock.yaml')))
    .update(process.version)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  requireCompiler();
  console.log('Installing packages (the first time this compiles SQLite, about two minutes) ...');
  const install = run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=append-only']);
  if (install.status !== 0) {
    console.error(install.output.split('\n').slice(-30).join('\n'));
    fail(
      'Installing the packages failed; the lines above say why (a package registry must be reachable the first time).',
    );
  }
  writeFileSync(stamp, wanted);
}

/** Runs a command to its end and keeps what it prints. */
export function run(command, args, options = {}) {
  const child = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  return { status: child.error ? 127 : (child.status ?? 1), output: `${child.stdout ?? ''}${child.stderr ?? ''}` };
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Warrant needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

function usePnpm(say) {
  if (run('pnpm', ['--version']).output.trim() === pnpmVersion) return;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'warrant', `pnpm-${pnpmVersion}`);
  process.env.PATH = `${join(cache, 'bin')}${delimiter}${process.env.PATH}`;
  if (run('pnpm', ['--version']).output.trim() === pnpmVersion) return;
  say(`Installing pnpm ${pnpmVersion} into a cache of its own ...`);
  mkdirSync(cache, { recursive: true });
  const install = run('npm', [
    'install',
    '--global',
    '--prefix',
    cache,
    '--no-audit',
    '--no-fund',
    `pnpm@${pnpmVersion}`,
  ]);
  if (install.status !== 0)
    fail(`pnpm ${pnpmVersion} could not be installed with npm: is the package registry reachable?`);
}

/** better-sqlite3 is compiled where no prebuilt binary can be had; this Node's own headers save a download. */
function useNodeHeaders() {
  const prefix = dirname(dirname(process.execPath));
  if (existsSync(join(prefix, 'include/node/node.h'))) process.env.npm_config_nodedir ??= prefix;
}

function requireCompiler() {
  const compilers = [process.env.CXX, 'c++', 'g++', 'clang++'].filter(Boolean);
  const found = compilers.some((compiler) => run(compiler, ['--version']).status === 0);
  if (!found && !existsSync(join(root, 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'))) {
    console.error(
      'No C++ compiler was found: where no prebuilt SQLite binary can be had, installing it will need one.',
    );
  }
}

if (process.argv[1] === import.meta.filename) await prepare();
