import { readYaml } from '@warrant/chart/yaml';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import { type AgentDefinition, createAgentMachine, timersOf } from '../src/index.ts';
import { AT, decision, definitionOf, event, GRANT, start } from './support.ts';

const V1 = `
data: { n: 1, seen: [] }
states:
  a: { extensions: [{ local: decide, attribute: d }], on: { go: b } }
  b: {}
`;
const withEars = (yaml: string) =>
  yaml.replace(
    'on: { go: b }',
    "on: { go: b, vt.self-modification.rejected: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data.reason]' } }] } }",
  );
const V2 = readYaml(`format: warrant.chart/1
data: { n: 0, total: 0, seen: [] }
states:
  first: { extensions: [{ local: decide, attribute: d }], on: { go: last, jump: last } }
  last: { type: final }
`);
const review = (more: object) => ({
  type: 'review' as const,
  data: { proposal: 'p1', decision: 'approved' as const, ...more },
});

describe('a new version of a chart', () => {
  test('takes over the state that is stored, renamed and set as the migration says', () => {
    const one = start(withEars(V1));
    one.take(
      review({ chart: V2, migration: { states: { a: 'first' }, assign: [{ location: 'total', expr: 'ctx.n + 41' }] } }),
    );
    expect(one.active()).toEqual(['first']);
    expect(one.data('total')).toBe(42);
    expect(one.open()).toEqual(['first 2.0']);
    one.take(decision('2.0', 'jump'));
    expect(one.state.status).toBe('done');
  });

  test('under which a state decides nothing any more closes its offer, and its deadline with it', () => {
    const one = start(
      V1.replace('attribute: d }', 'attribute: d }, { local: deadline, attribute: 1m }').replace(
        'b: {}',
        'b: { on: { back: a } }',
      ),
    );
    one.take(review({ chart: readYaml('format: warrant.chart/1\nstates: { a: { on: { go: b } }, b: {} }') }));
    expect(one.facts).toContainEqual({ type: 'closed', correlation: '1.0', why: 'left' });
    expect(one.state.slots).toEqual([]);
    expect(timersOf(one.state)).toEqual([]);
    one.take(decision('1.0', 'go'));
    expect(one.active()).toEqual(['a']);
  });

  test('counts what a state decided and was asked under its new name', () => {
    const loop = (a: string, most: string) => `
data: {}
states:
  ${a}: { extensions: [{ local: decide, attribute: d }, { local: maxDecisions, attribute: "${most}" }], on: { again: ${a}, stop: z, vt.agent.budget-exhausted: z } }
  z: {}
`;
    const one = start(loop('a', '3'));
    one.take(decision('1.0', 'again'));
    one.take(
      review({
        chart: readYaml(`format: warrant.chart/1${loop('toString', '3')}`),
        migration: { states: { a: 'toString' } },
      }),
    );
    expect(one.state.accepted).toEqual({ toString: 1 });
    expect(one.state.asks).toEqual({ toString: 3 });
    one.take(review({ chart: readYaml(`format: warrant.chart/1${loop('toString', '1')}`), migration: { states: {} } }));
    expect(one.active()).toEqual(['z']);
    expect(one.facts).toContainEqual({ type: 'raised', event: 'vt.agent.budget-exhausted', state: 'toString' });
  });

  test('that makes one state of two has the counts of both', () => {
    const states = ['a', 'b'].map(
      (id, at) => `  ${id}: { extensions: [{ local: decide, attribute: d }], on: { go: ${['b', 'a'][at]} } }`,
    );
    const one = start(`data: {}\nstates:\n${states.join('\n')}`);
    one.take(decision('1.0', 'go'));
    one.take(decision('2.0', 'go'));
    one.take(
      review({
        chart: readYaml(
          'format: warrant.chart/1\nstates: { c: { extensions: [{ local: decide, attribute: d }], on: { go: c } } }',
        ),
        migration: { states: { a: 'c', b: 'c' } },
      }),
    );
    expect(one.state.accepted).toEqual({ c: 2 });
    expect(one.state.asks).toEqual({ c: 4 });
  });

  test('asks again in every state that decides, of whomever it names now', () => {
    const one = start(V1);
    one.take(
      review({
        chart: readYaml(
          'format: warrant.chart/1\nstates: { a: { extensions: [{ local: decide, attribute: e }], on: { go: b } }, b: {} }',
        ),
      }),
    );
    expect(one.facts).toContainEqual({ type: 'closed', correlation: '1.0', why: 'entered-again' });
    expect(one.state.slots).toMatchObject([{ correlation: '2.0', binding: 'e' }]);
  });

  test('is refused where any of its active states should have begun something, and no other', () => {
    const chart = (r: string, z: string) => `states:\n  r: { ${r}, on: { go: z }, states: { x: {} } }\n  z: { ${z} }\n`;
    const calls = "invoke: { type: 'vt:tool', id: t, src: 'urn:tool:t' }";
    for (const [next, outcome] of [
      [chart(calls, 'entry: []'), 'rejected'],
      [chart('entry: []', calls), 'accepted'],
    ] as const) {
      const one = start(chart('entry: []', 'entry: []'));
      one.take(review({ chart: readYaml(`format: warrant.chart/1\n${next}`) }));
      expect(one.facts).toContainEqual(expect.objectContaining({ type: 'version', outcome }));
    }
  });

  test.each([
    ['a state that the new version does not have', { chart: V2 }, 'illegal-configuration'],
    [
      'a chart that is not sound',
      { chart: { ...V2, initial: ['nowhere'] }, migration: { states: { a: 'first' } } },
      'chart-invalid',
    ],
    [
      'an assignment that cannot be computed',
      { chart: V2, migration: { states: { a: 'first' }, assign: [{ location: 'n', expr: 'ctx.none.x' }] } },
      'cel-evaluation',
    ],
    ['a rejection', { decision: 'rejected', reason: 'too bold' }, 'too bold'],
    ['a rejection without a word', { decision: 'rejected', chart: V2 }, 'rejected'],
    ['no chart', {}, 'no-chart'],
    ['what is no chart', { chart: { states: [null] } }, 'no-chart'],
    ['the end of the chart', { chart: V2, migration: { states: { a: 'last' } } }, 'illegal-configuration'],
    [
      'a state that should have begun something as it was entered',
      {
        chart: readYaml(
          "format: warrant.chart/1\nstates: { x: { invoke: { type: 'vt:tool', id: t, src: 'urn:tool:t' }, on: { done.invoke.t: z } }, z: {} }",
        ),
        migration: { states: { a: 'x' } },
      },
      'not-invoked',
    ],
  ])('with %s changes nothing, and the agent hears why', (_, more, reason) => {
    const one = start(withEars(V1));
    one.take(review(more));
    expect(one.active()).toEqual(['a']);
    expect(one.data('seen')).toEqual([reason]);
    expect(one.open()).toEqual(['a 1.0']);
    one.take(event('go'));
    expect(one.active()).toEqual(['b']);
  });
});

describe('while something runs that the chart started', () => {
  const BUSY = `
data: { seen: [] }
states:
  a:
    invoke: { type: 'vt:tool', id: t, src: 'urn:tool:t' }
    on:
      go: b
      vt.self-modification.*: { do: [{ assign: { location: seen, expr: 'ctx.seen + [ev.data]' } }] }
  b: {}
`;
  test('no version takes over; a moment later one may', () => {
    const one = start(BUSY, { tools: ['urn:tool:t'], grant: { ...GRANT, tools: ['*'] } });
    const chart = readYaml(`format: warrant.chart/1${BUSY.replace('go: b', 'go: b\n      more: b')}`);
    one.take(review({ chart }));
    expect(one.data('seen')).toEqual([{ proposal: 'p1', reason: 'busy' }]);
    one.take(event('go'));
    one.take(review({ chart }));
    expect(one.facts.at(-1)).toMatchObject({ type: 'version', outcome: 'accepted' });
  });
});

test('a fault of the machine is not one of the version', () => {
  const { chart, ...definition } = definitionOf(V1);
  const inner = agentDataModel();
  const broken: AgentDefinition = {
    ...definition,
    chart,
    dataModel: {
      ...inner,
      expression: (source) => {
        if (source.includes('41')) throw new RangeError('broken');
        return inner.expression(source);
      },
    },
  };
  const machine = createAgentMachine(broken);
  const input = {
    at: AT,
    ...review({ chart: V2, migration: { states: { a: 'first' }, assign: [{ location: 'n', expr: '41' }] } }),
  };
  const data = { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null };
  const { state } = machine.apply(machine.empty, { type: 'start', at: AT, data }, 1);
  expect(() => machine.apply(state, input, 2)).toThrow('broken');
});
