import type { Json } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { initialByLetter, stepByLetter } from '../test/appendix-d.ts';
import { chartArbitrary, EVENTS } from '../test/arbitraries.ts';
import { celDataModel } from './cel/index.ts';
import type { Chart, ChartNode } from './chart.ts';
import { compileChart } from './compile.ts';
import type { Block, ChartIr, StateIr } from './ir.ts';
import { select } from './look.ts';
import { enabledEvents } from './offer.ts';
import type { ChartState, Effect } from './state.ts';
import { type Input, initial, step } from './step.ts';

const numRuns = process.env['WARRANT_SOAK'] === undefined ? 60 : 20_000;
const dataModel = celDataModel();
const start = { sessionId: 's', at: '2026-01-01T00:00:00.000Z' };

function compiled(ir: ChartIr): Chart {
  return compileChart(ir, { dataModel, lenient: true, limits: { microsteps: 60, macrosteps: 30 } });
}

const payload: fc.Arbitrary<Json> = fc.constantFrom<Json>(null, 1, 2, { x: 1 }, 'text');
const inputs = fc.array(fc.record({ name: fc.constantFrom(...EVENTS), data: payload, fire: fc.nat({ max: 3 }) }), {
  maxLength: 8,
});

/** Some inputs are timers, when there are any. */
function inputOf(state: ChartState, given: { name: string; data: Json; fire: number }, index: number): Input {
  const at = new Date(Date.parse(start.at) + index * 1000).toISOString();
  const [timer] = state.timers;
  if (given.fire === 0 && timer !== undefined) return { at, timer: timer.id };
  const [invoke] = state.invokes;
  const invokeid = given.fire === 1 && invoke !== undefined ? { invokeid: invoke.id } : {};
  return { at, event: { name: given.name, data: given.data, ...invokeid } };
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** What the standard calls a legal configuration (3.11). */
function isLegal(chart: Chart, state: ChartState): boolean {
  const active = new Set(state.configuration.map((id) => chart.byId.get(id) as ChartNode));
  if (state.status === 'done') return active.size === 0;
  const inOrder = state.configuration.map((id) => chart.byId.get(id)?.index ?? -1);
  const sorted = inOrder.every((index, at) => at === 0 || (inOrder[at - 1] as number) < index);
  const root = chart.nodes[0] as ChartNode;
  return sorted && root.children.filter((child) => active.has(child)).length === 1 && [...active].every(isLegalNode);

  function isLegalNode(node: ChartNode): boolean {
    if (node.type === 'history') return false;
    if (node.parent !== root && !active.has(node.parent as ChartNode)) return false;
    const inside = node.children.filter((child) => active.has(child)).length;
    if (node.type === 'compound') return inside === 1;
    return node.type === 'parallel' ? inside === node.children.filter(({ type }) => type !== 'history').length : true;
  }
}

type Walk = {
  readonly states: readonly ChartState[];
  readonly effects: readonly (readonly Effect[])[];
  readonly taken: readonly Input[];
};

function walk(
  chart: Chart,
  given: readonly { name: string; data: Json; fire: number }[],
  between: (state: ChartState) => ChartState,
): Walk {
  let [state, first] = initial(chart, start);
  const states = [state];
  const effects = [first];
  const taken: Input[] = [];
  for (const [index, one] of given.entries()) {
    const input = inputOf(state, one, index + 1);
    taken.push(input);
    [state, first] = step(chart, between(state), input);
    states.push(state);
    effects.push(first);
  }
  return { states, effects, taken };
}

describe('over generated charts', () => {
  test('the configuration is always legal', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const chart = compiled(ir);
        for (const state of walk(chart, given, (one) => one).states)
          if (state.status !== 'stopped') expect(isLegal(chart, state), JSON.stringify(state.configuration)).toBe(true);
      }),
      { numRuns },
    );
  });

  test('JSON text between steps and a replay of the inputs change nothing, and nothing handed in is changed', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const live = walk(compiled(ir), given, frozen);
        const throughText = walk(compiled(copy(ir)), given, copy);
        expect(throughText).toEqual(live);
        const chart = compiled(frozen(ir));
        let [state] = initial(chart, start);
        for (const input of live.taken) [state] = step(chart, copy(state), frozen(copy(input)));
        expect(JSON.stringify(state)).toBe(JSON.stringify(live.states.at(-1)));
      }),
      { numRuns },
    );
  });

  test('every step is that of the standard’s algorithm taken by the letter', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const chart = compiled(ir);
        let [state, effects] = initial(chart, start);
        let letter = initialByLetter(chart, start);
        for (const [index, one] of [...given, undefined].entries()) {
          const [expected, told] = letter;
          if (state.status === 'stopped' || expected === 'stopped') {
            expect([state.status, expected]).toEqual(['stopped', 'stopped']);
            return;
          }
          expect([state, effects]).toEqual([expected, told]);
          if (one === undefined) return;
          const input = inputOf(state, one, index + 1);
          letter = stepByLetter(chart, expected, input);
          [state, effects] = step(chart, state, input);
        }
      }),
      { numRuns: 3 * numRuns },
    );
  });

  test('what is offered without condition is taken, and what is taken under some payload is offered', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const chart = compiled(ir);
        for (const state of walk(chart, given, (one) => one).states) {
          const offer = new Map(enabledEvents(chart, state).map((one) => [one.event, one.conditional]));
          for (const [name, conditional] of offer)
            if (!conditional) expect(select(chart, state, { name }).transitions).not.toEqual([]);
          if (state.status !== 'running') continue;
          const concrete = chart.transitions
            .filter((transition) => state.configuration.includes(transition.source.id))
            .flatMap((transition) => transition.events)
            .filter((name) => !name.endsWith('*') && !/^(error|done)[.]/.test(name));
          for (const name of concrete)
            for (const data of [null, 1, 2, { x: 1 }] as const)
              if (select(chart, state, { name, data }).transitions.length > 0)
                expect([...offer.keys()]).toContain(name);
        }
      }),
      { numRuns },
    );
  });

  test('a chart that logs nothing goes the same way as one that logs every entry and exit', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const [loud, quiet] = [ir, silent(ir)].map((one) => walk(compiled(one), given, (state) => state));
        const compared = (one: Walk | undefined) => one?.states.map((state) => ({ ...state, chart: '' }));
        expect(compared(quiet)).toEqual(compared(loud));
      }),
      { numRuns },
    );
  });

  test('histories remember, exits run innermost first, entries outermost first', () => {
    fc.assert(
      fc.property(chartArbitrary, inputs, (ir, given) => {
        const chart = compiled(ir);
        for (const effects of walk(chart, given, (one) => one).effects) expectOrder(chart, effects);
      }),
      { numRuns },
    );
  });
});

/** The chart without its log actions. */
function silent(ir: ChartIr): ChartIr {
  const block = (actions: Block): Block => actions.filter(({ type }) => type !== 'log');
  const blocks = (all: readonly Block[]) => all.map(block).filter((one) => one.length > 0);
  const state = (one: StateIr): StateIr => ({
    ...one,
    onEntry: blocks(one.onEntry),
    onExit: blocks(one.onExit),
    transitions: one.transitions.map((transition) => ({ ...transition, content: block(transition.content) })),
    ...(one.initial !== undefined && 'targets' in one.initial
      ? { initial: { ...one.initial, content: block(one.initial.content) } }
      : {}),
    states: one.states.map(state),
  });
  return { ...ir, states: ir.states.map(state) };
}

/** By the letter of the standard what lies between such a history's parent and its targets is entered even where it was not left. */
function leadsPastChildren({ type, deep, initial: byDefault, parent }: ChartNode): boolean {
  if (type !== 'history' || byDefault === undefined) return false;
  return deep || byDefault.targets.some((target) => target.parent !== parent);
}

/** In each run of exits the places fall, in each run of entries they rise. */
function expectOrder(chart: Chart, effects: readonly Effect[]): void {
  const active = new Set<string>();
  const again = chart.nodes.some(leadsPastChildren);
  let last: { readonly sign: string; readonly index: number } | undefined;
  for (const effect of effects) {
    const label = effect.type === 'log' ? (effect.label ?? '') : '';
    if (!/^[+-]s\d+$/.test(label)) {
      if (label === 't') last = undefined;
      continue;
    }
    const [sign, id] = [label[0] as string, label.slice(1)];
    const index = chart.byId.get(id)?.index ?? -1;
    if (last?.sign === sign && last.sign === '-') expect(index).toBeLessThan(last.index);
    if (last?.sign === sign && last.sign === '+') expect(index).toBeGreaterThan(last.index);
    if (!again) expect(sign === '+' && active.has(id)).toBe(false);
    if (sign === '+') active.add(id);
    else active.delete(id);
    last = { sign, index };
  }
}
