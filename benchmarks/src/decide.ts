import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readYaml } from '@warrant/chart/yaml';
import { createVirtualTimer, type Decider, type Journal } from '@warrant/core';
import { createAgentHost, createGuardDecider } from '@warrant/decide';
import { agentDataModel } from '@warrant/decide/cel';
import { createMemoryJournal } from '@warrant/journal';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { loadXstate, type Xstate } from './chart-peers.ts';
import { reactRuns } from './decide-react.ts';
import { cpuMs } from './processor.ts';

/** Agents: decisions a second beside xstate, a ReAct run on a durable file, waking a long run, and many idle ones. */
export const benchmark: Benchmark = { name: 'decide', run };

async function run(): Promise<readonly Result[]> {
  return [await decisions(), ...(await reactRuns()), ...(await waking()), idle()];
}

const GUARDED = readYaml(`format: warrant.chart/1
data: { n: 0 }
states:
  a:
    extensions: [{ local: decide, attribute: rule }]
    on:
      big: { cond: ctx.n >= 1000000000, target: b }
      up: { target: a, do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      stop: { cond: ctx.n >= 10000, target: b }
  b: { type: final }
`);
const DECISIONS = 10_000;
/** Single rounds differ by half on a machine that is shared; the medians of so many agree within a tenth. */
const ROUNDS = 44;
/** A program that has just started is not what stays: both sides are compiled by then. */
const COLD_ROUNDS = 4;

/** Both sides decide ten thousand times by the same guards and append each decision to a journal of the same kind; rounds take turns, and processor time counts. */
async function decisions(): Promise<Result> {
  const dataModel = agentDataModel();
  const ours = async (): Promise<number> => {
    const rule = createGuardDecider({
      dataModel,
      rules: [{ event: 'big' }, { event: 'up', guard: `ctx.n < ${DECISIONS}` }, { event: 'stop' }],
    });
    const host = createAgentHost({
      journal: createMemoryJournal(),
      timer: createVirtualTimer(),
      agents: [{ name: 'a', chart: GUARDED, dataModel, maxAsks: 1_000_000 }],
      deciders: { rule },
    });
    const start = cpuMs();
    await host.spawn('urn:bench:a', 'a');
    // Each decision leads to the next: the run is over when its last work is.
    while ((await host.state('urn:bench:a')).status === 'running') await host.settled();
    return ((DECISIONS + 1) / (cpuMs() - start)) * 1000;
  };
  const xstate = loadXstate();
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    rates[0].push(await ours());
    if (xstate !== undefined) rates[1].push(await xstateDecisions(xstate, createMemoryJournal()));
  }
  const [warm, theirsWarm] = [rates[0].slice(COLD_ROUNDS), rates[1].slice(COLD_ROUNDS)];
  const [mine, theirs] = [median(warm), xstate === undefined ? null : median(theirsWarm)];
  const ratio = theirs === null ? null : median(warm.map((rate, index) => rate / (theirsWarm[index] ?? Number.NaN)));
  return {
    name: 'decisions by guards, memory journal',
    unit: 'per second',
    ours: mine,
    against:
      xstate === undefined ? 'xstate 5 is not installed in benchmarks/peers' : 'xstate 5 with can(), same journal',
    theirs,
    ratio,
    goal: 'at least 0.8x',
    reached: ratio !== null && ratio >= 0.8,
  };
}

async function xstateDecisions({ createMachine, createActor, assign }: Xstate, journal: Journal): Promise<number> {
  const machine = createMachine({
    context: { n: 0 },
    initial: 'a',
    states: {
      a: {
        on: {
          big: { guard: ({ context }: { context: { n: number } }) => context.n >= 1_000_000_000, target: 'b' },
          up: {
            target: 'a',
            reenter: true,
            actions: assign({ n: ({ context }: { context: { n: number } }) => context.n + 1 }),
          },
          stop: { guard: ({ context }: { context: { n: number } }) => context.n >= DECISIONS, target: 'b' },
        },
      },
      b: { type: 'final' },
    },
  });
  const actor = createActor(machine);
  const start = cpuMs();
  actor.start();
  let position = 0;
  for (let snapshot = actor.getSnapshot(); snapshot.status === 'active'; snapshot = actor.getSnapshot()) {
    const offered = ['big', 'up', 'stop'].filter((type) => snapshot.can({ type }));
    const type = offered.find((one) => one !== 'up' || snapshot.context.n < DECISIONS) ?? 'stop';
    const data = { event: type, offered, context: snapshot.context };
    await journal.append('bench', [{ id: `${position}`, type: 'decision', schemaVersion: 1, data }], {
      expected: position === 0 ? 'none' : position,
    });
    position += 1;
    actor.send({ type });
  }
  return (position / (cpuMs() - start)) * 1000;
}

const INPUTS = 10_000;

/** A run of ten thousand inputs, opened by a host that has not seen it. */
async function waking(): Promise<readonly Result[]> {
  const journal = createMemoryJournal();
  const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };
  const dataModel = agentDataModel();
  const agents = [{ name: 'a', chart: GUARDED, dataModel, maxAsks: 1_000_000 }];
  const open = (more: object = {}) =>
    createAgentHost({ journal, agents, deciders: { rule: silent }, timer: createVirtualTimer(), ...more });
  const host = open({ snapshots: journal.snapshots, snapshotEvery: 500 });
  await host.spawn('urn:bench:long', 'a');
  for (let index = 1; index < INPUTS; index += 1) await host.send('urn:bench:long', { name: 'up', id: `${index}` });
  const time = async (more: object): Promise<number> => {
    const one = open(more);
    const start = performance.now();
    await one.state('urn:bench:long');
    return performance.now() - start;
  };
  const row = (name: string, values: readonly number[], limit: number): Result => {
    const ours = median(values);
    return {
      name,
      unit: 'ms',
      ours,
      against: 'a fixed limit',
      theirs: limit,
      ratio: limit / ours,
      goal: `under ${limit} ms`,
      reached: ours < limit,
    };
  };
  const without = [await time({}), await time({}), await time({})];
  const snapshots = { snapshots: journal.snapshots };
  const withOne = [
    await time(snapshots),
    await time(snapshots),
    await time(snapshots),
    await time(snapshots),
    await time(snapshots),
  ];
  return [
    row('wake a run of 10,000 inputs, no snapshot', without, 1000),
    row('the same from a snapshot', withOne.slice(1), 20),
  ];
}

/** Measured in a process of its own, with the runs in a file. */
function idle(): Result {
  const folder = mkdtempSync(join(tmpdir(), 'bench-idle-'));
  try {
    const child = resolve(import.meta.dirname, 'decide-idle.mjs');
    const ran = spawnSync(process.execPath, ['--expose-gc', child, join(folder, 'idle.db')], { encoding: 'utf8' });
    const megabytes = ran.status === 0 ? (JSON.parse(ran.stdout) as { readonly rss: number }).rss / 1e6 : Number.NaN;
    return {
      name: '10,000 idle agents with deadlines in one host',
      unit: 'MB',
      ours: megabytes,
      against: 'a fixed limit',
      theirs: 200,
      ratio: 200 / megabytes,
      goal: 'under 200 MB',
      reached: megabytes < 200,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
