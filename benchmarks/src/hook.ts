import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { childrenCpuMs, cpuMsOf } from './processor.ts';

/** What the resident process answers in, and how long a replay of many calls takes, with the program as it is published. */
export const benchmark: Benchmark = { name: 'hook', run };

const PROGRAM = resolve(import.meta.dirname, '../../apps/cli/dist/bin/warrant.cjs');
const ROUNDS = 200;
const PAUSE_MS = 20;
const CALLS = 10_000;

async function run(): Promise<readonly Result[]> {
  if (!existsSync(PROGRAM)) throw new Error('build the command first: turbo run build --filter warrant');
  const scratch = mkdtempSync(join(tmpdir(), 'warrant-bench-hook-'));
  try {
    return [...(await served(scratch)), replayed(scratch)];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

type Event = { readonly name: string; readonly input: (round: number) => object };

const common = { session_id: 's', cwd: '/repo', prompt_id: 'p' };
const call = (tool: string, given: object) => (round: number) => ({
  ...common,
  hook_event_name: 'PreToolUse',
  tool_name: tool,
  tool_use_id: `${tool}-${round}`,
  tool_input: given,
});
const EVENTS: readonly Event[] = [
  { name: 'Read', input: call('Read', { file_path: 'a.ts' }) },
  { name: 'Bash', input: call('Bash', { command: 'git status --short | head -5' }) },
  {
    name: 'Stop',
    input: (round) => ({
      ...common,
      hook_event_name: 'Stop',
      last_assistant_message: `Look ${round} shows nothing new.`,
    }),
  },
];

/** The events take turns, so that whatever else the machine does meets all of them. */
async function served(scratch: string): Promise<readonly Result[]> {
  const project = join(scratch, 'project');
  mkdirSync(project);
  for (const words of [['init'], ['graph', 'seed', 'filesystem', 'git', 'shell']])
    execFileSync(process.execPath, [PROGRAM, ...words], { cwd: project, stdio: 'ignore' });
  const child = spawn(process.execPath, [PROGRAM, 'serve'], { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise((done) => child.stdout.once('data', done));
    const folder = join(project, '.warrant/serve');
    const [asks = '', answers = ''] = readFileSync(join(folder, 'keys'), 'utf8').trim().split(' ');
    let before = 0;
    const times = new Map<string, number[]>(EVENTS.map(({ name }) => [name, []]));
    for (let round = -20; round < ROUNDS; round += 1) {
      if (round === 0) before = cpuMsOf(child.pid);
      for (const { name, input } of EVENTS) {
        const call = { input: JSON.stringify(input(round)), mode: 'enforce', source: 'project' };
        const start = performance.now();
        const answer = await ask(join(folder, 'hook.sock'), `${asks}\n${JSON.stringify(call)}`);
        if (round >= 0) times.get(name)?.push(performance.now() - start);
        if (!answer.startsWith(`${answers}\n{"code":0`)) throw new Error(`no answer to ${name}: ${answer.slice(64)}`);
        // Clients start a process for each event: none comes as soon as the last is answered.
        await setTimeout(PAUSE_MS);
      }
    }
    const cpu = (cpuMsOf(child.pid) - before) / ROUNDS / EVENTS.length;
    return EVENTS.map(({ name }) => servedRow(name, median(times.get(name) ?? []), cpu));
  } finally {
    child.kill();
  }
}

function servedRow(name: string, ours: number, cpu: number): Result {
  return {
    name: `warrant serve answers ${name}, disk included`,
    unit: 'ms',
    ours,
    against: `besides the client's own start; ${cpu.toFixed(1)} ms on the processor for one of the three`,
    theirs: null,
    ratio: null,
    goal: 'under 10 ms',
    reached: ours < 10 ? true : cpu < 10 ? 'contended' : false,
  };
}

function ask(path: string, text: string): Promise<string> {
  return new Promise((done, fail) => {
    let heard = '';
    const socket = createConnection(path, () => socket.end(text));
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.on('error', fail);
    socket.on('close', () => done(heard));
  });
}

const LINES = ['git log --oneline | head', 'rm -rf build', "grep -rn 'a|b' src", 'npm test', 'ls -la && cat README.md'];

function replayed(scratch: string): Result {
  const file = join(scratch, 'session.jsonl');
  const lines = [entry('user', 'Look around and change what is wrong.')];
  for (let at = 0; at < CALLS; at += 1) {
    const id = `toolu_${at}`;
    const [name, input] =
      at % 2 === 0
        ? ['Bash', { command: `${LINES[at % LINES.length]} # ${at}` }]
        : ['Edit', { file_path: `/repo/f${at % 50}.ts`, old_string: 'a', new_string: `b${at}` }];
    lines.push(entry('assistant', [{ type: 'tool_use', id, name, input }]));
    lines.push(entry('user', [{ type: 'tool_result', tool_use_id: id, content: `line ${at}\n`.repeat(20) }]));
  }
  lines.push(entry('assistant', [{ type: 'text', text: 'I changed f1.ts.' }]));
  writeFileSync(file, `${lines.join('\n')}\n`);
  const [start, before] = [performance.now(), childrenCpuMs()];
  const { stdout } = spawnSync(process.execPath, [PROGRAM, 'replay', file, '--json'], { maxBuffer: 1e9 });
  const ours = (performance.now() - start) / 1000;
  const cpu = (childrenCpuMs() - before) / 1000;
  const { calls } = JSON.parse(stdout.toString('utf8')) as { readonly calls: readonly unknown[] };
  if (calls.length !== CALLS) throw new Error(`${calls.length} calls were replayed`);
  return {
    name: `replay ${CALLS} calls, start included`,
    unit: 's',
    ours,
    against: `${(CALLS / ours).toFixed(0)} calls/s; ${cpu.toFixed(1)} s on the processor`,
    theirs: null,
    ratio: null,
    goal: 'under 10 s',
    reached: ours < 10 ? true : cpu < 10 ? 'contended' : false,
  };
}

function entry(role: 'user' | 'assistant', content: unknown): string {
  return JSON.stringify({ type: role, sessionId: 's', cwd: '/repo', message: { role, content } });
}
