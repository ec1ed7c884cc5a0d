// Rehearses a release: versions a copy of the committed project, publishes every package into a throw-away registry
// on this machine, then installs each layer a la carte from there with plain npm and imports it.
import { spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail, prepare, run } from './setup.mjs';

const root = resolve(import.meta.dirname, '../..');
await prepare();
const work = mkdtempSync(join(tmpdir(), 'warrant-release-'));
const port = await freePort();
const url = `http://127.0.0.1:${port}/`;
const registry = startRegistry();
try {
  await registryAnswers();
  const packages = publishAll();
  for (const manifest of packages) installAlone(manifest);
  console.log(`rehearsal passed: ${packages.length} packages published and installed one by one`);
} finally {
  registry.kill();
  rmSync(work, { recursive: true, force: true });
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: found } = server.address();
      server.close(() => done(found));
    });
  });
}

function startRegistry() {
  writeFileSync(
    join(work, 'registry.yaml'),
    [
      `storage: ${join(work, 'storage')}`,
      `auth: { htpasswd: { file: ${join(work, 'htpasswd')} } }`,
      'uplinks: {}',
      "packages: { '**': { access: $all, publish: $all, unpublish: $all } }",
      'log: { type: stdout, format: pretty, level: warn }',
      '',
    ].join('\n'),
  );
  const program = join(root, 'node_modules/verdaccio/bin/verdaccio');
  return spawn(process.execPath, [program, '--config', join(work, 'registry.yaml'), '--listen', `127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
}

async function registryAnswers() {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    const ok = await fetch(`${url}-/ping`).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  fail('The throw-away registry did not start within 30 seconds.');
}

/** Names the registry in every way that one of the tools reads, and refuses to publish anywhere else. */
function publishAll() {
  const copy = join(work, 'project');
  must('copy', run('git', ['clone', '--quiet', root, copy]));
  must(
    'install',
    run('pnpm', ['install', '--frozen-lockfile', '--prefer-offline', '--reporter=silent'], { cwd: copy }),
  );
  must('version', run('pnpm', ['exec', 'changeset', 'version'], { cwd: copy }));
  must('build', run('pnpm', ['exec', 'turbo', 'run', 'build', '--output-logs=errors-only'], { cwd: copy }));
  const npmrc = `registry=${url}\n@warrant:registry=${url}\n//127.0.0.1:${port}/:_authToken=rehearsal\n`;
  writeFileSync(join(copy, '.npmrc'), npmrc);
  writeFileSync(join(work, 'npmrc'), npmrc);
  const environment = {
    ...process.env,
    NPM_CONFIG_USERCONFIG: join(work, 'npmrc'),
    npm_config_registry: url,
    pnpm_config_registry: url,
  };
  const named = run('pnpm', ['config', 'get', 'registry'], { cwd: copy, env: environment }).output.trim();
  if (named !== url) fail(`the registry would be ${named}, not the throw-away one`);
  must('publish', run('pnpm', ['exec', 'changeset', 'publish', '--no-git-tag'], { cwd: copy, env: environment }));
  return published(copy);
}

function published(copy) {
  const folders = [
    ...readdirSync(join(copy, 'packages')).map((name) => join('packages', name)),
    'apps/cli',
    'apps/mcp-server',
  ];
  return folders
    .map((folder) => JSON.parse(readFileSync(join(copy, folder, 'package.json'), 'utf8')))
    .filter((manifest) => !manifest.private);
}

function installAlone(manifest) {
  const project = join(work, `use-${manifest.name.replace('@warrant/', '')}`);
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n');
  writeFileSync(join(project, '.npmrc'), `@warrant:registry=${url}\n`);
  const required = Object.keys(manifest.peerDependencies ?? {}).filter(
    (name) => manifest.peerDependenciesMeta?.[name]?.optional !== true,
  );
  const name = manifest.name.startsWith('@') ? manifest.name : fetchTarball(manifest, project);
  const flags = [
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...(required.length > 0 ? ['--legacy-peer-deps'] : []),
  ];
  must(
    `install ${manifest.name}`,
    run('npm', ['install', ...flags, name], { cwd: project, env: { ...process.env, ...compiledSqlite() } }),
  );
  if (required.length === 0) {
    must(
      `import ${manifest.name}`,
      run(process.execPath, ['--input-type=module', '-e', `await import('${manifest.name}')`], { cwd: project }),
    );
  }
  if (manifest.name === 'warrant')
    must(`run ${manifest.name}`, run(join(project, 'node_modules/.bin/warrant'), ['version'], { cwd: project }));
  console.log(`  ${manifest.name}@${manifest.version} installs alone`);
}

/** The package without a scope is taken from the registry by its address, so that other names still come from the usual one. */
function fetchTarball(manifest, project) {
  const file = `${manifest.name}-${manifest.version}.tgz`;
  must(
    `fetch ${manifest.name}`,
    run('npm', ['pack', `${manifest.name}@${manifest.version}`, '--registry', url, '--silent'], { cwd: project }),
  );
  return `./${file}`;
}

/** Installs use the SQLite binary that this project compiled already, not a minute of compiling each. */
function compiledSqlite() {
  const driver = realpathSync(join(root, 'packages/core/node_modules/better-sqlite3'));
  const { version } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8'));
  const prebuilds = join(work, 'prebuilds');
  const tarball = `better-sqlite3-v${version}-node-v${process.versions.modules}-${process.platform}-${process.arch}.tar.gz`;
  mkdirSync(join(work, 'binary/build/Release'), { recursive: true });
  mkdirSync(prebuilds, { recursive: true });
  cpSync(join(driver, 'build/Release/better_sqlite3.node'), join(work, 'binary/build/Release/better_sqlite3.node'));
  must('keep the SQLite binary', run('tar', ['czf', join(prebuilds, tarball), '-C', join(work, 'binary'), 'build']));
  return { npm_config_better_sqlite3_local_prebuilds: prebuilds };
}

function must(what, { status, output }) {
  if (status !== 0) {
    console.error(output.split('\n').slice(-60).join('\n'));
    throw new Error(`${what} failed`);
  }
}
