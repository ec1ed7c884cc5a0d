import { describe, expect, test } from 'vitest';
import { compileChart } from './compile.ts';
import type { ChartIr, StateIr, TransitionIr } from './ir.ts';
import { initial, step } from './step.ts';

const at = '2026-01-01T00:00:00.000Z';

function state(id: string, parts: Partial<StateIr> = {}): StateIr {
  return { type: 'state', id, transitions: [], onEntry: [], onExit: [], data: [], invokes: [], states: [], ...parts };
}

function on(event: string, target: string, parts: Partial<TransitionIr> = {}): TransitionIr {
  return { events: [event], targets: [target], type: 'external', content: [], ...parts };
}

function chart(states: readonly StateIr[]): ChartIr {
  return { datamodel: 'null', binding: 'early', data: [], states };
}

function run(ir: ChartIr, ...events: readonly string[]): readonly string[] {
  const compiled = compileChart(ir);
  let [current] = initial(compiled, { sessionId: 's', at });
  for (const name of events) [current] = step(compiled, JSON.parse(JSON.stringify(current)), { at, event: { name } });
  return current.configuration;
}

describe('a chart', () => {
  const regions = chart([
    state('p', {
      type: 'parallel',
      states: [
        state('a', { states: [state('a1', { transitions: [on('go', 'a2')] }), state('a2')] }),
        state('b', {
          states: [
            state('b1', { transitions: [on('go', 'b2')] }),
            state('b2'),
            state('h', { type: 'history', transitions: [on('x', 'b1', { events: [] })] }),
          ],
        }),
      ],
      transitions: [on('out', 'q')],
    }),
    state('q', { transitions: [on('back', 'h')] }),
  ]);
  test('enters its first state and every region', () => {
    expect(run(regions)).toEqual(['p', 'a', 'a1', 'b', 'b1']);
  });
  test('moves every region that an event concerns', () => {
    expect(run(regions, 'go')).toEqual(['p', 'a', 'a2', 'b', 'b2']);
  });
  test('comes back to what a history remembers, other regions at their start', () => {
    expect(run(regions, 'go', 'out', 'back')).toEqual(['p', 'a', 'a1', 'b', 'b2']);
  });
  test('names all its faults with their places', () => {
    expect(() => compileChart(chart([state('a', { transitions: [on('x', 'nowhere')] }), state('a')]))).toThrow(
      /the id 'a' is taken already[\s\S]*there is no state 'nowhere'/,
    );
  });
});
