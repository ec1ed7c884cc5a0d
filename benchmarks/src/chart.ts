import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Chart, compileChart, initial, step } from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { readScxml, writeScxml } from '@warrant/chart/scxml';
import { readYaml } from '@warrant/chart/yaml';
import { type Benchmark, median, type Result } from './benchmark.ts';

const AT = '2026-01-01T00:00:00.000Z';
const PEERS = fileURLToPath(new URL('../peers', import.meta.url));

/** Steps of charts, paired with xstate and scion in the same run; reading a large chart; the growth of a replay. */
export const benchmark: Benchmark = { name: 'chart', run };

function run(): Promise<readonly Result[]> {
  const xstate = loadXstate();
  return Promise.resolve([...flat(xstate), ...regions(), ...reading(), ...replay()]);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Rounds a second of processor time, the middle of several measurements; the two sides take turns. */
function paired(count: number, ours: () => void, theirs: () => void): readonly [number, number] {
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round < 12; round += 1) {
    for (const [side, work] of [ours, theirs].entries()) {
      const start = cpuMs();
      for (let index = 0; index < count; index += 1) work();
      if (round >= 4) (rates[side] as number[]).push((count / (cpuMs() - start)) * 1000);
    }
  }
  return [median(rates[0]), median(rates[1])];
}

const FLAT = `format: warrant.chart/1
data: { n: 1 }
states:
  a: { on: { go: { cond: ctx.n < 10, target: b } } }
  b: { on: { go: { cond: ctx.n < 10, target: a } } }
`;

function stepper(chart: Chart, event: string): () => void {
  let [state] = initial(chart, { sessionId: 's', at: AT });
  const input = { at: AT, event: { name: event } };
  return () => {
    [state] = step(chart, state, input);
  };
}

function flat(xstate: Xstate | undefined): readonly Result[] {
  const chart = compileChart(readYaml(FLAT), { dataModel: celDataModel() });
  const name = 'steps of a flat chart with one guard';
  if (xstate === undefined) {
    const table: Readonly<Record<string, string>> = { a: 'b', b: 'a' };
    let at = 'a';
    let context = { n: 1 };
    const [ours, theirs] = paired(5000, stepper(chart, 'go'), () => {
      if (context.n < 10) at = table[at] ?? at;
      context = { ...context };
    });
    return [row(name, ours, 'a table written by hand', theirs, 'at least 440,000 a second', ours >= 440_000)];
  }
  const guard = ({ context }: { context: { n: number } }) => context.n < 10;
  const machine = xstate.createMachine({
    context: { n: 1 },
    initial: 'a',
    states: { a: { on: { go: { guard, target: 'b' } } }, b: { on: { go: { guard, target: 'a' } } } },
  });
  let [snapshot] = xstate.initialTransition(machine);
  const event = { type: 'go' };
  const pure = paired(5000, stepper(chart, 'go'), () => {
    [snapshot] = xstate.transition(machine, snapshot, event);
  });
  const actor = xstate.createActor(machine);
  actor.start();
  const sent = paired(5000, stepper(chart, 'go'), () => actor.send(event));
  return [
    row(name, pure[0], 'xstate 5 transition()', pure[1], 'at least 8x', pure[0] >= 8 * pure[1]),
    row(name, sent[0], 'xstate 5 actor.send', sent[1], 'at least 1x', sent[0] >= sent[1]),
  ];
}

type Xstate = {
  createMachine(config: object): unknown;
  initialTransition(machine: unknown): [unknown];
  transition(machine: unknown, snapshot: unknown, event: object): [unknown];
  createActor(machine: unknown): { start(): void; send(event: object): void };
};

/** The peer, or undefined where it is not installed. */
function loadXstate(): Xstate | undefined {
  const file = join(PEERS, 'node_modules/xstate/dist/xstate.cjs.js');
  return existsSync(file) ? (createRequire(import.meta.url)(file) as Xstate) : undefined;
}

/** Four regions of 24 states each that go round on one event. */
function regions(): readonly Result[] {
  const names = ['p', 'q', 'r', 's'];
  const ring = (region: string) =>
    Array.from({ length: 24 }, (_, at) => ({ id: `${region}${at}`, next: `${region}${(at + 1) % 24}` }));
  const yaml = names.map(
    (region) =>
      `      ${region}: { states: { ${ring(region)
        .map(({ id, next }) => `${id}: { on: { go: ${next} } }`)
        .join(', ')} } }`,
  );
  const chart = compileChart(
    readYaml(`format: warrant.chart/1\nstates:\n  all:\n    type: parallel\n    states:\n${yaml.join('\n')}\n`),
    { dataModel: celDataModel() },
  );
  const { Statechart } = createRequire(resolve(import.meta.dirname, '../../packages/chart/package.json'))(
    '@scion-scxml/core',
  ) as { Statechart: new (model: object) => { start(): void; gen(event: object): void } };
  const peer = new Statechart({
    states: [
      {
        id: 'all',
        $type: 'parallel',
        states: names.map((region) => ({
          id: region,
          states: ring(region).map(({ id, next }) => ({ id, transitions: [{ event: 'go', target: [next] }] })),
        })),
      },
    ],
  });
  peer.start();
  const [ours, theirs] = paired(300, stepper(chart, 'go'), () => peer.gen({ name: 'go' }));
  return [
    row('steps of 100 states in 4 regions', ours, '@scion-scxml/core', theirs, 'at least 0.5x', ours >= theirs / 2),
  ];
}

function row(
  name: string,
  ours: number,
  against: string,
  theirs: number | null,
  goal: string,
  reached: boolean,
  unit = 'per second',
): Result {
  const ratio = theirs === null ? null : unit === 'ms' ? theirs / ours : ours / theirs;
  return { name, unit, ours, against, theirs, ratio, goal, reached };
}

function reading(): readonly Result[] {
  const states = Array.from({ length: 1000 }, (_, at) => `  s${at}: { on: { go: s${(at + 1) % 1000}, back: s0 } }`);
  const bytes = new TextEncoder().encode(
    writeScxml(readYaml(`format: warrant.chart/1\nstates:\n${states.join('\n')}\n`)),
  );
  const dataModel = celDataModel();
  const times = Array.from({ length: 12 }, () => {
    const start = cpuMs();
    compileChart(readScxml(bytes), { dataModel });
    return cpuMs() - start;
  });
  const warm = median(times.slice(4));
  return [
    row(
      'read, check and compile 1,000 states of SCXML, warm',
      warm,
      'a fixed limit',
      null,
      'under 150 ms',
      warm < 150,
      'ms',
    ),
  ];
}

/** Ten times the events must cost at most eleven times as much. */
function replay(): readonly Result[] {
  const chart = compileChart(readYaml(FLAT), { dataModel: celDataModel() });
  const time = (events: number): number => {
    const next = stepper(chart, 'go');
    const start = cpuMs();
    for (let index = 0; index < events; index += 1) next();
    return cpuMs() - start;
  };
  time(10_000);
  const small = median(Array.from({ length: 5 }, () => time(10_000)));
  const large = time(100_000);
  return [
    row(
      'replay of 100,000 events',
      large,
      'ten times 10,000 events',
      small * 10,
      'at most 1.1x',
      large <= small * 11,
      'ms',
    ),
  ];
}
