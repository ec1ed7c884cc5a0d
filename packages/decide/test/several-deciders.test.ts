import { createMemoryInbox, type Decider, type JsonObject } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import { createHumanDecider, createPanelDecider, createScriptedDecider, createShadowDecider } from '../src/index.ts';
import type { DeciderAnswer } from '../src/kit.ts';
import { collect } from './collect.ts';
import { definitionOf, eventually, request, world } from './support.ts';

const { signal } = new AbortController();
const ask = (decider: Decider) => decider.decide(request, signal);
const choose = (event: string): DeciderAnswer => ({ type: 'decision', event, payload: null });

describe('several deciders', () => {
  const says = (event: string) => createScriptedDecider([choose(event)]);
  const fails: Decider = { kind: 'custom', decide: () => Promise.reject(new Error('down')) };

  test.each([
    [['approve', 'approve', 'reject'], 2, 'approve'],
    [['approve', 'reject'], 2, 'fallback'],
    [['approve', 'x', 'approve'], 3, 'fallback'],
  ])('as a panel of %j with %i to agree say %s', async (events, agree, expected) => {
    const panel = createPanelDecider({ members: events.map(says), agree, otherwise: says('fallback') });
    expect(await ask(panel)).toMatchObject({ event: expected });
  });

  test('as a panel count one that fails as no vote', async () => {
    expect(await ask(createPanelDecider({ members: [fails, says('a'), says('a')], agree: 2 }))).toMatchObject({
      event: 'a',
    });
    expect(await ask(createPanelDecider({ members: [fails, says('a')], agree: 2 }))).toEqual({
      type: 'refusal',
      reason: 'panel-disagrees',
    });
  });

  test.each<[string, unknown]>([
    ['no answer', undefined],
    ['a payload that is no JSON', { type: 'decision', event: 'a', payload: Number.NaN }],
    ['an event that is no text', { type: 'decision', event: 1n }],
  ])('as a panel count %s as no vote, and go on', async (_, answer) => {
    const odd: Decider = { kind: 'custom', decide: async () => answer as never };
    const members = [odd, says('a'), says('a')];
    expect(await ask(createPanelDecider({ members, agree: 2 }))).toMatchObject({ event: 'a' });
    expect(await ask(createPanelDecider({ members: [odd, odd, odd], agree: 2 }))).toMatchObject({ type: 'refusal' });
  });

  test('agree on no payload, whichever way they give none', async () => {
    const bare: Decider = { kind: 'custom', decide: async () => ({ type: 'decision', event: 'a' }) as never };
    expect(await ask(createPanelDecider({ members: [bare, says('a')], agree: 2 }))).toMatchObject({ event: 'a' });
    const journal = createMemoryJournal();
    await ask(createShadowDecider({ decider: says('a'), shadow: bare, journal }));
    await eventually(async () => expect(await collect(journal.readAll())).toMatchObject([{ data: { agree: true } }]));
  });

  test('people of a panel are asked a question each, and nobody votes twice', async () => {
    const inbox = createMemoryInbox();
    const person = createHumanDecider({ inbox });
    const pending = async (count: number) => {
      await eventually(async () => expect(await inbox.pending()).toHaveLength(count));
      return inbox.pending();
    };
    for (const [index, members] of [
      [person, person],
      [person, createHumanDecider({ inbox, quorum: 2, agree: 1 }), fails],
    ].entries()) {
      const correlation = `urn:a/decision/${index}.0`;
      const decided = createPanelDecider({ members, agree: 2 }).decide({ ...request, correlation }, signal);
      const questions = await pending(index + 2);
      const say = async (at: number, answeredBy: string) => {
        const { id: questionId, subject } = questions[at] as (typeof questions)[number];
        const answer = { questionId, subject, choice: 'approve', answeredBy, answeredAt: '2026-01-01T00:00:00.000Z' };
        return (await inbox.answer(answer)).type;
      };
      expect([await say(0, 'ann'), await say(1, 'ann'), await say(1, 'bob')]).toEqual([
        'answered',
        'forbidden',
        'answered',
      ]);
      expect(await decided).toMatchObject({ event: 'approve' });
      await pending(0);
    }
  });

  test('a person whom a panel does not need any more is not asked any more', async () => {
    const inbox = createMemoryInbox();
    const voted = createScriptedDecider([choose('approve')]);
    const members = [createHumanDecider({ inbox }), voted, says('approve')];
    expect(await ask(createPanelDecider({ members, agree: 2 }))).toMatchObject({ event: 'approve' });
    await eventually(async () => expect(await inbox.pending()).toEqual([]));
    expect(voted.cancelled).toEqual([]);
    const panel = createPanelDecider({ members: [createHumanDecider({ inbox }), says('approve')], agree: 2 });
    const { signal: whole } = new AbortController();
    const correlation = 'urn:a/decision/2.0';
    void panel.decide({ ...request, correlation }, whole).catch(() => undefined);
    await eventually(async () => expect(await inbox.pending()).toMatchObject([{ id: correlation }]));
    panel.cancel?.(correlation);
    await eventually(async () => expect(await inbox.pending()).toEqual([]));
  });

  test.each<[string, readonly string[], string | undefined, number]>([
    ['agree', ['a', 'a', 'b'], undefined, 2],
    ['do not agree', ['a', 'b', 'c'], undefined, 3],
    ['do not agree and somebody else decides', ['a', 'b', 'c'], 'd', 4],
  ])('as a panel that %s tell what all who answered have used', async (_, events, last, answers) => {
    const spends = (event: string) => {
      const usage = { promptTokens: 10, completionTokens: 1, cost: 0.5 };
      return createScriptedDecider([{ type: 'decision', event, payload: null, annotations: { model: event, usage } }]);
    };
    const free = createScriptedDecider([]);
    const otherwise = last === undefined ? {} : { otherwise: spends(last) };
    const panel = createPanelDecider({ members: [free, ...events.map(spends)], agree: 2, ...otherwise });
    const usage = { promptTokens: 10 * answers, completionTokens: answers, cost: 0.5 * answers };
    expect(await ask(panel)).toMatchObject({ annotations: { usage } });
  });

  test('one in the shadow of the other: both are written down, only the first counts', async () => {
    const journal = createMemoryJournal();
    const decider = createShadowDecider({ decider: says('approve'), shadow: says('reject'), journal });
    expect(await ask(decider)).toEqual(choose('approve'));
    await eventually(async () => expect(await journal.streams()).toHaveLength(1));
    const [entry] = await collect(journal.read('shadow/urn:a'));
    expect(entry).toMatchObject({
      id: request.correlation,
      data: { agree: false, first: { event: 'approve' }, shadow: { event: 'reject' } },
    });
  });
});

test.each([
  ['as a host does', undefined, /^\[secret:[0-9a-f]{16}\]$/],
  ['not at all where that is wanted', false as const, /^AKIAIOSFODNN7EXAMPLE$/],
])('secrets in answers written down side by side are replaced: %s', async (_, secretMarks, expected) => {
  const journal = createMemoryJournal();
  const says: DeciderAnswer = { type: 'decision', event: 'a', payload: 'AKIAIOSFODNN7EXAMPLE' };
  const one = createScriptedDecider([says]);
  const other = createScriptedDecider([says]);
  const decider = createShadowDecider({
    decider: one,
    shadow: other,
    journal,
    ...(secretMarks === undefined ? {} : { secretMarks }),
  });
  expect(await ask(decider)).toEqual(says);
  await eventually(async () => expect(await journal.streams()).toHaveLength(1));
  const [entry] = await collect(journal.read('shadow/urn:a'));
  const { agree, first, shadow } = (entry?.data ?? {}) as { agree: boolean; first: JsonObject; shadow: JsonObject };
  expect(agree).toBe(true);
  expect(first['payload']).toMatch(expected);
  expect(shadow['payload']).toBe(first['payload']);
});

describe('a second decider', () => {
  const agent = definitionOf(`
states:
  a: { extensions: [{ local: decide, attribute: both }], on: { yes: z, no: z } }
  z: { type: final }
`);
  const shadowed = (shadow: Decider, decider: Decider = createScriptedDecider([choose('yes')])) => {
    const faults: unknown[] = [];
    const journal = createMemoryJournal();
    const both = createShadowDecider({ decider, shadow, journal, onFault: (error) => faults.push(error) });
    return { ...world({ agents: [agent], deciders: { both }, journal }), faults };
  };

  test('that is slower than the first is heard, though the agent has gone on', async () => {
    let say: (answer: DeciderAnswer) => void = () => undefined;
    const slow: Decider = {
      kind: 'llm',
      decide: (_, signal) =>
        new Promise((resolve, reject) => {
          say = resolve;
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    const { host, journal, faults } = shadowed(slow);
    await host.spawn('urn:agent:1', 'agent');
    await host.settled();
    expect((await host.state('urn:agent:1')).status).toBe('done');
    say(choose('no'));
    await eventually(async () => expect(await collect(journal.read('shadow/urn:agent:1'))).toHaveLength(1));
    expect(faults).toEqual([]);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('no model');
      },
    ],
    ['fails', () => Promise.reject(new Error('no model'))],
  ])('that %s leaves the first alone', async (_, decide) => {
    const { host, faults } = shadowed({ kind: 'llm', decide });
    await host.spawn('urn:agent:1', 'agent');
    await host.settled();
    expect((await host.state('urn:agent:1')).status).toBe('done');
    await eventually(async () => expect(faults).toEqual([new Error('no model')]));
  });

  test('that fails beside a first one that fails is told of, and ends no process', async () => {
    const fails: Decider = { kind: 'llm', decide: () => Promise.reject(new Error('no model')) };
    const { host, faults } = shadowed(fails, fails);
    await host.spawn('urn:agent:1', 'agent');
    await host.settled();
    await eventually(async () => expect(faults).toEqual([new Error('no model')]));
    expect((await host.state('urn:agent:1')).slots).toMatchObject([{ status: 'closed' }]);
  });
});

test('members of a panel that have not voted once it is settled are stopped', async () => {
  let stopped = false;
  const slow: Decider = {
    kind: 'llm',
    decide: (_, signal) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => {
          stopped = true;
          reject(signal.reason as Error);
        });
      }),
  };
  const says = createScriptedDecider([choose('approve')]);
  const others = createScriptedDecider([choose('approve')]);
  expect(await ask(createPanelDecider({ members: [slow, says, others], agree: 2 }))).toMatchObject({
    event: 'approve',
  });
  expect(stopped).toBe(true);
});
