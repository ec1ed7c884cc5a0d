import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import { eventOutcome } from '../src/host/given.ts';
import type { AgentEvent, AgentHost, DeciderAnswer } from '../src/index.ts';
import { collect } from './collect.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const OFFER = `${A}/decision/1.0`;
const agents = [
  definitionOf(
    'states: { a: { extensions: [{ local: decide, attribute: d }], on: { yes: b } }, b: { on: { go: a } } }',
  ),
];
const silent = { kind: 'human' as const, decide: () => new Promise<never>(() => undefined) };
const chart = agents[0]?.chart;
const label = { trust: 'human' as const, sources: ['ann'] };

async function tried(
  ask: (host: AgentHost) => Promise<unknown>,
): Promise<{ readonly told: unknown; readonly types: readonly string[] }> {
  const { host, journal } = world({ journal: createMemoryJournal(), agents, deciders: { d: silent } });
  await host.spawn(A, 'agent');
  const told = await ask(host).catch((error: unknown) => (error as { code: string }).code);
  const entries = await collect(journal.readAll());
  return { told, types: entries.slice(1).map(({ type }) => type) };
}

describe('an answer that comes from anywhere is an answer or nothing', () => {
  test.each<readonly [string, unknown]>([
    ['a review', { type: 'review', proposal: 'p', decision: 'approved', chart }],
    ['a timer', { type: 'timer', timer: 'deadline:1.0' }],
    ["a tool's result", { type: 'tool.result', effect: '1.0', outcome: 'ok', result: 1, label }],
    ['a start', { type: 'start', program: 'sha256:0', input: {} }],
    ['an event of another kind', { type: 'event', event: 'yes', payload: null }],
    ['a reason of another kind', { type: 'stopped', reason: 'no' }],
    ['a list with the members of an answer', Object.assign([], { type: 'refusal', reason: 'no' })],
    ['a decision without an event', { type: 'decision', payload: null }],
    ['a decision for a number', { type: 'decision', event: 5, payload: null }],
    ['a refusal without a reason', { type: 'refusal' }],
    ['nothing', null],
    ['a list', ['decision']],
    ['a text', 'yes'],
  ])('%s is none', async (_, answer) => {
    const refused = { told: 'DECIDE_INPUT', types: [] };
    expect(await tried((host) => host.answer(OFFER, answer as DeciderAnswer))).toEqual(refused);
    const injected = [{ correlation: '1.0', answer: answer as DeciderAnswer }];
    expect(await tried((host) => host.fork(A, 1, `${A}/fork`, injected))).toEqual(refused);
  });

  test('nothing else that it says counts, such as another offer', async () => {
    const answer = { type: 'decision', event: 'yes', correlation: '9.9', at: '2000-01-01T00:00:00.000Z' };
    const { host, journal } = world({ journal: createMemoryJournal(), agents, deciders: { d: silent } });
    await host.spawn(A, 'agent');
    await host.answer(OFFER, answer as unknown as DeciderAnswer);
    const [, entry] = await collect(journal.readAll());
    expect(entry?.data).toMatchObject({ input: { at: expect.not.stringMatching('^2000') as string } });
    const { input } = (entry?.data ?? {}) as { readonly input?: { readonly data: unknown } };
    expect(input?.data).toEqual({ correlation: '1.0', event: 'yes', payload: null });
    expect((await host.state(A)).sessions[0]?.chart.configuration).toEqual(['b']);
  });
});

describe('an event, a start and a review are refused for what they are not, before anything is recorded', () => {
  test.each<readonly [string, unknown]>([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a number for a name', { name: 5 }],
    ['a number for an id', { name: 'go', id: 5 }],
    ['a number for an origin', { name: 'go', origin: 5 }],
    ['a trust that is none', { name: 'go', label: { trust: 'root', sources: [] } }],
    ['sources that are no list', { name: 'go', label: { trust: 'human', sources: 'ann' } }],
    ['nothing for a label', { name: 'go', label: null }],
    ['nothing at all', null],
    ['no value', undefined],
    ['the form of a function', function go() {}],
  ])('an event with %s', async (_, event) => {
    expect(await tried((host) => host.send(A, event as AgentEvent))).toEqual({ told: 'DECIDE_INPUT', types: [] });
  });

  test.each<readonly [string, unknown, unknown]>([
    ['nothing', null, undefined],
    ['a list', [1], undefined],
    ['a number', 5, undefined],
    ['a label that is none', {}, 'human'],
  ])('a start with %s', async (_, input, given) => {
    const options = given === undefined ? {} : { label: given };
    expect(await tried((host) => host.spawn('urn:agent:2', 'agent', input as never, options as never))).toEqual({
      told: 'DECIDE_INPUT',
      types: [],
    });
  });

  test.each<readonly [string, unknown]>([
    ['nothing', null],
    ['no proposal', { decision: 'approved', chart }],
    ['no decision', { proposal: 'p' }],
    ['a number for a proposal', { proposal: 5, decision: 'approved', chart }],
    ['another decision', { proposal: 'p', decision: 'queued' }],
    ['a number for a reason', { proposal: 'p', decision: 'rejected', reason: 5 }],
  ])('a review with %s', async (_, review) => {
    expect(await tried((host) => host.review(A, review as never))).toEqual({ told: 'DECIDE_INPUT', types: [] });
  });

  test('a fork begins with events and answers; an answer names its offer', async () => {
    const fork = (injected: unknown) =>
      tried(async (host) => {
        await host.fork(A, 1, `${A}/fork`, [injected as AgentEvent]);
        return (await host.state(`${A}/fork`)).sessions[0]?.chart.configuration;
      });
    expect(await fork({ correlation: '1.0', answer: { type: 'decision', event: 'yes', payload: null } })).toEqual({
      told: ['b'],
      types: expect.arrayContaining(['agent.decision']) as unknown,
    });
    for (const actor of [A, `${A}/fork`])
      expect(
        await fork({ correlation: `${actor}/decision/1.0`, answer: { type: 'decision', event: 'yes', payload: null } }),
      ).toMatchObject({ told: ['b'] });
    expect(
      await fork({ correlation: 'urn:x/decision/1.0', answer: { type: 'decision', event: 'yes', payload: null } }),
    ).toMatchObject({ told: ['a'] });
    expect(await fork({ name: 'yes' })).toMatchObject({ told: ['b'] });
    for (const correlation of [undefined, 5, null])
      expect(await fork({ correlation, answer: { type: 'decision', event: 'yes', payload: null } })).toEqual({
        told: 'DECIDE_INPUT',
        types: [],
      });
  });

  test('what is right is taken as it is', async () => {
    expect(await tried((host) => host.send(A, { name: 'go', data: 1, id: 'i', origin: 'urn:o', label }))).toEqual({
      told: { type: 'applied', position: 2 },
      types: ['agent.event'],
    });
    expect(eventOutcome({ name: 'go', origin: 'urn:o' })).toEqual({
      type: 'event',
      data: { name: 'go', data: null, origin: 'urn:o' },
    });
    expect(eventOutcome({ name: 'go' }).data).not.toHaveProperty('origin');
    expect(await tried((host) => host.answer(OFFER, { type: 'refusal', reason: 'no' }))).toMatchObject({
      types: ['agent.refusal'],
    });
    expect(await tried((host) => host.review(A, { proposal: 'p', decision: 'rejected', reason: 'no' }))).toMatchObject({
      types: ['agent.review'],
    });
    expect(
      await tried((host) => host.review(A, { proposal: 'p', decision: 'approved', ...(chart && { chart }) })),
    ).toMatchObject({ types: ['agent.review'] });
  });
});
