import { chartDigest, type DataModel } from '@warrant/chart';
import { readYaml } from '@warrant/chart/yaml';
import { type Grant, type Json, WarrantError } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import { createAgentMachine, type Input } from '../src/index.ts';
import { AT, decision, definitionOf, event, GRANT, type Machine, start } from './support.ts';

const T = 'urn:tool:t';
const HEAR = "{ target: idle, do: [{ assign: { location: seen, expr: 'ctx.seen + [ev]' } }] }";
const chart = (body: string, more = '') => `format: warrant.chart/1\n${more}states:\n${body}`;

type Run = {
  /** What the state says beside its grant, and what the invoke says. */
  readonly around?: string;
  readonly invoke?: string;
  readonly grant?: Partial<Grant>;
};

/** An agent that has everything runs a plan with the grant that is given. */
function run(plan: Json, { around = '', invoke = 'content: { expr: ctx.plan }', grant = {} }: Run = {}): Machine {
  const given = Object.entries(grant).map(([kind, names]) => `${kind}: '${names.join(' ')}'`);
  const one = start(
    `
data: { plan: null, seen: [] }
states:
  idle: { on: { propose: { target: running, do: [{ assign: { location: plan, expr: ev.data } }] } } }
  running:
    extensions: [{ local: grant, attributes: { ${given.join(', ')} } }${around}]
    invoke: { type: 'vt:plan', id: p, ${invoke} }
    on: { done.invoke.p: ${HEAR}, error.*: ${HEAR}, stop: idle }
`,
    { tools: [T, 'urn:tool:u'], grant: { targets: ['*'], tools: ['*'], deciders: ['*'], functions: ['*'] } },
  );
  one.take(event('propose', plan));
  return one;
}
const heard = (one: Machine) => one.data('seen') as readonly { readonly data: Json; readonly invokeid?: string }[];
const refused = (one: Machine) => heard(one).map(({ data }) => (data as { readonly class?: string } | null)?.class);
const planFacts = ({ facts }: Machine) => facts.filter(({ type }) => type === 'plan');
const IDLE = chart('  s: { on: { x: e } }\n  e: { type: final }');

describe('what a plan names in so many words has to be granted', () => {
  const send = (more: string) => `{ send: { event: x, ${more} } }`;
  const OUT = send("target: 'urn:agent:a'");
  const places: readonly (readonly [string, string])[] = [
    ['on entry', `  s: { entry: [${OUT}] }`],
    ['on exit', `  s: { exit: [${OUT}], on: { x: e } }\n  e: {}`],
    ['in a transition', `  s: { on: { x: { do: [${OUT}] } } }`],
    ['where children are entered', `  s:\n    initial: { target: c, do: [${OUT}] }\n    states: { c: {} }`],
    ['in a state inside', `  s: { states: { c: { states: { d: { entry: [${OUT}] } } } } }`],
    ['in a condition', `  s: { entry: [{ if: 'false', do: [${OUT}] }] }`],
    ['in a loop', `  s: { entry: [{ foreach: { item: i, array: '[]', do: [${OUT}] } }] }`],
    ['after others', `  s: { entry: [${send("target: '#_x'")}, ${OUT}, ${send('id: own')}] }`],
  ];
  test.each(places)('an address %s', (_, body) => {
    expect(refused(run(chart(body)))).toEqual(['invalid']);
    expect(refused(run(chart(body), { grant: { targets: ['urn:agent:a'] } }))).toEqual([]);
    expect(refused(run(chart(body), { grant: { tools: ['urn:agent:a'] } }))).toEqual([]);
  });

  const parts: readonly (readonly [string, string, Partial<Grant>])[] = [
    ['its parent', `entry: [${send("target: '#_parent'")}]`, { targets: ['#_parent'] }],
    ['a function', `entry: [${send("type: 'urn:f'")}]`, { functions: ['urn:f'] }],
    ['a tool that it calls', `invoke: { type: 'vt:tool', src: '${T}' }`, { tools: [T] }],
    ['a decider', 'extensions: [{ local: decide, attribute: d }], on: { x: {} }', { deciders: ['d'] }],
    [
      'a fallback',
      'extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: 1s }, { local: fallback, attribute: f }], on: { x: {} }',
      { deciders: ['d', 'f'] },
    ],
  ];
  test.each(parts)('%s', (_, body, grant) => {
    const plan = chart(`  s: { ${body} }`);
    const others = { targets: ['urn:agent:a'], tools: ['*'], deciders: ['d'], functions: ['*'], ...emptied(grant) };
    expect(refused(run(plan, { grant: others }))).toEqual(['invalid']);
    expect(refused(run(plan, { grant }))).toEqual([]);
  });

  test.each([
    ['itself', "target: '#_internal'"],
    ['a chart that it invoked', "target: '#_c'"],
    ['nobody in particular', 'id: i'],
    ['an address that it computes', 'targetexpr: "\'urn:agent:a\'"'],
    ['the processor of charts, by its whole name', "type: 'http://www.w3.org/TR/scxml/#SCXMLEventProcessor'"],
    ['the processor of charts, by its short name', 'type: scxml'],
    ['the processor of charts, by the name of the standard', "type: 'http://www.w3.org/TR/scxml/'"],
  ])('and %s needs no grant beforehand', (_, more) => {
    expect(planFacts(run(chart(`  s: { entry: [${send(more)}], on: { error.*: {} } }`)))).toMatchObject([
      { outcome: 'accepted' },
    ]);
  });

  test.each([
    [
      'a model, wherever it says that it is',
      "type: 'vt:llm', src: 'urn:x', extensions: [{ local: provider, attribute: p }], content: { value: hi }",
    ],
    ['a tool whose name it computes', "type: 'vt:tool', srcexpr: \"'urn:tool:t'\""],
  ])('nor does %s', (_, invoke) => {
    expect(planFacts(run(chart(`  s: { invoke: { id: i, ${invoke} }, on: { error.*: {} } }`)))).toMatchObject([
      { outcome: 'accepted' },
    ]);
  });

  test('nor does what only looks like a message, in data', () => {
    const data = "content: { value: { type: send, target: 'urn:agent:a' } }";
    expect(refused(run(chart(`  s: { entry: [${send(data)}] }`)))).toEqual([]);
  });
});

/** The same kinds with nothing in them, but for a first decider. */
function emptied(grant: Partial<Grant>): Partial<Grant> {
  return Object.fromEntries(
    Object.entries(grant).map(([kind, names]) => [kind, names.filter((name) => name === 'd' && names.length > 1)]),
  );
}

test.each([
  ['a plan of its own', "type: 'vt:plan', content: { value: x }"],
  ['a chart', 'content: { chart: { states: { s: {} } } }'],
  ['what nobody knows', "type: 'urn:other'"],
  ['what it computes, whatever it says beside', "type: 'vt:tool', typeexpr: \"'vt:plan'\", src: 'urn:tool:t'"],
  ['what it computes', "typeexpr: \"'vt:tool'\", src: 'urn:tool:t'"],
])('a plan does not start %s', (_, invoke) => {
  const all = { targets: ['*'], tools: ['*'], deciders: ['*'], functions: ['*'] };
  expect(refused(run(chart(`  s: { invoke: { ${invoke} } }`), { grant: all }))).toEqual(['invalid']);
  const both = `  s: { invoke: [{ type: 'vt:tool', src: '${T}' }, { ${invoke} }] }`;
  expect(refused(run(chart(both), { grant: all }))).toEqual(['invalid']);
});

describe('that a plan was looked at is written down', () => {
  test('with its digest and the call that wrote it', () => {
    const invoke = 'content: { expr: ctx.plan }, params: [{ name: call, expr: "\'c7\'" }]';
    const one = run(IDLE, { invoke, grant: { tools: [T] } });
    const plan = chartDigest(readYaml(IDLE));
    expect(planFacts(one)).toEqual([{ type: 'plan', outcome: 'accepted', effect: '2.0', plan, call: 'c7' }]);
    expect(one.facts).toContainEqual({
      type: 'granted',
      effect: '2.0',
      parent: 'root',
      grant: { ...GRANT, tools: [T] },
    });
  });

  test.each([
    ['7', 'parse', null],
    [chart('  s: { on: { x: nowhere } }'), 'invalid', chartDigest(readYaml(chart('  s: { on: { x: nowhere } }')))],
  ])('also where it was refused, %#', (text, failure, plan) => {
    const one = run(text, { invoke: "content: { expr: ctx.plan }, params: [{ name: call, expr: '7' }]" });
    expect(planFacts(one)).toEqual([
      { type: 'plan', outcome: 'rejected', effect: '2.0', plan, class: failure, call: null },
    ]);
    expect(heard(one)).toMatchObject([
      { name: 'error.plan', invokeid: 'p', data: { class: failure, invoke: 'p', plan } },
    ]);
  });
});

test('a plan comes as content or as a parameter; the other parameters are its input', () => {
  const plan = chart('  s: { entry: [{ send: { event: e, delay: 1h } }] }', 'data: { n: 1, plan: 2, call: 3 }\n');
  const params = "params: [{ name: plan, expr: ctx.plan }, { name: n, expr: '5' }, { name: call, expr: \"'c'\" }]";
  const one = run(plan, { invoke: params });
  expect(one.state.sessions[1]?.chart.data).toEqual({ n: 5, plan: 2, call: 3 });
  expect(refused(run(plan, { invoke: "params: [{ name: n, expr: '5' }]" }))).toEqual(['parse']);
  const two = run(plan, { invoke: "content: { expr: ctx.plan }, params: [{ name: plan, expr: '7' }]" });
  expect(two.state.sessions[1]?.chart.data).toEqual({ n: 1, plan: 2, call: 3 });
});

describe('the bounds of a plan', () => {
  const bound = (name: string, value: string) => `, { local: ${name}, attribute: '${value}' }`;
  const boundsOf = (more: Run) => run(IDLE, more).state.sessions[1]?.bounds;
  test('are those of its invoke, else of the state around, else a thousand steps and a hundred sends', () => {
    expect(boundsOf({})).toEqual({ maxMacrosteps: 1000, maxSends: 100, due: null, macrosteps: 0, sends: 0 });
    const around = bound('maxMacrosteps', '7') + bound('maxSends', '8') + bound('maxDuration', '90s');
    const wide = { maxMacrosteps: 7, maxSends: 8, due: '2026-01-01T00:01:30.000Z' };
    expect(boundsOf({ around })).toMatchObject(wide);
    const invoke = `content: { expr: ctx.plan }, extensions: [${bound('maxSends', '3').slice(2)}${bound('maxDuration', '1s')}]`;
    expect(boundsOf({ around, invoke })).toMatchObject({ ...wide, maxSends: 3, due: '2026-01-01T00:00:01.000Z' });
  });

  const hops = Array.from({ length: 4 }, (_, at) => `  s${at}: { on: { go: s${at + 1} } }`).join('\n');
  test.each([
    [3, ['bounds']],
    [4, [undefined]],
  ])('let it take %i steps from one state to the next', (most, seen) => {
    const one = run(chart(`${hops}\n  s4: { type: final }`), {
      around: bound('maxMacrosteps', `${most}`),
      invoke: 'content: { expr: ctx.plan }, autoforward: true',
      grant: { targets: ['#_parent'] },
    });
    for (let at = 0; at < 4; at += 1) one.take(event('go'));
    expect(refused(one)).toEqual(seen);
  });
});

test('a plan decides as its parent may, and ends with it', () => {
  const plan = chart('  s: { extensions: [{ local: decide, attribute: d }], on: { go: e } }\n  e: { type: final }');
  const one = run(plan, { grant: { deciders: ['d'] } });
  expect(one.open()).toEqual(['2.0/s 2.0']);
  one.take(decision('2.0', 'go'));
  expect(heard(one)).toMatchObject([{ name: 'done.invoke.p', invokeid: 'p' }]);
  const two = run(plan, { grant: { deciders: ['d'] } });
  two.take(event('stop'));
  expect(two.open()).toEqual([]);
  expect(heard(two)).toEqual([]);
});

describe('a machine', () => {
  const AGENT = `
data: { seen: [] }
states:
  idle: { on: { go: running } }
  running: { invoke: { type: 'vt:plan', id: p, content: { value: PLAN } }, on: { error.*: ${HEAR}, done.*: ${HEAR} } }
`;
  const TYPED = chart('  s: { type: final }', "extensions: [{ local: result, attribute: '{ n: int }' }]\n");
  const outcome = (
    plan: string,
    {
      without = '',
      ...more
    }: { readonly without?: string; readonly plans?: () => never; readonly dataModel?: DataModel } = {},
  ) => {
    const definition = definitionOf(AGENT.replace('PLAN', JSON.stringify(plan)));
    const options = Object.fromEntries(Object.entries({ ...definition, ...more }).filter(([name]) => name !== without));
    const machine = createAgentMachine(options as typeof definition);
    const inputs: readonly Input[] = [
      { type: 'start', at: AT, data: { program: machine.program, input: {}, grant: GRANT, tools: [], maxAsks: null } },
      { type: 'event', at: AT, data: { name: 'go', data: null } },
    ];
    const state = inputs.reduce((before, input, at) => machine.apply(before, input, at + 1).state, machine.empty);
    return ((state.sessions[0]?.chart.data['seen'] ?? []) as readonly { data: { class?: string } }[]).map(
      ({ data }) => data?.class,
    );
  };

  test('that cannot read plans runs none', () => expect(outcome(IDLE, { without: 'plans' })).toEqual(['parse']));

  test('that cannot check types takes no result of a declared one', () => {
    expect(outcome(TYPED, { without: 'schemas' })).toEqual(['result']);
    expect(outcome(chart('  s: { type: final }'), { without: 'schemas' })).toEqual([undefined]);
  });

  test('tells a fault of its reader from a plan that cannot be read', () => {
    const fail = (error: Error) => () => {
      throw error;
    };
    expect(outcome(IDLE, { plans: fail(new WarrantError('CHART_SYNTAX' as never, 'no')) })).toEqual(['parse']);
    expect(() => outcome(IDLE, { plans: fail(new TypeError('broken')) })).toThrow('broken');
  });

  test('tells a fault of its data model from a plan that is not sound', () => {
    const inner = agentDataModel();
    const failing = (error: Error): DataModel => ({
      ...inner,
      condition: (source) => {
        if (source === 'true') throw error;
        return inner.condition(source);
      },
    });
    const plan = chart("  s: { on: { x: { cond: 'true', target: e } } }\n  e: {}");
    expect(() => outcome(plan, { dataModel: failing(new RangeError('broken')) })).toThrow('broken');
    expect(outcome(chart("  s: { on: { x: { cond: 'ctx. +', target: e } } }\n  e: {}"))).toEqual(['invalid']);
  });
});
