import { type Chart, compileChart, initial, step } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readYaml } from '@warrant/chart/yaml';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { createScion, loadXstate, type Xstate } from './chart-peers.ts';
import { reading } from './chart-reading.ts';
import { cpuMs } from './processor.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** Steps of charts and the reading of a large one, paired with xstate and scion in the same run; the growth of a replay. */
export const benchmark: Benchmark = { name: 'chart', run };

function run(): Promise<readonly Result[]> {
  const xstate = loadXstate();
  return Promise.resolve([...flat(xstate), ...regions(xstate), ...reading(xstate), ...replay()]);
}

type Side = { readonly count: number; readonly work: () => void };

/** Rounds a second of processor time, the middle of several measurements; all sides take turns. */
function rates(sides: readonly Side[]): readonly number[] {
  const measured = sides.map((): number[] => []);
  for (let round = 0; round < 14; round += 1) {
    for (const [side, { count, work }] of sides.entries()) {
      const start = cpuMs();
      for (let index = 0; index < count; index += 1) work();
      if (round >= 5) (measured[side] as number[]).push((count / (cpuMs() - start)) * 1000);
    }
  }
  return measured.map(median);
}

function stepper(chart: Chart, event: string): () => void {
  let [state] = initial(chart, { sessionId: 's', at: AT });
  const input = { at: AT, event: { name: event } };
  return () => {
    [state] = step(chart, state, input);
  };
}

/** The pure function and the actor, each with a machine of its own. */
function xstateSides(xstate: Xstate, config: object, scale: number): readonly Side[] {
  const machine = xstate.createMachine(config);
  let [snapshot] = xstate.initialTransition(machine);
  const event = { type: 'go' };
  const pure = () => {
    [snapshot] = xstate.transition(machine, snapshot, event);
  };
  const actor = xstate.createActor(xstate.createMachine(config));
  actor.start();
  return [
    { count: 2000 * scale, work: pure },
    { count: 5000 * scale, work: () => actor.send(event) },
  ];
}

const FLAT = `format: warrant.chart/1
data: { n: 1 }
states:
  a: { on: { go: { cond: ctx.n < 10, target: b } } }
  b: { on: { go: { cond: ctx.n < 10, target: a } } }
`;

function flat(xstate: Xstate | undefined): readonly Result[] {
  const name = 'steps of a flat chart with one guard';
  if (xstate === undefined) return [absent(name, 'xstate 5', 'at least 8x and 1x')];
  const chart = compileChart(readYaml(FLAT), { dataModel: celDataModel() });
  const guard = ({ context }: { context: { n: number } }) => context.n < 10;
  const config = {
    context: { n: 1 },
    initial: 'a',
    states: { a: { on: { go: { guard, target: 'b' } } }, b: { on: { go: { guard, target: 'a' } } } },
  };
  const [ours, pure, sent] = rates([{ count: 20_000, work: stepper(chart, 'go') }, ...xstateSides(xstate, config, 1)]);
  return [atLeast(name, ours, 'xstate 5 transition()', pure, 8), atLeast(name, ours, 'xstate 5 actor.send', sent, 1)];
}

const REGIONS = ['p', 'q', 'r', 's'];
type RingState = { readonly id: string; readonly next: string };

function ring(region: string): readonly RingState[] {
  return Array.from({ length: 24 }, (_, at) => ({ id: `${region}${at}`, next: `${region}${(at + 1) % 24}` }));
}

/** Four regions of 24 states each that go round on one event: a hundred states and the parallel. */
function regions(xstate: Xstate | undefined): readonly Result[] {
  const name = 'steps of 100 states in 4 regions';
  const yaml = REGIONS.map((region) => {
    const states = ring(region).map(({ id, next }) => `${id}: { on: { go: ${next} } }`);
    return `      ${region}: { states: { ${states.join(', ')} } }`;
  });
  const text = `format: warrant.chart/1\nstates:\n  all:\n    type: parallel\n    states:\n${yaml.join('\n')}\n`;
  const chart = compileChart(readYaml(text), { dataModel: celDataModel() });
  const peer = createScion(scionModel());
  peer.start();
  const sides: readonly Side[] = [
    { count: 3000, work: stepper(chart, 'go') },
    { count: 300, work: () => peer.gen({ name: 'go' }) },
    ...(xstate === undefined ? [] : xstateSides(xstate, xstateRegions(), 0.1)),
  ];
  const [ours, scion, pure, sent] = rates(sides);
  return [
    ...(xstate === undefined
      ? [absent(name, 'xstate 5', 'at least 8x and 1x')]
      : [atLeast(name, ours, 'xstate 5 transition()', pure, 8), atLeast(name, ours, 'xstate 5 actor.send', sent, 1)]),
    atLeast(name, ours, '@scion-scxml/core', scion, 0.5),
  ];
}

function scionModel(): object {
  const states = REGIONS.map((region) => ({
    id: region,
    states: ring(region).map(({ id, next }) => ({ id, transitions: [{ event: 'go', target: [next] }] })),
  }));
  return { states: [{ id: 'all', $type: 'parallel', states }] };
}

function xstateRegions(): object {
  const states = REGIONS.map((region) => [
    region,
    {
      initial: `${region}0`,
      states: Object.fromEntries(ring(region).map(({ id, next }) => [id, { on: { go: next } }])),
    },
  ]);
  return { initial: 'all', states: { all: { type: 'parallel', states: Object.fromEntries(states) } } };
}

function atLeast(
  name: string,
  ours: number | undefined,
  against: string,
  theirs: number | undefined,
  goal: number,
): Result {
  if (ours === undefined || theirs === undefined) throw new Error(`${name}: nothing was measured`);
  const ratio = ours / theirs;
  return { name, unit: 'per second', ours, against, theirs, ratio, goal: `at least ${goal}x`, reached: ratio >= goal };
}

function absent(name: string, peer: string, goal: string): Result {
  const against = `${peer} is not installed: npm install in benchmarks/peers`;
  return { name, unit: 'per second', ours: Number.NaN, against, theirs: null, ratio: null, goal, reached: false };
}

/** Ten times the events must cost at most eleven times as much, and leave a state of the same size. */
function replay(): readonly Result[] {
  const chart = compileChart(readYaml(FLAT), { dataModel: celDataModel() });
  const input = { at: AT, event: { name: 'go' } };
  const run = (events: number) => {
    let [state] = initial(chart, { sessionId: 's', at: AT });
    const start = cpuMs();
    for (let index = 0; index < events; index += 1) [state] = step(chart, state, input);
    return { time: cpuMs() - start, size: JSON.stringify({ ...state, steps: 0 }).length };
  };
  run(100_000);
  // Ten short ones take as long as a long one, so that a busy moment strikes both sides alike.
  const short = () => Array.from({ length: 10 }, () => run(10_000)).reduce((sum, { time }) => sum + time, 0);
  const rounds = Array.from({ length: 7 }, () => ({ small: short(), large: run(100_000) }));
  const small = median(rounds.map((round) => round.small));
  const large = median(rounds.map((round) => round.large.time));
  const ratio = median(rounds.map((round) => round.small / round.large.time));
  const sizes = { small: run(10_000).size, large: run(100_000).size };
  return [
    {
      name: 'replay of 100,000 events',
      unit: 'ms',
      ours: large,
      against: 'ten times 10,000 events',
      theirs: small,
      ratio,
      goal: 'at most 1.1x the time',
      reached: ratio >= 1 / 1.1,
    },
    {
      name: 'state after 100,000 events, without its count of steps',
      unit: 'characters',
      ours: sizes.large,
      against: 'after 10,000 events',
      theirs: sizes.small,
      ratio: sizes.large / sizes.small,
      goal: 'the same size',
      reached: sizes.large === sizes.small,
    },
  ];
}
