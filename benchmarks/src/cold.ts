import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { probeDisk } from './journal-rounds.ts';
import { childrenCpuMs } from './processor.ts';

/** How long whole processes take, from their start to their end, beside one of Node that does nothing. */
export const benchmark: Benchmark = {
  name: 'cold',
  run: async () => {
    const program = resolve(import.meta.dirname, '../../apps/cli/dist/bin/warrant.cjs');
    if (!existsSync(program)) throw new Error("the command is not built: 'pnpm exec turbo run build' builds it");
    const folder = mkdtempSync(join(tmpdir(), 'warrant-cold-'));
    try {
      for (const words of [['init'], ['graph', 'seed', 'filesystem', 'git', 'shell']])
        start([program, ...words], folder);
      return measure(program, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

const ROUNDS = 31;
/** The first runs compile, and keep what they compiled. */
const WARM_UP = 3;

type Kind = {
  readonly name: string;
  readonly words: readonly string[];
  readonly input?: (round: number) => string;
  /** Longest, beyond Node's own start, in milliseconds. */
  readonly goal?: number;
};

function kindsOf(folder: string): readonly Kind[] {
  const hook = ['hook', 'claude-code', '--mode', 'enforce', '-C', folder];
  const event = (name: string, more: object) => (round: number) =>
    JSON.stringify({
      session_id: 'cold',
      transcript_path: join(folder, 'transcript.jsonl'),
      cwd: folder,
      permission_mode: 'default',
      hook_event_name: name,
      tool_use_id: `toolu_${round}_${Object.keys(more).length}`,
      ...more,
    });
  const tool = (name: string, input: object) => event('PreToolUse', { tool_name: name, tool_input: input });
  return [
    { name: 'warrant --version', words: ['--version'] },
    { name: 'warrant check delete file', words: ['check', 'delete', 'file'], goal: 60 },
    { name: 'warrant review status', words: ['review', 'status'], goal: 60 },
    { name: 'hook, a call of Read', words: hook, input: tool('Read', { file_path: join(folder, 'a.txt') }), goal: 60 },
    {
      name: 'hook, the end of a turn',
      words: hook,
      input: event('Stop', { stop_hook_active: false, last_assistant_message: 'The file says hello.' }),
      goal: 60,
    },
    { name: 'hook, a call of Bash', words: hook, input: tool('Bash', { command: 'git status | head -5' }), goal: 110 },
  ];
}

type Times = { readonly wall: number[]; cpu: number };

function measure(program: string, folder: string): readonly Result[] {
  const bare: Times = { wall: [], cpu: 0 };
  const kinds = kindsOf(folder).map((kind) => ({ kind, times: { wall: [], cpu: 0 } as Times }));
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const counted = round >= 0;
    timed(bare, counted, () => start(['-e', '0'], folder));
    for (const { kind, times } of kinds) {
      timed(times, counted, () => start([program, ...kind.words], folder, kind.input?.(round + WARM_UP)));
    }
  }
  const base = median(bare.wall);
  console.log(
    `  bare node: ${base.toFixed(1)} ms, of it ${(bare.cpu / ROUNDS).toFixed(1)} ms of CPU; one flush to this disk: ${(1000 / probeDisk(folder)).toFixed(1)} ms`,
  );
  return kinds.map(({ kind, times }) => rowOf(kind, times, { base, cpu: bare.cpu / ROUNDS }));
}

function rowOf({ name, goal }: Kind, times: Times, bare: { readonly base: number; readonly cpu: number }): Result {
  const ours = median(times.wall) - bare.base;
  const cpu = times.cpu / ROUNDS - bare.cpu;
  // On a busy machine a process waits for its turn: its own time tells what it would have taken.
  const isContended = bare.base > 1.25 * bare.cpu && goal !== undefined && cpu <= goal;
  return {
    name: `${name}, beyond bare node (CPU ${cpu.toFixed(1)} ms)`,
    unit: 'ms',
    ours,
    against: 'bare node',
    theirs: bare.base,
    ratio: null,
    goal: goal === undefined ? 'none' : `under ${goal} ms`,
    reached: goal === undefined || ours <= goal || (isContended ? 'contended' : false),
  };
}

function timed(times: Times, counted: boolean, work: () => void): void {
  const cpu = childrenCpuMs();
  const begun = performance.now();
  work();
  if (!counted) return;
  times.wall.push(performance.now() - begun);
  times.cpu += childrenCpuMs() - cpu;
}

/** With further certificates set, Node reads and parses them at every start, which takes longer than the rest of it. */
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** Checks refuse and hooks answer with their own codes; only a crash ends the measurement. */
function start(words: readonly string[], folder: string, input = ''): void {
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, env, input, encoding: 'utf8' });
  if (status === null || status > 1) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
}
