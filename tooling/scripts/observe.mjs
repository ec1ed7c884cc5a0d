// Compares the analysis with bash itself: runs recorded lines over stub programs and looks which of them started.
// The lines run in an empty temporary folder with a PATH that holds only stubs, without network where the system allows it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const shell = process.env.BASH_PATH ?? '/bin/bash';
const SEPARATOR = '\u001F';

const BUILTINS = new Set(
  (
    ': read cd pushd popd dirs set shopt unset shift return exit break continue let getopts ' +
    'export declare typeset readonly local type command builtin exec eval trap source . alias unalias enable bind complete hash ' +
    'history jobs wait umask ulimit mapfile readarray times'
  ).split(' '),
);
/** Builtins that are switched off, so that stubs stand in for them. */
const DISABLED = 'echo printf test [ true false pwd kill';
const WRAPPER_STUBS = ['env', 'nice', 'nohup', 'timeout', 'setsid', 'xargs', 'find', 'stdbuf', 'sh', 'bash', 'dash'];

if (process.argv[2] === 'inner') await compare(process.argv[3]);
else start();

function start() {
  const version = spawnSync(shell, ['-c', 'echo $BASH_VERSINFO'], { encoding: 'utf8' }).stdout?.trim();
  if (!(Number(version) >= 5)) {
    console.log(`skipped: ${shell} is ${version ? `bash ${version}` : 'missing'}, and bash 5 or newer is needed`);
    return;
  }
  const fixtures = join(resolve(root, process.env.WARRANT_FIXTURES ?? '../shared/fixtures'), 'shell/commands.jsonl');
  if (!existsSync(fixtures)) {
    console.log(`skipped: no recorded lines at ${fixtures}`);
    return;
  }
  const run = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--conditions=@warrant/source', import.meta.filename, 'inner', fixtures],
    { cwd: root, stdio: 'inherit' },
  );
  process.exitCode = run.status ?? 1;
}

async function compare(fixtures) {
  const { analyzeCommand } = await import('../../packages/shell/src/index.ts');
  const cases = readFileSync(fixtures, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const safe = cases.filter((one) => one.observed && isSafe(one.command));
  const isolate = isolation();
  const bad = [];
  for (const one of safe) {
    const missing = check(one, analyzeCommand(one.command), isolate);
    if (missing.length > 0) bad.push(`${one.id}: ${one.command}\n    ${missing.join('\n    ')}`);
  }
  const network = isolate.length > 0 ? 'without network' : 'with the network not cut off (no unshare here)';
  console.log(`${safe.length - bad.length} of ${safe.length} observable lines agree with ${shell}, ${network}`);
  for (const text of bad) console.log(text);
  process.exitCode = safe.length > 0 && bad.length === 0 ? 0 : 1;
}

/** Nothing here may reach a real program or a real file: no absolute targets, no way around PATH. */
function isSafe(command) {
  return !/>[|&>]?\s*["']?\/(?!dev\/(?:null|std|fd))|\bfind\s+\/|command\s+-\w*p|(?:^|[\s;&|(`'"])\.?\.?\/[\w.]+\/?\w*\s+-?\w/.test(
    command.replaceAll('/dev/null', ''),
  );
}

function isolation() {
  const program = '/usr/bin/unshare';
  const probe = spawnSync(program, ['-rn', '/bin/true']);
  return probe.status === 0 ? [program, '-rn'] : [];
}

function check(one, analysis, isolate) {
  const folder = mkdtempSync(join(tmpdir(), 'warrant-observe-'));
  try {
    const started = observe(one, analysis, folder, isolate);
    return [...notListed(started, analysis), ...notStarted(started, analysis)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function observe(one, analysis, folder, isolate) {
  const bin = join(folder, 'bin');
  const work = join(folder, 'work');
  const log = join(folder, 'log');
  mkdirSync(bin);
  mkdirSync(work);
  writeFileSync(log, '');
  mkdirSync(join(work, '.ssh'));
  for (const name of ['in.txt', 'a.o', 'a.pyc']) writeFileSync(join(work, name), 'a\nb\n');
  for (const name of WRAPPER_STUBS) {
    const real = realPath(name);
    if (real !== null) writeFileSync(join(bin, name), wrapperStub(name, real), { mode: 0o755 });
  }
  for (const [, folderName] of one.command.matchAll(/(?:-C|\bcd)\s+([a-z]+)\b/g))
    mkdirSync(join(work, folderName), { recursive: true });
  for (const status of [0, 1]) {
    for (const name of stubNames(one, analysis))
      writeFileSync(join(bin, name), stub(name, log, status), { mode: 0o755 });
    const script = `enable -n ${DISABLED}\n${one.command}`;
    const [program, ...args] = [...isolate, shell, '-O', 'extglob', '-c', script];
    spawnSync(program, args, {
      cwd: work,
      env: { PATH: bin, HOME: work },
      timeout: 1500,
      input: 'y\ny\n',
      killSignal: 'SIGKILL',
    });
  }
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replaceAll('\u001E', '\n').split(SEPARATOR));
}

function stubNames(one, analysis) {
  const names = analysis.commands.map(({ argv }) => argv[0]).filter((name) => typeof name === 'string');
  const words = one.command.match(/[A-Za-z_][\w.-]*/g) ?? [];
  return [...new Set([...names, ...words])].filter(
    (name) =>
      /^(?:[\w.-]+|\[)$/.test(name) &&
      name !== '.' &&
      name !== '..' &&
      !BUILTINS.has(name) &&
      !WRAPPER_STUBS.includes(name),
  );
}

/** The real wrapper, which finds only stubs; `env -i` would clear PATH and find real programs. */
function wrapperStub(name, real) {
  if (name !== 'env') return `#!${shell}\nexec ${real} "$@"\n`;
  return `#!${shell}\nargs=()\nfor word in "$@"; do [[ $word == -i || $word == - ]] || args+=("$word"); done\nexec ${real} "\${args[@]}"\n`;
}

/** A program that only writes down how it was called; it ends as told, so that both `&&` and `||` go on. */
function stub(name, log, status) {
  return `#!${shell}\nline='${name}'\nfor word in "$@"; do line+=$'\\x1F'"\${word//$'\\n'/$'\\x1E'}"; done\nprintf '%s\\n' "$line" >> ${log}\nexit ${status}\n`;
}

function realPath(name) {
  for (const folder of ['/usr/bin', '/bin']) if (existsSync(join(folder, name))) return join(folder, name);
  return null;
}

/** Programs that started and that the analysis does not list: the dangerous direction. */
function notListed(started, analysis) {
  const names = new Set(analysis.commands.map(({ argv }) => argv[0]));
  if (names.has(null) || analysis.class === 'unknown') return [];
  return started.filter(([name]) => !names.has(name)).map((argv) => `started, not listed: ${argv.join(' ')}`);
}

/** Listed commands that never started with these words. Builtins and what runs inside wrappers' own code leave no trace. */
function notStarted(started, analysis) {
  return analysis.commands
    .filter(({ argv }) => typeof argv[0] === 'string' && !BUILTINS.has(argv[0]) && !WRAPPER_STUBS.includes(argv[0]))
    .filter((command) => !leavesNoTrace(command, analysis.source))
    .filter(({ argv }) => !started.some((words) => matches(words, argv)))
    .map(({ argv }) => `listed, not started: ${argv.map((word) => word ?? '?').join(' ')}`);
}

/** A shell of its own has its builtins back, a login shell resets PATH, and an alias needs the real git. */
function leavesNoTrace({ argv, wrappers }, source) {
  if (wrappers.includes('git') || /bash -l/.test(source)) return true;
  return wrappers.some((name) => WRAPPER_STUBS.includes(name)) && DISABLED.split(' ').includes(argv[0]);
}

/** A null stands for any words, also for none. */
function matches(words, argv) {
  const [first, ...rest] = argv;
  if (first === undefined) return words.length === 0;
  if (first === null)
    return Array.from({ length: words.length + 1 }, (_, skip) => skip).some((skip) => matches(words.slice(skip), rest));
  return words[0] === first.replace(/^~(?=\/|$)/, words[0]?.match(/^.*\/work/)?.[0] ?? '~')
    ? matches(words.slice(1), rest)
    : false;
}
