import {
  canonicalJson,
  createVirtualClock,
  createVirtualTimer,
  type Decider,
  type Journal,
  type Json,
  type JsonObject,
} from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import {
  type AgentHost,
  createAgentHost,
  createAgentMachine,
  createTool,
  explainDecision,
  type InputRecord,
  provenanceOf,
  readRecords,
  recordOf,
} from '../src/index.ts';

import { collect } from './collect.ts';
import { definitionOf, start, world } from './support.ts';

const A = 'urn:agent:1';
const STREAM = `agents/${A}`;
const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };
const times = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));
const MAX_BYTES = 4096;

/** Everything that an entry takes, but what somebody said. */
async function largest(journal: Pick<Journal, 'read'>): Promise<number> {
  const entries = await collect(journal.read(STREAM));
  return Math.max(
    ...entries.map((entry) => Buffer.byteLength(canonicalJson({ ...entry, host: 'h' } as unknown as Json))),
  );
}

test('a step tells all names of its offers; only the entry is short of room', () => {
  const names = times(400, (index) => `e${index}_`.padEnd(90, 'x'));
  const one = start(
    `states: { a: { extensions: [{ local: decide, attribute: d }], on: { ${names.map((name) => `${name}: {}`).join(', ')} } } }`,
  );
  expect(one.facts).toContainEqual(expect.objectContaining({ type: 'offered', candidates: names }));
});

const parallel = (count: number, region: (index: number) => string) =>
  `states:\n  idle: { on: { go: all } }\n  all:\n    type: parallel\n    on: { over: over }\n    states:\n${times(count, (index) => `      ${region(index)}\n`).join('')}  over: {}\n`;
const long = (name: string) => name.padEnd(300, '_long');
const decides = (events: number) => (index: number) =>
  `r${index}: { extensions: [{ local: decide, attribute: d }, { local: deadline, attribute: ${index + 1}s }], on: { ${times(events, (event) => `${long(`e${index}_${event}`)}: {}`).join(', ')} } }`;
const sends = (count: number, more: (index: number) => string) =>
  `states:\n  idle: { on: { go: { target: all, do: [ ${times(
    count,
    (index) => `send: { event: e${index}, ${more(index)} }`,
  )
    .map((send) => `{ ${send} }`)
    .join(', ')} ] } } }\n  all: { on: { over: over } }\n  over: { type: final }\n`;

describe('whatever a chart does in one step, its entries stay below 4 KiB and nothing is lost', () => {
  const charts: readonly (readonly [string, string])[] = [
    ...[1, 8, 50, 400].map(
      (count) => [`${count} decide states`, parallel(count, decides(count === 400 ? 1 : 3))] as const,
    ),
    ['one decide state with 400 events of 300 signs', parallel(1, decides(400))],
    ['200 timers', sends(200, (index) => `delay: ${200 - index}s`)],
    ['60 messages', sends(60, (index) => `target: 'urn:agent:${long(`other${index}`)}'`)],
    ['60 tool calls', sends(60, () => "target: 'urn:tool:t'")],
    [
      '100 invoked tools',
      parallel(100, (index) => `r${index}: { invoke: { type: 'vt:tool', id: i${index}, src: 'urn:tool:t' } }`),
    ],
    [
      '60 invoked charts that decide',
      parallel(
        60,
        (index) =>
          `r${index}: { invoke: { type: scxml, id: i${index}, extensions: [{ local: grantDeciders, attribute: d }], content: { chart: { states: { a: { extensions: [{ local: decide, attribute: d }], on: { go: {} } } } } } } }`,
      ),
    ],
  ];

  test.each(charts)('%s', async (_, yaml) => {
    const clock = createVirtualClock();
    const journal = createMemoryJournal({ clock });
    const tool = createTool({ iri: 'urn:tool:t', call: () => null });
    const agent = { ...definitionOf(yaml), grant: { targets: ['*'] } };
    const open = (host: string) =>
      createAgentHost({
        journal,
        clock,
        timer: createVirtualTimer(),
        host,
        agents: [agent],
        deciders: { d: silent },
        tools: [tool],
      });
    const host = open('one');
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go' });
    await host.settled();
    const machine = await host.machineOf(A);
    // What a host that was not there reads is the same, and so are facts and intents, with what entries left out.
    expect(await open('two').state(A)).toEqual(await host.state(A));
    const records = (await collect(readRecords(journal, A, { machine }))).map(({ record }) => record as InputRecord);
    expect(records.every(({ rest }) => rest === undefined)).toBe(true);
    for (const { facts, intents } of records) {
      const asked = facts.flatMap((fact) =>
        fact.type === 'offered' ? [fact.correlation] : fact.type === 'called' ? [fact.effect] : [],
      );
      expect(intents.flatMap((intent) => (intent.type === 'call' ? [intent.effect] : []))).toEqual(
        expect.arrayContaining(asked),
      );
    }
    await host.send(A, { name: 'over' });
    expect(await largest(journal)).toBeLessThan(MAX_BYTES);
  });
});

async function many(count: number) {
  const clock = createVirtualClock();
  const { host, journal, open } = world({
    journal: createMemoryJournal({ clock }),
    clock,
    agents: [definitionOf(parallel(count, decides(2)))],
    deciders: { d: silent },
  });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'go' });
  return { clock, host, journal, open };
}

test('offers that an entry had no room for are known again with the chart, and without it by what became of them', async () => {
  const { host, journal } = await many(50);
  const last = (await host.state(A)).slots.at(-1);
  const iri = `${A}/decision/${last?.correlation}`;
  const event = last?.candidates[0]?.event ?? '';
  await host.answer(iri, { type: 'decision', event, payload: null, annotations: { binding: 'd' } });
  const alone = await provenanceOf(journal, A);
  expect(alone.omitted).toBeGreaterThan(0);
  expect(alone.decisions.find(({ id }) => id === iri)).toMatchObject({
    state: '',
    decider: 'd',
    offered: [event],
    outcome: 'accepted',
    offeredAt: 2,
    decidedAt: 3,
  });
  const machine = await host.machineOf(A);
  const whole = await provenanceOf(journal, A, undefined, machine);
  expect(whole.omitted).toBe(0);
  // One was answered and entered anew.
  expect(whole.decisions).toHaveLength(
    50 + (await host.state(A)).slots.filter(({ correlation }) => correlation.startsWith('3.')).length,
  );
  expect(whole.decisions.find(({ id }) => id === iri)).toMatchObject({ state: last?.state, outcome: 'accepted' });
  const explained = await explainDecision(journal, machine, iri);
  expect(explained?.decision.offered).toEqual(last?.candidates.map((one) => one.event));
});

/** What a run holds of one kind of input. */
async function inputs(journal: Pick<Journal, 'read'>, type: string, actor = A): Promise<number> {
  return (await collect(journal.read(`agents/${actor}`))).filter((entry) => entry.type === `agent.${type}`).length;
}

describe('what entries had no room for happens all the same, by a host that was not there', () => {
  async function delayed() {
    const one = world({ agents: [definitionOf(sends(100, (index) => `delay: ${100 - index}s`))], deciders: {} });
    await one.host.spawn(A, 'agent');
    await one.host.send(A, { name: 'go' });
    return { ...one, fired: (actor = A) => inputs(one.journal, 'timer', actor) };
  }
  async function pumped(host: AgentHost): Promise<void> {
    while ((await host.pump()) > 0);
  }

  test('timers fire when they are due, each once', async () => {
    const { clock, open, fired } = await delayed();
    const other = open();
    clock.advance(50_000);
    await pumped(other);
    expect(await fired()).toBe(50);
    clock.advance(50_000);
    await pumped(other);
    await pumped(open());
    expect(await fired()).toBe(100);
  });

  test('timers that are set no more do not', async () => {
    const { clock, host, open, fired } = await delayed();
    const other = open();
    clock.advance(1000);
    await pumped(other);
    await host.send(A, { name: 'over' });
    clock.advance(100_000);
    await pumped(other);
    expect(await fired()).toBe(1);
  });

  test('a fork has them too', async () => {
    const { clock, host, open, journal, fired } = await delayed();
    await host.fork(A, 2, 'urn:agent:2');
    const [entry] = await collect(journal.read('agents/urn:agent:2', { from: 3 }));
    expect(Buffer.byteLength(canonicalJson(entry?.data ?? null))).toBeLessThan(MAX_BYTES);
    clock.advance(100_000);
    await pumped(open());
    expect(await fired('urn:agent:2')).toBe(100);
  });

  test('deadlines pass, and calls are taken over after their lease', async () => {
    const { clock, open, journal } = await many(50);
    const other = open();
    clock.advance(50_000);
    await pumped(other);
    expect(await inputs(journal, 'timer')).toBe(50);
    const called = world({
      agents: [definitionOf(sends(40, () => "target: 'urn:tool:t'"))],
      tools: [createTool({ iri: 'urn:tool:t', call: () => new Promise<never>(() => undefined) })],
    });
    await called.host.spawn(A, 'agent');
    await called.host.send(A, { name: 'go' });
    await called.host.close();
    const next = called.open();
    called.clock.advance(60_000);
    await pumped(next);
    await next.settled();
    expect(await inputs(called.journal, 'tool.result')).toBe(40);
  });
});

test('who reads entries by the version of their form is told of what he cannot read', async () => {
  const { journal } = await many(50);
  const [, entry] = await collect(journal.read(STREAM));
  expect(entry?.schemaVersion).toBe(2);
  if (entry === undefined) return;
  expect((recordOf(entry) as InputRecord).rest).toMatchObject({ intents: expect.any(Number) as number });
  for (const schemaVersion of [0, 1, 3]) expect(() => recordOf({ ...entry, schemaVersion })).toThrow('is no agent');
  const { rest: _, ...data } = entry.data as JsonObject;
  expect(() => recordOf({ ...entry, data })).toThrow('is no agent');
  expect(recordOf({ ...entry, data, schemaVersion: 1 })).toMatchObject({ type: 'input' });
});

test('a run is not told by the chart of another one', async () => {
  const { journal } = await many(8);
  const machine = createAgentMachine(definitionOf('states: { a: {} }'));
  await expect(provenanceOf(journal, A, undefined, machine)).rejects.toMatchObject({ code: 'DECIDE_UNKNOWN_CHART' });
});

test('what replay finds counts only where it is what was left out', async () => {
  const { host, journal } = await many(50);
  const machine = await host.machineOf(A);
  async function* read(...given: Parameters<Journal['read']>): ReturnType<Journal['read']> {
    for await (const entry of journal.read(...given)) {
      const { rest, ...data } = entry.data as { readonly rest?: JsonObject };
      yield rest === undefined ? entry : { ...entry, data: { ...data, rest: { ...rest, digest: 'sha256:0' } } };
    }
  }
  const provenance = await provenanceOf({ read }, A, undefined, machine);
  expect(provenance).toEqual(await provenanceOf(journal, A));
  expect(provenance.omitted).toBeGreaterThan(0);
});
