import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { runInScion } from '../test/scion.ts';
import {
  byDepth,
  DIFFERENCES,
  hasForgetfulHistory,
  isInDocumentOrder,
  isReadDifferently,
} from '../test/scion-differences.ts';
import type { Chart } from './chart.ts';
import { compileChart } from './compile.ts';
import type { Action, ChartIr, StateIr, TransitionIr } from './ir.ts';
import type { ChartState, Effect } from './state.ts';
import { initial, step } from './step.ts';
import { readYaml } from './yaml/index.ts';

const at = '2026-01-01T00:00:00.000Z';
const events = fc.array(fc.constantFrom('a', 'b', 'a.x', 'c'), { minLength: 1, maxLength: 6 });
const numRuns = process.env['WARRANT_SOAK'] === undefined ? 300 : 50_000;

/** Done events of parallels are left out: the other engine raises them otherwise, see the known differences. */
function parallelDones(states: readonly StateIr[]): readonly string[] {
  return states.flatMap((one) => [
    ...(one.type === 'parallel' ? [`done.state.${one.id}`] : []),
    ...parallelDones(one.states),
  ]);
}

/** What both engines define: states, transitions, histories, `In()`, raised and done events. Every move is logged. */
function shared(ir: ChartIr, without: readonly string[] = []): ChartIr {
  const ids = [...JSON.stringify(ir).matchAll(/"id":"(s\d+)"/g)].map(([, id]) => id as string);
  const transition = (source: StateIr, given: TransitionIr, index: number): TransitionIr => {
    const { cond, ...more } = given;
    // A star would also take done events of parallels.
    const rest = { ...more, events: more.events.map((event) => (event === '*' ? 'a' : event)) };
    const raised = given.content.flatMap((action): readonly Action[] =>
      action.type === 'raise' || action.type === 'send' ? [{ type: 'raise', event: action.event ?? 'i' }] : [],
    );
    // Conditions on data become conditions on a state.
    const asked = cond === undefined ? {} : { cond: `In('${ids[(cond.length * 7 + index) % ids.length]}')` };
    if (source.type === 'history') return { ...rest, content: [] };
    return { ...rest, ...asked, content: [{ type: 'log', label: `~${source.id}#${index}` }, ...raised] };
  };
  const strip = (state: StateIr): StateIr => {
    const { doneData: _, initial: given, ...rest } = state;
    return {
      ...rest,
      ...(given === undefined ? {} : { initial: 'targets' in given ? given.targets : given }),
      transitions: state.transitions
        .filter((one) => !one.events.some((event) => without.includes(event)))
        .map((one, index) => transition(state, one, index)),
      onEntry: state.type === 'history' ? [] : [[{ type: 'log', label: `+${state.id}` }]],
      onExit: state.type === 'history' ? [] : [[{ type: 'log', label: `-${state.id}` }]],
      invokes: [],
      states: state.states.map(strip),
    };
  };
  return { datamodel: 'null', binding: 'early', data: [], states: ir.states.map(strip) };
}

function storyOf(effects: readonly Effect[]): readonly string[] {
  return effects.flatMap((effect) => (effect.type === 'log' ? [effect.label ?? ''] : []));
}

/** How much was really compared: steps, those that moved, those of several microsteps; runs that a known difference ended. */
const tally = { compared: 0, moved: 0, several: 0, ended: 0 };

/** The known difference that the last input may have met, by what was active at any moment of it. */
function known(chart: Chart, before: readonly string[], story: readonly string[], after: ChartState) {
  const touched = new Set([...before, ...story.filter((word) => word[0] === '+').map((word) => word.slice(1))]);
  if (chart.transitions.some((one) => touched.has(one.source.id) && isReadDifferently(one))) return 'domain';
  if (after.configuration.every((id) => chart.byId.get(id)?.type !== 'atomic')) return 'finals';
  return after.status === 'stopped' ? 'no rest' : undefined;
}

/** Runs both; the first new difference, or none. */
function difference(ir: ChartIr, names: readonly string[]): string | undefined {
  const chart = compileChart(ir, { lenient: true, limits: { microsteps: 40 } });
  if (hasForgetfulHistory(chart)) return undefined;
  let [state, effects] = initial(chart, { sessionId: 's', at });
  let other: ReturnType<typeof runInScion> | undefined;
  let before: readonly string[] = [];
  for (const name of ['', ...names]) {
    if (name !== '') [state, effects] = step(chart, state, { at, event: { name } });
    const story = storyOf(effects);
    if (!isInDocumentOrder(chart, story)) return `${name}: out of order ${story.join(' ')}`;
    // What both agree on until the end of the chart is compared too; a known difference ends the comparison.
    if (state.status !== 'done' && known(chart, before, story, state) !== undefined) {
      tally.ended += 1;
      return undefined;
    }
    if (other === undefined) other = runInScion(ir);
    else other.send(name);
    if (state.status === 'done') return other.isDone() ? undefined : `${name}: done`;
    const [ours, theirs] = [byDepth(chart, story).join(' '), other.story().join(' ')];
    if (ours !== theirs) return `${name}: ${ours} | ${theirs}`;
    const [here, there] = [[...state.configuration].sort().join(), other.configuration().join()];
    if (here !== there) return `${name}: ${here} | ${there}`;
    before = state.configuration;
    tally.compared += 1;
    if (name !== '' && story.length > 0) tally.moved += 1;
    if (story.filter((word) => word[0] === '~').length > 1) tally.several += 1;
  }
  return undefined;
}

test('another engine exits, moves and enters in the same order, microstep by microstep', () => {
  Object.assign(tally, { compared: 0, moved: 0, several: 0, ended: 0 });
  fc.assert(
    fc.property(chartArbitrary, events, (given, names) => {
      const ir = shared(given, parallelDones(given.states));
      expect(difference(ir, names), JSON.stringify(ir.states.map(outline), null, 1)).toBeUndefined();
    }),
    { numRuns },
  );
  // Known differences must not eat up the comparison.
  expect(tally.moved, JSON.stringify(tally)).toBeGreaterThan(numRuns / 5);
  expect(tally.several, JSON.stringify(tally)).toBeGreaterThan(numRuns / 60);
});

describe('a known difference is still one', () => {
  test.each(DIFFERENCES)('$name ($clause)', ({ chart: states, events: names, ours, theirs }) => {
    const chart = readYaml(`vertep: 1\nstates:\n  ${states}\n`);
    const compiled = compileChart(shared({ ...chart, datamodel: 'null' }), { lenient: true });
    const other = runInScion(compiled.ir);
    let [state, effects] = initial(compiled, { sessionId: 's', at });
    for (const name of names) {
      [state, effects] = step(compiled, state, { at, event: { name } });
      other.story();
      other.send(name);
    }
    expect(storyOf(effects).join(' ')).toBe(ours);
    expect([...other.story(), ...(other.isDone() ? ['done'] : [])].join(' ')).toBe(theirs);
  });
});

function outline(state: StateIr): unknown {
  return {
    [`${state.type === 'state' ? '' : `${state.history ?? state.type} `}${state.id}`]: [
      ...(state.initial === undefined ? [] : [`initial ${JSON.stringify(state.initial)}`]),
      ...state.transitions.map(
        ({ events: on, targets, type, cond }) => `${on.join(' ')} [${cond ?? ''}] -${type[0]}-> ${targets.join(' ')}`,
      ),
      ...state.states.map(outline),
    ],
  };
}
