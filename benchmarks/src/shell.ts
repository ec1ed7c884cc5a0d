import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { analyzeCommand } from '@warrant/shell';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { cpuMs } from './processor.ts';

const packageRoot = resolve(import.meta.dirname, '../../packages/shell');
const parserFile = createRequire(join(packageRoot, 'package.json')).resolve('unbash');

const LINE = "git status --short && grep -rn 'TODO' src | head -5";
const SCRIPT_LINES = [
  '#!/usr/bin/env bash',
  'set -euo pipefail',
  'for f in src/*.ts; do',
  '  if [ -f "$f" ]; then cp -r "$f" "$OUT/dist/"; fi',
  'done',
  'version="$(git describe --tags | sed s/^v//)"',
  'echo "building $version" >> build.log 2>&1',
  'git log --oneline -n 5 | head -3',
  "cat > notes.md <<'EOF'",
  'nothing here runs: rm -rf /',
  'EOF',
  'case "$1" in start) systemctl status nginx ;; *) echo "usage: $0 start" >&2 ;; esac',
];

/** Analysing a line and a script, paired with the bare parse of the same text. */
export const benchmark: Benchmark = { name: 'shell', run };

async function run(): Promise<readonly Result[]> {
  const { parse } = (await import(pathToFileURL(parserFile).href)) as { parse: (source: string) => unknown };
  const script = Array.from({ length: 12 }, () => SCRIPT_LINES.join('\n'))
    .join('\n')
    .slice(0, 5120);
  const complete = script.slice(0, script.lastIndexOf('\nset -euo'));
  return [
    ...paired('50-character line', LINE, parse, { warmup: 20000, rounds: 40, repeat: 400, limitMs: 0.2 }),
    ...paired('5 KB script', complete, parse, { warmup: 1500, rounds: 30, repeat: 20, limitMs: null }),
    firstCall(),
  ];
}

type Rounds = {
  /** Runs of both before anything counts, until the compiler of the engine is done with both. */
  readonly warmup: number;
  readonly rounds: number;
  readonly repeat: number;
  readonly limitMs: number | null;
};

function paired(name: string, text: string, parse: (source: string) => unknown, options: Rounds): readonly Result[] {
  const { warmup, rounds, repeat, limitMs } = options;
  const analyse = (): unknown => analyzeCommand(text, { directory: '/work' });
  const time = (run: () => unknown): number => {
    const start = cpuMs();
    for (let index = 0; index < repeat; index += 1) run();
    return (cpuMs() - start) / repeat;
  };
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let index = 0; index < warmup; index += 1) {
    parse(text);
    analyse();
  }
  for (let round = 0; round < rounds; round += 1) {
    theirs.push(time(() => parse(text)));
    ours.push(time(analyse));
  }
  const [mine, bare] = [median(ours), median(theirs)];
  const ratio = bare / mine;
  const result: Result = {
    name: `analyse a ${name} (${text.length} characters)`,
    unit: 'ms',
    ours: mine,
    against: 'the bare parse',
    theirs: bare,
    ratio,
    goal: 'no slower than 4x',
    reached: mine <= 4 * bare,
  };
  if (limitMs === null) return [result];
  const limit = {
    against: 'a fixed limit',
    theirs: null,
    ratio: null,
    goal: `under ${limitMs} ms`,
    reached: mine < limitMs,
  };
  return [result, { ...result, name: `analyse a ${name}, absolute`, ...limit }];
}

/** In a process of its own: what the first call costs once the module is loaded. */
function firstCall(): Result {
  const entry = pathToFileURL(join(packageRoot, 'dist/index.js')).href;
  const program = `const m = await import(${JSON.stringify(entry)}); const c = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; }; const t = c(); m.analyzeCommand('sudo rm -rf x && git log | head'); console.log(c() - t);`;
  const once = (): number =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: packageRoot.replace(/packages\/shell$/, ''),
        encoding: 'utf8',
      }),
    );
  const ours = median(Array.from({ length: 5 }, once));
  return {
    name: 'first call after import',
    unit: 'ms',
    ours,
    against: 'a fixed limit',
    theirs: null,
    ratio: null,
    goal: 'under 40 ms',
    reached: ours < 40,
  };
}
