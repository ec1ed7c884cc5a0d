import { compileChart, matchesDescriptor, select } from '@warrant/chart';
import { readYaml } from '@warrant/chart/yaml';
import { canonicalJson, type Json } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import {
  type AgentMachine,
  createAgentHost,
  createAgentMachine,
  type Fact,
  firstEnabled,
  type Input,
  stateAt,
} from '../src/index.ts';
import { withEntryMarks } from '../src/instrument.ts';
import type { AgentState } from '../src/state.ts';
import { agentChart, inputOf, type Move, move } from './agent-charts.ts';
import { collect } from './collect.ts';
import { GRANT } from './support.ts';

const soak = process.env['WARRANT_SOAK'] !== undefined;
const RUNS = { numRuns: soak ? 3000 : 40 };
const dataModel = agentDataModel();
const moves = fc.array(move, { minLength: 1, maxLength: 14 });
const RESERVED = /^(error|done|vt|cancel[.]invoke)([.:]|$)/;

type Step = {
  readonly before: AgentState;
  readonly input: Input;
  readonly after: AgentState;
  readonly facts: readonly Fact[];
};

function machineOf(chart: string): AgentMachine {
  return createAgentMachine({ chart: readYaml(chart), dataModel });
}

/** Frozen all through, so that a step that writes into what it was given fails. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) frozen(member);
  }
  return value;
}

function live(machine: AgentMachine, chosen: readonly Move[]): readonly Step[] {
  const steps: Step[] = [];
  const past: Input[] = [];
  let state = frozen(machine.empty);
  const take = (input: Input): void => {
    const { state: after, facts } = machine.apply(state, frozen(input), state.position + 1);
    steps.push({ before: state, input, after: frozen(after), facts });
    past.push(input);
    state = after;
  };
  const data = { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null };
  take({ type: 'start', at: '2026-01-01T00:00:00.000Z', data });
  for (const one of chosen) take(inputOf(state, past, one));
  return steps;
}

const text = (value: unknown) => canonicalJson(value as Json);
const through = <T>(value: T): T => JSON.parse(text(value)) as T;
const openIn = ({ slots }: AgentState) => slots.filter(({ status }) => status === 'open');

function law(name: string, check: (steps: readonly Step[], machine: AgentMachine) => void): void {
  test(name, { timeout: 3_600_000 }, () => {
    fc.assert(
      fc.property(agentChart, moves, (chart, chosen) => {
        const machine = machineOf(chart);
        check(live(machine, chosen), machine);
      }),
      RUNS,
    );
  });
}

describe('whatever the chart, and whatever an agent is told', () => {
  law('a replay of what was written down, by a machine of its own, gives the live state', (steps, machine) => {
    const other = createAgentMachine({ chart: through(machine.chart), dataModel });
    let state = other.empty;
    for (const [index, { input, after, facts }] of steps.entries()) {
      const applied = other.apply(through(state), through(input), index + 1);
      expect(text(applied.state)).toBe(text(after));
      expect(text(applied.facts)).toBe(text(facts));
      state = applied.state;
    }
  });

  law('only an event on offer, under the id that is open, moves an agent, and as it was offered', (steps, machine) => {
    const inner = compileChart(withEntryMarks(machine.chart), { dataModel });
    for (const { before, input, facts } of steps) {
      const accepted = facts.flatMap((fact) => (fact.type === 'accepted' ? [fact] : []));
      if (input.type !== 'decision') {
        expect(accepted).toEqual([]);
        continue;
      }
      const slot = openIn(before).find(({ correlation }) => correlation === input.data.correlation);
      const candidate = slot?.candidates.find(({ event }) => event === input.data.event);
      expect(accepted.length).toBeLessThanOrEqual(candidate === undefined ? 0 : 1);
      const [fact] = accepted;
      if (fact === undefined || candidate === undefined) continue;
      expect(fact.transitions).toEqual(candidate.transitions);
      const root = before.sessions[0]?.chart ?? expect.fail('no chart runs');
      const event = { name: input.data.event, data: input.data.payload };
      const now = select(inner, root, event, { vt_usage: before.usage }).transitions;
      expect(now).toEqual(expect.arrayContaining([...fact.transitions]));
    }
  });

  law('an answer that was given changes nothing the second time', (steps, machine) => {
    for (const { input, after } of steps) {
      if (input.type !== 'decision' && input.type !== 'refusal') continue;
      if (!after.answered.includes(input.data.correlation)) continue;
      const again = machine.apply(after, input, after.position + 1);
      expect(again.facts).toEqual([]);
      expect(text({ ...again.state, position: 0 })).toBe(text({ ...after, position: 0 }));
    }
  });

  law('what is open is asked of an active state, once, and offers what the state may offer', (steps, machine) => {
    const bindings = new Map(machine.bindings.map((binding) => [binding.state, binding]));
    for (const { after } of steps) {
      const open = openIn(after);
      expect(new Set(open.map(({ correlation }) => correlation)).size).toBe(open.length);
      for (const { state, candidates, key } of open) {
        expect(after.sessions[0]?.chart.configuration).toContain(state);
        expect(candidates).not.toEqual([]);
        const { candidates: wanted, maxDecisions } = bindings.get(state) ?? expect.fail('not a decide state');
        for (const { event } of candidates) {
          expect(event).not.toMatch(RESERVED);
          if (wanted !== null) expect(wanted.some((one) => matchesDescriptor(one, event))).toBe(true);
        }
        if (maxDecisions !== null) expect(after.accepted[key] ?? 0).toBeLessThan(maxDecisions);
        expect(after.asks[key] ?? 0).toBeLessThanOrEqual(maxDecisions === null ? 100 : 3 * maxDecisions);
      }
    }
  });

  law('an offer that did not change keeps its id, and one that is asked anew never has an old one', (steps) => {
    const seen = new Set<string>();
    for (const { after, facts } of steps) {
      for (const fact of facts) {
        if (fact.type !== 'offered') continue;
        expect(seen.has(fact.correlation)).toBe(false);
        seen.add(fact.correlation);
      }
      for (const { correlation } of openIn(after)) expect(seen.has(correlation)).toBe(true);
    }
  });
});

test('whatever the chart, a host comes to the state that another one, without deciders, reads', {
  timeout: 3_600_000,
}, async () => {
  const rule = firstEnabled('go', 'hop', 'pay', 'stop');
  const events = fc.array(fc.constantFrom('go', 'stop', 'hop', 'deep.down'), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(agentChart, events, fc.nat(), async (yaml, sent, place) => {
      const journal = createMemoryJournal();
      const agents = [{ name: 'a', chart: readYaml(yaml), dataModel, maxAsks: 20 }];
      const host = createAgentHost({ journal, agents, deciders: { d: rule, f: rule } });
      await host.spawn('urn:a', 'a');
      for (const name of sent) await host.send('urn:a', { name });
      await host.settled();
      const whole = await host.state('urn:a');
      const reader = createAgentHost({ journal, agents });
      expect(text(await reader.state('urn:a'))).toBe(text(whole));
      const position = 1 + (place % (await collect(journal.read('agents/urn:a'))).length);
      expect(await reader.fork('urn:a', position, 'urn:b')).toEqual({ type: 'forked' });
      const then = await stateAt(journal, await reader.machineOf('urn:a'), 'urn:a', position);
      expect(text(await reader.state('urn:b'))).toBe(text(then));
      await Promise.all([host.close(), reader.close()]);
    }),
    { numRuns: soak ? 1000 : 25 },
  );
});
