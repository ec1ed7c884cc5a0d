import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { runInScion } from '../test/scion.ts';
import { type Chart, type ChartNode, isDescendant } from './chart.ts';
import { compileChart } from './compile.ts';
import type { ChartIr, StateIr } from './ir.ts';
import { initial, step } from './step.ts';

/** States, transitions and histories: what both engines define. Content logs entries and exits only. */
function bare(ir: ChartIr): ChartIr {
  const strip = (state: StateIr): StateIr => {
    const { doneData: _, initial: given, ...rest } = state;
    return {
      ...rest,
      ...(given === undefined ? {} : { initial: 'targets' in given ? given.targets : given }),
      transitions: state.transitions
        .filter(({ events }) => events.every((event) => /^[abc]([.]x)?$/.test(event)))
        .filter(({ events }) => events.length > 0 || state.type === 'history')
        .map(({ cond: __, ...transition }) => ({ ...transition, content: [] })),
      onEntry: state.type === 'history' ? [] : [[{ type: 'log', label: `+${state.id}` }]],
      onExit: state.type === 'history' ? [] : [[{ type: 'log', label: `-${state.id}` }]],
      invokes: [],
      states: state.states.map(strip),
    };
  };
  return { datamodel: 'null', binding: 'early', data: [], states: ir.states.map(strip) };
}

const at = '2026-01-01T00:00:00.000Z';
const events = fc.array(fc.constantFrom('a', 'b', 'a.x', 'c'), { minLength: 1, maxLength: 6 });
const numRuns = process.env['WARRANT_SOAK'] === undefined ? 120 : 50_000;

function sorted(words: readonly string[]): string {
  return [...words].sort().join(' ');
}

/** Runs both; the first difference, or none. */
function difference(ir: ChartIr, names: readonly string[]): string | undefined {
  const other = runInScion(ir);
  const chart = compileChart(ir, { lenient: true });
  let [state, effects] = initial(chart, { sessionId: 's', at });
  for (const name of ['', ...names]) {
    if (name !== '') {
      [state, effects] = step(chart, state, { at, event: { name } });
      other.send(name);
    }
    if (state.status === 'done') return other.isDone() ? undefined : `${name}: done`;
    // Known difference: the other engine also ends in nested finals (standard 3.13 ends at a final of the top level).
    if (state.configuration.every((id) => chart.byId.get(id)?.type !== 'atomic')) return undefined;
    const story = sorted(effects.flatMap((effect) => (effect.type === 'log' ? [effect.label ?? ''] : [])));
    const theirs = sorted(other.story());
    if (story !== theirs) return `${name}: ${story} | ${theirs}`;
    const [ours, others] = [[...state.configuration].sort().join(), other.configuration().join()];
    if (ours !== others) return `${name}: ${ours} | ${others}`;
  }
  return undefined;
}

/** Known difference: the standard's domain is never a parallel (getTransitionDomain, findLCCA); the other engine takes the parallel itself. */
function hasParallelDomain(chart: Chart): boolean {
  return chart.transitions.some(({ source, targets }) => {
    let holder = source.parent;
    while (holder !== undefined && !targets.every((target) => isDescendant(target, holder as ChartNode)))
      holder = holder.parent;
    return holder?.type === 'parallel';
  });
}

test('another engine enters and leaves the same states in the same order', () => {
  fc.assert(
    fc.property(chartArbitrary, events, (given, names) => {
      const ir = bare(given);
      fc.pre(!hasParallelDomain(compileChart(ir, { lenient: true })));
      expect(difference(ir, names), JSON.stringify(ir.states.map(outline), null, 1)).toBeUndefined();
    }),
    { numRuns },
  );
});

function outline(state: StateIr): unknown {
  return {
    [`${state.type === 'state' ? '' : `${state.history ?? state.type} `}${state.id}`]: [
      ...(state.initial === undefined ? [] : [`initial ${JSON.stringify(state.initial)}`]),
      ...state.transitions.map(({ events: on, targets, type }) => `${on.join(' ')} -${type[0]}-> ${targets.join(' ')}`),
      ...state.states.map(outline),
    ],
  };
}
