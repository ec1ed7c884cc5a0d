import { eventTypes } from '@warrant/chart/types';
import { readYaml } from '@warrant/chart/yaml';
import type { Digest } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import type { Input } from '../src/input.ts';
import { createAgentMachine } from '../src/machine/machine.ts';
import type { AgentState } from '../src/state.ts';

const AT = '2026-01-01T00:00:00.000Z';
const GRANT = { targets: [], tools: [], deciders: [], functions: [] };

function machineOf(yaml: string) {
  return createAgentMachine({
    chart: readYaml(`format: warrant.chart/1\n${yaml}`),
    dataModel: agentDataModel(),
    types: eventTypes(),
  });
}

/** Runs inputs from the start on and gives the state after each, sent through text. */
function run(yaml: string, inputs: readonly Omit<Input, 'at'>[], at: (index: number) => string = () => AT) {
  const machine = machineOf(yaml);
  const start = {
    type: 'start',
    data: { program: machine.program as Digest, input: {}, grant: GRANT, tools: [], maxAsks: null },
  };
  let state: AgentState = machine.empty;
  const facts = [];
  for (const [index, input] of [start, ...inputs].entries()) {
    const applied = machine.apply(state, { at: at(index), ...input } as Input, index + 1);
    state = JSON.parse(JSON.stringify(applied.state)) as AgentState;
    facts.push(...applied.facts);
  }
  return { state, facts, active: state.sessions[0]?.chart.configuration };
}

const decision = (correlation: string, event: string, payload: unknown = null) =>
  ({ type: 'decision', data: { correlation, event, payload } }) as Omit<Input, 'at'>;

const REVIEW = `
data: { amount: 250, seen: [] }
states:
  review:
    extensions: [{ local: decide, attribute: human/boss }]
    on:
      approve: { cond: ctx.amount <= 100, target: done }
      reject: done
      escalate: done
      error.decide.invalid: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.reason]' } }] }
  done: { type: final }
`;

describe('an offer', () => {
  test('names what the chart enables now, in document order', () => {
    const { state } = run(REVIEW, []);
    expect(state.slots).toMatchObject([
      { status: 'open', correlation: '1.0', candidates: [{ event: 'reject' }, { event: 'escalate' }] },
    ]);
  });

  test('moves the chart by one of its events, once', () => {
    const { active, facts } = run(REVIEW, [decision('1.0', 'reject'), decision('1.0', 'escalate')]);
    expect(active).toEqual([]);
    expect(facts).toContainEqual({ type: 'accepted', correlation: '1.0', event: 'reject', transitions: ['review#1'] });
  });

  test.each([
    ['an event that is not on offer', decision('1.0', 'approve'), 'not-a-candidate'],
    ['an id that was never given', decision('7.0', 'reject'), 'stale'],
  ])('takes nothing by %s', (_, input, reason) => {
    const { state, active } = run(REVIEW, [input]);
    expect(active).toEqual(['review']);
    expect(state.sessions[0]?.chart.data['seen']).toEqual([reason]);
  });

  test('is closed by an answer that is not accepted, and not asked again', () => {
    const { state } = run(REVIEW, [decision('1.0', 'approve'), decision('1.0', 'reject')]);
    expect(state.slots).toMatchObject([{ status: 'closed' }]);
    expect(state.sessions[0]?.chart.configuration).toEqual(['review']);
  });
});
