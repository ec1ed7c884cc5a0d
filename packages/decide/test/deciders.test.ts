import { compileChart } from '@warrant/chart';
import { eventTypes } from '@warrant/chart/types';
import { readYaml } from '@warrant/chart/yaml';
import { createMemoryInbox, type Decider, type Inbox, type Json, type JsonObject, type Provider } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import {
  answerSchema,
  createActorDecider,
  createGuardDecider,
  createHumanDecider,
  createLlmDecider,
  createPanelDecider,
  createScriptedProvider,
  guardDeciderFromChart,
  provenanceOf,
} from '../src/index.ts';
import { ajvSchemas } from '../src/schemas/index.ts';
import { definitionOf, eventually, request, world } from './support.ts';

const { signal } = new AbortController();
const ask = (decider: Decider, of = request) => decider.decide(of, signal);
const choose = (event: string, payload: unknown = null) => ({
  type: 'decision' as const,
  event,
  payload: payload as null,
});

describe('a guard decider', () => {
  const dataModel = agentDataModel();

  test('takes the first offered event whose rule holds, in the order of the offer', async () => {
    const decider = createGuardDecider({
      dataModel,
      rules: [
        { event: 'reject' },
        { event: 'approve', guard: 'ctx.amount < 100' },
        { event: 'approve', guard: 'ctx.amount == 250', payload: '{"limit": ctx.amount}' },
      ],
    });
    expect(await ask(decider)).toEqual(choose('approve', { limit: 250 }));
    expect(await ask(decider, { ...request, context: { amount: 101 } })).toEqual(choose('reject'));
  });

  test('refuses when no rule holds; a guard that cannot be evaluated does not hold', async () => {
    const decider = createGuardDecider({
      dataModel,
      rules: [{ event: 'approve', guard: 'ctx.nothing > 1' }, { event: 'other' }],
    });
    expect(await ask(decider)).toEqual({ type: 'refusal', reason: 'no-rule-holds' });
  });

  test('finds its rules at the transitions of a chart', async () => {
    const chart = compileChart(
      readYaml(`format: warrant.chart/1
states:
  s:
    on:
      approve: { extensions: [{ local: decisionGuard, attribute: ctx.amount < 100 }] }
      reject: { extensions: [{ local: decisionGuard, attribute: 'true' }] }
`),
      { dataModel },
    );
    expect(await ask(guardDeciderFromChart(chart, dataModel))).toEqual(choose('reject'));
  });

  const guarded = (guard: string) => `[{ local: decisionGuard, attribute: '${guard}' }]`;
  const twice = definitionOf(`
data: { amount: 250 }
states:
  small:
    extensions: [{ local: decide, attribute: d }, { local: candidates, attribute: "approve.now reject" }]
    on:
      approve: { target: z, extensions: ${guarded('ctx.amount < 100')} }
      reject: { target: large, extensions: ${guarded('true')} }
  large:
    extensions: [{ local: decide, attribute: d }]
    on:
      approve: { target: z, extensions: ${guarded('true')} }
      reject: { target: z, extensions: ${guarded('true')} }
  z: { type: final }
`);

  test.each([
    ['a host asks it', (decider: Decider) => decider],
    ['it sits on a panel', (decider: Decider) => createPanelDecider({ members: [decider], agree: 1 })],
  ])('takes a rule of a chart for its own transition only when %s', async (_, wrapped) => {
    const d = wrapped(guardDeciderFromChart(twice.chart, dataModel));
    const { host, journal } = world({ agents: [twice], deciders: { d } });
    await host.spawn('urn:agent:1', 'agent');
    await host.settled();
    const { decisions } = await provenanceOf(journal, 'urn:agent:1');
    expect(decisions.map(({ state, event }) => `${state} ${event}`)).toEqual(['small reject', 'large approve']);
  });

  test('takes rules near the decide state where nobody says what an event would take', async () => {
    const decider = guardDeciderFromChart(twice.chart, dataModel);
    const asked = { ...request, candidates: [{ event: 'approve.now', payload: {}, conditional: false }] };
    expect(await ask(decider, { ...asked, state: 'small' })).toMatchObject({ type: 'refusal' });
    expect(await ask(decider, { ...asked, state: 'large' })).toEqual(choose('approve.now'));
  });
});

describe('an LLM decider', () => {
  const answer = {
    content: { event: 'approve', payload: 1, rationale: 'fine', confidence: 0.9 },
    usage: { promptTokens: 3, completionTokens: 4 },
  };

  test('asks for one of the candidates and hands on what the model said of it', async () => {
    const provider = createScriptedProvider([answer]);
    const decided = await ask(createLlmDecider({ provider, model: 'm', instructions: 'Be kind.' }));
    expect(decided).toMatchObject({
      event: 'approve',
      payload: 1,
      annotations: { rationale: 'fine', confidence: 0.9, usage: answer.usage, model: 'm' },
    });
    expect(provider.requests[0]?.output).toMatchObject({
      oneOf: [{ properties: { event: { const: 'approve' } } }, { properties: { event: { const: 'reject' } } }],
    });
    expect(provider.requests[0]?.prompt).toContain('Be kind.');
  });

  test('goes on to a form that the provider takes, and remembers it', async () => {
    const no = { failure: { class: 'invalid-request' as const } };
    const provider = createScriptedProvider([no, no, answer, answer]);
    const decider = createLlmDecider({ provider, model: 'm' });
    await ask(decider);
    await ask(decider);
    expect(provider.requests.map(({ output }) => Object.keys(output ?? {})[0])).toEqual([
      'oneOf',
      'anyOf',
      'type',
      'type',
    ]);
  });

  test.each(['oneOf', 'anyOf'] as const)(
    'says as %s what every payload is like, named types too, so that the whole is a schema',
    (form) => {
      const of = (types: string, event: string) => ({
        event,
        payload: eventTypes()(types).schemaOf(event) as JsonObject,
        conditional: false,
      });
      const candidates = [
        of('type V = { by: string, next?: V }; event a = V;', 'a'),
        of('type V = { by: string, next?: V }; event b = { all: V[] };', 'b'),
        of('type V = { by: int, next?: V }; event c = V;', 'c'),
        of('event d = { why: string };', 'd'),
      ];
      const schema = answerSchema(candidates, form);
      expect(Object.keys(schema['$defs'] as object)).toEqual(['V', 'V_3']);
      const fits = (event: string, payload: Json) => ajvSchemas().violations(schema, { event, payload }).length === 0;
      expect(fits('a', { by: 'x', next: { by: 'y' } })).toBe(true);
      expect(fits('a', { by: 'x', next: { by: 1 } })).toBe(false);
      expect(fits('b', { all: [{ by: 'x' }] })).toBe(true);
      expect(fits('b', { all: [{ by: 1 }] })).toBe(false);
      expect(fits('c', { by: 1, next: { by: 2 } })).toBe(true);
      expect(fits('c', { by: 1, next: { by: 'x' } })).toBe(false);
      expect(fits('d', { why: 'x' })).toBe(true);
    },
  );

  test('asked twice at once, skips no form that neither has tried; a question refused in all forms spoils none', async () => {
    const forms: string[] = [];
    let takes = ['anyOf'];
    const provider: Provider = {
      complete: async ({ output }) => {
        const form = Object.keys(output ?? {})[0] ?? '';
        forms.push(form);
        if (!takes.includes(form)) return { type: 'failed', failure: { class: 'invalid-request' } };
        return { type: 'ok', result: { ...answer, model: 'm', toolCalls: [] } };
      },
    };
    const both = createLlmDecider({ provider, model: 'm' });
    await Promise.all([ask(both), ask(both)]);
    expect(forms).toEqual(['oneOf', 'oneOf', 'anyOf', 'anyOf']);
    takes = [];
    const other = createLlmDecider({ provider, model: 'm' });
    expect(await ask(other)).toEqual({ type: 'refusal', reason: 'llm.invalid-request' });
    forms.length = 0;
    takes = ['oneOf'];
    await ask(other);
    expect(forms).toEqual(['oneOf']);
  });

  test.each([
    ['a failed call', { failure: { class: 'transport' as const } }, 'llm.transport'],
    ['text instead of an answer', { content: 'approve' }, 'not-a-decision'],
    ['an answer without an event', { content: { payload: 1 } }, 'not-a-decision'],
  ])('refuses after %s', async (_, reply, reason) => {
    expect(await ask(createLlmDecider({ provider: createScriptedProvider([reply]), model: 'm' }))).toMatchObject({
      type: 'refusal',
      reason,
    });
  });
});

describe('a human decider', () => {
  async function answer(inbox: Inbox, index: number, choice: string, answeredBy: string, payload?: number) {
    const all = await inbox.pending();
    const question = all[index];
    if (question === undefined) throw new Error('nothing is asked');
    const given = {
      questionId: question.id,
      subject: question.subject,
      choice,
      answeredBy,
      answeredAt: '2026-01-01T00:00:00.000Z',
    };
    return (await inbox.answer(payload === undefined ? given : { ...given, payload })).type;
  }
  const asked = async (inbox: Inbox, count: number) =>
    eventually(async () => expect(await inbox.pending()).toHaveLength(count));

  test('asks through the inbox, and hears the choice, the payload and the reason', async () => {
    const inbox = createMemoryInbox();
    const decided = ask(createHumanDecider({ inbox }));
    await asked(inbox, 1);
    expect(await answer(inbox, 0, 'approve', 'urn:a')).toBe('forbidden');
    expect(await answer(inbox, 0, 'approve', 'ann', 7)).toBe('answered');
    expect(await decided).toMatchObject(choose('approve', 7));
  });

  test('is not answered by whom the question is about', async () => {
    const inbox = createMemoryInbox();
    const decided = ask(createHumanDecider({ inbox, askedBy: () => 'clerk' }));
    await asked(inbox, 1);
    expect(await answer(inbox, 0, 'approve', 'clerk')).toBe('forbidden');
    expect(await answer(inbox, 0, '$refuse', 'boss')).toBe('answered');
    expect(await decided).toEqual({ type: 'refusal', reason: 'refused by boss' });
  });

  test('with a quorum needs so many people who say the same, one vote each', async () => {
    const inbox = createMemoryInbox();
    const decided = ask(createHumanDecider({ inbox, quorum: 3, agree: 2 }));
    await asked(inbox, 3);
    expect(await answer(inbox, 0, 'approve', 'ann')).toBe('answered');
    expect(await answer(inbox, 0, 'approve', 'ann')).toBe('forbidden');
    expect(await answer(inbox, 0, 'reject', 'bob')).toBe('answered');
    expect(await answer(inbox, 0, 'approve', 'cy')).toBe('answered');
    expect(await decided).toMatchObject(choose('approve'));
    expect(await inbox.pending()).toEqual([]);
  });

  test('with a quorum that disagrees refuses', async () => {
    const inbox = createMemoryInbox();
    const decided = ask(createHumanDecider({ inbox, quorum: 2 }));
    await asked(inbox, 2);
    await answer(inbox, 0, 'approve', 'ann');
    await answer(inbox, 0, 'reject', 'bob');
    expect(await decided).toEqual({ type: 'refusal', reason: 'no-agreement' });
  });
});

test('another agent decides, only the one that was asked, without anybody waiting', async () => {
  const asker = definitionOf(
    `
states:
  a: { extensions: [{ local: decide, attribute: boss }], on: { yes: z, no: z } }
  z: { type: final }
`,
    'asker',
  );
  const boss = definitionOf(
    `
data: { asked: null, by: null }
states:
  a:
    on:
      vt.decide.request: { do: [{ assign: { location: asked, expr: ev.data } }, { assign: { location: by, expr: ev.origin } }] }
      say:
        do:
          - send:
              event: vt.decide.reply
              targetexpr: 'ctx.by == null ? ev.data.to : ctx.by'
              params:
                - { name: correlation, expr: 'ctx.asked == null ? ev.data.correlation : ctx.asked.correlation' }
                - { name: event, expr: "'yes'" }
`,
    'boss',
  );
  const deciders: Record<string, Decider> = {};
  const { host } = world({ agents: [asker, { ...boss, grant: { targets: ['*'] } }], deciders });
  deciders['boss'] = createActorDecider({ actor: 'urn:agent:boss', send: (actor, sent) => host.send(actor, sent) });
  for (const name of ['boss', 'other']) await host.spawn(`urn:agent:${name}`, 'boss');
  await host.spawn('urn:agent:asker', 'asker');
  await eventually(async () => expect((await host.state('urn:agent:boss')).position).toBe(2));
  await host.send('urn:agent:other', {
    name: 'say',
    data: { to: 'urn:agent:asker', correlation: 'urn:agent:asker/decision/1.0' },
  });
  await host.settled();
  expect((await host.state('urn:agent:asker')).status).toBe('running');
  await host.send('urn:agent:boss', { name: 'say' });
  await host.settled();
  expect((await host.state('urn:agent:asker')).status).toBe('done');
});
