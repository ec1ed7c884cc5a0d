import { context, trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { createMemoryJournal } from '@warrant/journal';
import { DataFactory, Parser, Store } from 'n3';
import SHACLValidator from 'rdf-validate-shacl';
import { expect, test } from 'vitest';
import { AGENT_SHAPES, AGENT_VOCABULARY, provenanceQuads, toJsonLd, toNTriples, toTurtle } from '../src/graph/index.ts';
import {
  createAgentHost,
  createScriptedDecider,
  createScriptedProvider,
  createTool,
  explainDecision,
  lineageOf,
  provenanceOf,
  renderDecision,
} from '../src/index.ts';
import { agentFromTools } from '../src/react/index.ts';
import { openTelemetry } from '../src/telemetry/index.ts';
import { definitionOf, world } from './support.ts';

const ACTOR = 'https://example.org/agents/1';

async function aRun(more: object = {}) {
  const journal = createMemoryJournal();
  const model = createScriptedProvider([
    { content: { event: 'call.look', payload: { q: 1 }, rationale: 'need to know', confidence: 0.75 } },
    { content: { event: 'call.nothing', payload: {} } },
    { content: { event: 'finish', payload: 'ok' } },
  ]);
  const agent = agentFromTools({ tools: { look: async () => 'seen' }, model, modelName: 'm' });
  await agent.run('task', { journal, actor: ACTOR, ...more });
  return { journal, agent };
}
const parse = (text: string, format?: string) =>
  new Store(new Parser(format === undefined ? {} : { format }).parse(text));

test('which model call led to this action? the lineage of a tool call names the decision, with model, prompt and reason', async () => {
  const { journal } = await aRun();
  const provenance = await provenanceOf(journal, ACTOR);
  const [call] = provenance.toolCalls;
  expect(call).toMatchObject({ tool: 'urn:tool:look', outcome: 'ok', after: `${ACTOR}/decision/1.0` });
  expect(lineageOf(provenance, call?.id ?? '')).toEqual([`${ACTOR}/call/2.0`, `${ACTOR}/decision/1.0`]);
  expect(provenance.decisions.map(({ outcome, reason }) => reason ?? outcome)).toEqual([
    'accepted',
    'not-a-candidate',
    'accepted',
  ]);
  expect(provenance.decisions[0]).toMatchObject({
    event: 'call.look',
    annotations: { model: 'm', rationale: 'need to know', confidence: 0.75 },
  });
});

test('the graph conforms to its shapes; one that lacks something does not', async () => {
  const { journal } = await aRun();
  const quads = provenanceQuads(await provenanceOf(journal, ACTOR));
  const validator = new SHACLValidator(parse(AGENT_SHAPES));
  const report = async (store: Store) => (await validator.validate(store)).conforms;
  // Engines of today read triples, not yet triple terms.
  const plain = quads.filter(({ object }) => (object.termType as string) !== 'Quad');
  expect(await report(new Store(plain))).toBe(true);
  const without = plain.filter(({ predicate }) => predicate.value !== `${AGENT_VOCABULARY}state`);
  expect(await report(new Store(without))).toBe(false);
});

test('Turtle and N-Triples say the same, with annotations on the triple term', async () => {
  const { journal } = await aRun();
  const provenance = await provenanceOf(journal, ACTOR);
  const [turtle, triples] = [await toTurtle(provenance), await toNTriples(provenance)];
  expect(parse(turtle).size).toBe(parse(triples, 'N-Triples').size);
  expect(triples).toMatch(
    /_:\S+ <http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#reifies> <<\(\s?<https:\/\/example\.org\/agents\/1\/decision\/1\.0> <urn:warrant:agent:1#chose>/,
  );
  const store = parse(turtle);
  const namedNode = (iri: string) => DataFactory.namedNode(iri);
  const reified = store.getQuads(null, namedNode('http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies'), null, null);
  expect(reified).toHaveLength(2);
  const confidence = store.getQuads(
    reified[0]?.subject ?? null,
    namedNode(`${AGENT_VOCABULARY}confidence`),
    null,
    null,
  );
  expect(confidence.map(({ object }) => object.value)).toEqual(['0.75']);
});

const PLANNING = definitionOf(`
data: { plan: '', call: '' }
states:
  ask:
    invoke:
      type: vt:llm
      id: w
      extensions: [{ local: provider, attribute: p }, { local: grantTools, attribute: 'urn:tool:t' }]
      content: { value: write a plan }
    on: { done.invoke.w: { target: run, do: [{ assign: { location: plan, expr: ev.data.text } }, { assign: { location: call, expr: ev.data.call } }] } }
  run:
    extensions: [{ local: grant, attributes: { targets: '#_parent', tools: '*' } }]
    invoke: { type: 'vt:plan', id: r, content: { expr: ctx.plan }, params: [{ name: call, expr: ctx.call }] }
    on: { error.plan: bad, done.invoke.r: good, hello: bad }
  bad:
    invoke:
      id: c
      extensions: [{ local: grantTools, attribute: 'urn:tool:t' }]
      content: { chart: { states: { s: { type: final } } } }
    on: { done.invoke.c: good }
  good: { type: final }
`);
test('plans, their runs and grants are named, with the model call that wrote them', async () => {
  const journal = createMemoryJournal();
  const kit = {
    journal,
    agents: [PLANNING],
    tools: ['t', 'u'].map((name) => createTool({ iri: `urn:tool:${name}`, call: () => null })),
  };
  const run = async (actor: string, plan: string) => {
    const host = createAgentHost({ ...kit, providers: { p: createScriptedProvider([{ content: plan }]) } });
    await host.spawn(actor, 'agent');
    await host.settled();
    expect((await host.state(actor)).status).toBe('done');
    return provenanceOf(journal, actor);
  };
  const good = await run(`${ACTOR}/good`, 'format: warrant.chart/1\nstates: { a: { type: final } }');
  const bad = await run(`${ACTOR}/bad`, 'no chart at all');
  const call = `${ACTOR}/good/call/1.0`;
  expect(good.plans).toMatchObject([{ outcome: 'accepted', writtenBy: call }]);
  expect(bad.plans).toMatchObject([{ outcome: 'rejected', class: 'parse', plan: null }]);
  const ran = good.plans[0]?.id ?? '';
  expect(good.grants).toMatchObject([
    { holder: `${ACTOR}/good`, from: null, tools: ['urn:tool:t', 'urn:tool:u'] },
    { holder: call, from: `${ACTOR}/good/grant`, tools: ['urn:tool:t'] },
    { holder: ran, from: `${ACTOR}/good/grant`, targets: ['#_parent'], tools: ['urn:tool:t', 'urn:tool:u'] },
  ]);
  expect(bad.grants.map(({ tools }) => tools)).toEqual([['urn:tool:t', 'urn:tool:u'], ['urn:tool:t'], ['urn:tool:t']]);
  const validator = new SHACLValidator(parse(AGENT_SHAPES));
  for (const provenance of [good, bad]) {
    const store = parse(await toTurtle(provenance));
    expect((await validator.validate(new Store([...provenanceQuads(provenance)]))).results).toEqual([]);
    const is = (type: string) => store.getQuads(null, null, DataFactory.namedNode(type), null).length;
    expect(is(`${AGENT_VOCABULARY}PlanExecution`)).toBeGreaterThan(0);
    expect(is('http://www.w3.org/ns/prov#Association')).toBe(provenance === good ? 1 : 0);
    expect(toJsonLd(provenance)['@graph']).toContainEqual(
      expect.objectContaining({ '@id': provenance.plans[0]?.id, outcome: provenance.plans[0]?.outcome }),
    );
  }
});

test('JSON-LD says what the Turtle says, with the annotations on the decision', async () => {
  const { journal } = await aRun();
  const provenance = await provenanceOf(journal, ACTOR);
  const { '@context': context, '@graph': nodes } = toJsonLd(provenance) as unknown as {
    readonly '@context': Readonly<Record<string, unknown>>;
    readonly '@graph': readonly Readonly<Record<string, unknown>>[];
  };
  expect(nodes).toContainEqual({
    '@id': `${ACTOR}/decision/1.0`,
    '@type': ['Decision', 'prov:Activity'],
    run: ACTOR,
    state: 'decide',
    outcome: 'accepted',
    offeredAt: 1,
    decidedAt: 2,
    'prov:endedAtTime': expect.stringMatching(/Z$/),
    'prov:wasAssociatedWith': `${ACTOR}/decider/model`,
    offered: [`${ACTOR}/event/call.look`, `${ACTOR}/event/finish`],
    chose: `${ACTOR}/event/call.look`,
    rationale: 'need to know',
    kind: 'llm',
    model: 'm',
    promptHash: expect.stringMatching(/^sha256:/),
    confidence: 0.75,
    fallback: false,
    promptTokens: expect.any(Number),
    completionTokens: expect.any(Number),
  });
  const values = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, value]) => (name === '@id' ? [] : value)),
  );
  // The triple terms themselves are all that it cannot say.
  expect(values).toHaveLength(parse(await toTurtle(provenance)).size - 2);
  expect(nodes.filter((node) => String(node['@id']).startsWith('_:'))).toEqual([]);
  // What leads to a node leads to one that is there, and is no text.
  const ids = new Set(nodes.map((node) => node['@id']));
  for (const name of ['run', 'chose', 'offered', 'grant', 'prov:wasAssociatedWith', 'prov:wasInformedBy']) {
    expect(context[name]).toEqual({ '@type': '@id' });
    for (const node of nodes) for (const value of [node[name] ?? []].flat()) expect(ids).toContain(value);
  }
});

test('whatever states, events, deciders and reasons are called, the graph can be read and conforms', async () => {
  const agent = definitionOf(`
states:
  'odd<"state>':
    extensions: [{ local: decide, attribute: 'a"b\\<c>' }]
    on: { 'ev>il%20x{y}': z }
  z: { type: final }
`);
  const annotations = { rationale: 'a " and \n and \u0001', confidence: 1e-7 };
  const decider = createScriptedDecider([{ type: 'decision', event: 'ev>il%20x{y}', payload: null, annotations }]);
  const { host, journal } = world({ agents: [agent], deciders: { 'a"b\\<c>': decider } });
  await host.spawn(ACTOR, 'agent');
  await host.settled();
  const provenance = await provenanceOf(journal, ACTOR);
  const store = parse(await toTurtle(provenance));
  expect(parse(await toNTriples(provenance), 'N-Triples').size).toBe(store.size);
  expect((await new SHACLValidator(parse(AGENT_SHAPES)).validate(store)).conforms).toBe(true);
  expect(store.getObjects(null, `${AGENT_VOCABULARY}confidence`, null).map(({ value }) => value)).toEqual([
    '0.0000001',
  ]);
});

test.each(['urn:a<b>', 'urn:a"b', 'urn:a{b}', 'urn:a|b', 'urn:a`b', 'urn:a^b', 'urn:a\\b', 'urn:a\u0001b', 'urn:a b'])(
  '%j is no IRI, and names neither an agent nor a tool',
  async (name) => {
    const { host } = world({ agents: [definitionOf('states: { a: {} }')] });
    await expect(host.spawn(name, 'agent')).rejects.toMatchObject({ code: 'DECIDE_ACTOR_NAME' });
    expect(() => createTool({ iri: name, call: () => null })).toThrow(expect.objectContaining({ code: 'DECIDE_TOOL' }));
  },
);

test('what an end or a left state takes away is closed and cancelled, and waits for nobody any more', async () => {
  const agent = definitionOf(`
states:
  a:
    type: parallel
    on: { away: b, over: z }
    states:
      a1: { extensions: [{ local: decide, attribute: d }], on: { yes: z } }
      a2: { invoke: [{ type: 'vt:tool', id: t, src: 'urn:tool:slow' }] }
      a3: { invoke: [{ type: 'vt:llm', id: l, extensions: [{ local: provider, attribute: p }, { local: template, attribute: x }] }] }
  b: {}
  z: { type: final }
`);
  const never = () => new Promise<never>(() => undefined);
  const kit = {
    deciders: { d: { kind: 'human' as const, decide: never } },
    tools: [createTool({ iri: 'urn:tool:slow', call: never })],
    providers: { p: { complete: never } },
  };
  for (const end of ['away', 'over']) {
    const { host, journal } = world({ agents: [agent], ...kit });
    await host.spawn(ACTOR, 'agent');
    await host.send(ACTOR, { name: end });
    const { decisions, llmCalls, toolCalls } = await provenanceOf(journal, ACTOR);
    expect([...decisions, ...llmCalls, ...toolCalls].map(({ outcome }) => outcome)).toEqual([
      'closed',
      'cancelled',
      'cancelled',
    ]);
    await host.close();
  }
});

test('a decision is explained: the move, what else was open, who was asked, what it saw', async () => {
  const { journal, agent } = await aRun();
  const host = createAgentHost({ agents: agent.kit.agents, journal });
  const explained = await explainDecision(journal, await host.machineOf(ACTOR), `${ACTOR}/decision/1.0`);
  expect(explained).toMatchObject({ decision: { decider: 'model' }, saw: { task: 'task', observations: [] } });
  expect(explained?.alternatives.map(({ event }) => event)).toEqual(['call.look', 'finish']);
  const text = explained === undefined ? '' : renderDecision(explained);
  expect(text).toContain("accepted 'call.look'");
  expect(text).toContain('open too finish');
  expect(await explainDecision(journal, await host.machineOf(ACTOR), `${ACTOR}/decision/9.0`)).toBeUndefined();
});

test('spans follow the conventions, and say nothing of what was said', async () => {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  await aRun({ tracing: openTelemetry(provider.getTracer('test')) });
  const spans = exporter.getFinishedSpans();
  expect(spans.filter(({ name }) => name === 'execute_tool urn:tool:look')).toHaveLength(1);
  expect(spans.find(({ name }) => name === 'decide decide')?.attributes).toMatchObject({
    'warrant.decision.event': 'call.look',
    'gen_ai.response.model': 'm',
  });
  expect(spans.some(({ attributes }) => attributes['gen_ai.operation.name'] === 'invoke_agent')).toBe(true);
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('need to know');
  expect(trace.getSpan(context.active())).toBeUndefined();
});
