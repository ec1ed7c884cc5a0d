import { createMemoryInbox, type Json, type ToolOutcome } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import { type AgentHost, type AgentTool, createScriptedProvider, createTool } from '../src/index.ts';
import { collect } from './collect.ts';
import { definitionOf, eventually, world } from './support.ts';

const A = 'urn:agent:1';
const T = 'urn:tool:t';
const CALLER = definitionOf(`
data: { said: [], args: null }
states:
  idle: { on: { go: { target: calling, do: [{ assign: { location: args, expr: ev.data } }] } } }
  calling:
    invoke: { type: 'vt:tool', id: t, src: '${T}', content: { expr: ctx.args } }
    on:
      done.invoke.t: { target: idle, do: [{ assign: { location: said, expr: 'ctx.said + [ev.data]' } }] }
      error: { target: idle, do: [{ assign: { location: said, expr: 'ctx.said + [ev.data]' } }] }
      leave: idle
`);

function tool(call: AgentTool['call'], more: Partial<AgentTool> = {}): AgentTool {
  const made = createTool({
    iri: T,
    arguments: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
    result: { type: 'object', required: ['ok'] },
    call: () => null,
  });
  return { ...made, call, ...more };
}
const ok = (result: Json): ToolOutcome => ({ type: 'ok', result, label: { trust: 'tool', sources: [T] } });
const said = async (host: AgentHost) =>
  (await host.state(A)).sessions[0]?.chart.data['said'] as readonly Record<string, unknown>[];

async function once(
  call: AgentTool['call'],
  args: Json = { n: 1 },
  more: Parameters<typeof world>[0] = { agents: [CALLER] },
) {
  const made = world({ tools: [tool(call)], ...more });
  await made.host.spawn(A, 'agent');
  await made.host.send(A, { name: 'go', data: args });
  await made.host.settled();
  return { ...made, said: await said(made.host) };
}

test('a function that returns nothing is a tool whose result is null, not one that failed after it was called', async () => {
  const quiet = [() => undefined, async () => undefined, () => null].map((call) => createTool({ iri: T, call }));
  for (const one of quiet)
    expect((await once(async () => ok(1), { n: 1 }, { agents: [CALLER], tools: [one] })).said).toEqual([null]);
});

describe('a tool call', () => {
  test.each<[string, AgentTool['call'], Json, object]>([
    [
      'arguments that are not as declared',
      async () => ok({ ok: 1 }),
      { n: 'x' },
      { class: 'arguments', paths: ['/n'] },
    ],
    ['arguments that are no object', async () => ok({ ok: 1 }), [1], { class: 'arguments' }],
    ['an exception', () => Promise.reject(new Error('boom')), { n: 1 }, { class: 'execution', message: 'boom' }],
    ['a failed outcome', async () => ({ type: 'failed', message: 'no' }), { n: 1 }, { class: 'execution' }],
    ['a result that is not as declared', async () => ok({ no: 1 }), { n: 1 }, { class: 'result', paths: ['/ok'] }],
    ['a result that is too large', async () => ok({ ok: 'x'.repeat(300_000) }), { n: 1 }, { class: 'result' }],
    ['an unknown end', async () => ({ type: 'unknown', message: '?' }), { n: 1 }, { class: 'unknown' }],
    [
      'a refusal',
      async () => ({ type: 'refused', reasons: [{ code: 'policy.no', message: 'no', data: {} }] }),
      { n: 1 },
      { class: 'refused', reasons: [{ code: 'policy.no' }] },
    ],
    [
      'a secret that the kit does not have',
      async () => ok({ ok: 1 }),
      { n: 1, key: { $secret: 'none' } },
      { class: 'arguments' },
    ],
  ])('with %s is an error of its class', async (_, call, args, failure) => {
    expect((await once(call, args)).said).toMatchObject([failure]);
  });

  test('gives its result to the chart, and names the call by a key that is always the same', async () => {
    const keys: string[] = [];
    const { said: all } = await once(async (_, { key }) => {
      keys.push(key);
      return ok({ ok: true });
    });
    expect(all).toEqual([{ ok: true }]);
    expect(keys).toEqual([`${A}/call/2.0`]);
  });

  test('to a tool that is not registered is unknown; to one that is not granted is not made', async () => {
    const { said: all } = await once(async () => ok({ ok: 1 }), { n: 1 }, { agents: [CALLER], tools: [] });
    expect(all).toMatchObject([{ class: 'unknown', reason: 'not-registered' }]);
    const bare = { ...CALLER, grant: { tools: [] } };
    expect((await once(async () => ok({ ok: 1 }), { n: 1 }, { agents: [bare] })).said).toMatchObject([
      { reason: 'not-granted', target: T },
    ]);
  });

  test('whose state is left is stopped; its late result moves nothing', async () => {
    let finish: (outcome: ToolOutcome) => void = () => undefined;
    let aborted = false;
    const call: AgentTool['call'] = (_, { signal }) => {
      signal.addEventListener('abort', () => {
        aborted = true;
      });
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const { host } = world({ agents: [CALLER], tools: [tool(call)] });
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go', data: { n: 1 } });
    await host.send(A, { name: 'leave' });
    expect(aborted).toBe(true);
    finish(ok({ ok: 1 }));
    await host.settled();
    expect(await said(host)).toEqual([]);
  });

  test('gets a secret by name; neither the journal nor the chart has it', async () => {
    let got: Json = null;
    const secrets = { token: () => 'very-hidden-value' };
    const { journal, said: all } = await once(
      async (args) => {
        got = args['key'] ?? null;
        return ok({ ok: `echo ${JSON.stringify(args['key'])}` });
      },
      { n: 1, key: { $secret: 'token' } },
      { agents: [CALLER], secrets },
    );
    expect(got).toBe('very-hidden-value');
    expect(all).toEqual([{ ok: 'echo "[$secret token]"' }]);
    expect(JSON.stringify(await collect(journal.readAll()))).not.toContain('very-hidden-value');
  });

  test.each<[string, () => string, object]>([
    ['of the type that the tool wants', () => 'k-1234', { ok: 6 }],
    ['of another form', () => 'k', { class: 'arguments', paths: ['/key'] }],
    [
      'that the kit does not give for this',
      () => Promise.reject(new Error('not for this tool')) as never,
      { message: 'not for this tool' },
    ],
  ])('checks what the tool gets, not the reference to it: a secret %s', async (_, secret, outcome) => {
    const uses: unknown[] = [];
    const typed = createTool({
      iri: T,
      arguments: { type: 'object', properties: { key: { type: 'string', minLength: 2 } }, required: ['key'] },
      call: ({ key }) => ({ ok: (key as string).length }),
    });
    const secrets = {
      token: (use: unknown) => {
        uses.push(use);
        return secret();
      },
    };
    const { said: all } = await once(
      async () => ok(null),
      { key: { $secret: 'token' } },
      { agents: [CALLER], secrets, tools: [typed] },
    );
    expect(all).toMatchObject([outcome]);
    expect(uses).toMatchObject([{ tool: T, labels: { '': { trust: 'web' } } }]);
  });

  test('asked about after a restart brings no secret into the record either', async () => {
    const secrets = { token: () => 'very-hidden-value' };
    const stuck = tool(() => new Promise(() => undefined), {
      status: async () => ok({ ok: 'sent with very-hidden-value' }),
    });
    const made = world({ agents: [CALLER], tools: [stuck], secrets, host: 'one' });
    await made.host.spawn(A, 'agent');
    await made.host.send(A, { name: 'go', data: { n: 1, key: { $secret: 'token' } } });
    await made.host.close();
    const after = made.open();
    await after.state(A);
    await after.settled();
    expect(await said(after)).toEqual([{ ok: 'sent with [$secret token]' }]);
    expect(JSON.stringify(await collect(made.journal.readAll()))).not.toContain('very-hidden-value');
  });

  test('that waits for a person stays open and is made again after the answer, once', async () => {
    const inbox = createMemoryInbox();
    let calls = 0;
    const call: AgentTool['call'] = async (_, { key }) => {
      calls += 1;
      const subject = 'sha256:11' as const;
      const consumed = await inbox.consume(subject, { by: key });
      if (consumed.type === 'consumed') return ok({ ok: consumed.answer.choice });
      const { question } = await inbox.ask({
        id: 'q1',
        kind: 'confirmation',
        subject,
        title: 't',
        details: {},
        choices: ['allow', 'refuse'],
        askedBy: A,
        expiresAt: null,
      });
      return { type: 'pending', question };
    };
    const { host, open, journal } = await once(call, { n: 1 }, { agents: [CALLER], inbox });
    expect((await host.state(A)).calls).toMatchObject([{ pending: 'q1' }]);
    await host.close();
    const later = open({ tools: [tool(call)], inbox });
    await later.state(A);
    await inbox.answer({
      questionId: 'q1',
      subject: 'sha256:11',
      choice: 'allow',
      answeredBy: 'ann',
      answeredAt: '2026-01-01T00:00:00.000Z',
    });
    await eventually(async () => expect(await said(later)).toEqual([{ ok: 'allow' }]));
    expect(calls).toBe(2);
    expect((await collect(journal.read(`agents/${A}`))).map(({ id }) => id).slice(2)).toEqual([
      'pending:2.0:q1',
      'answered:2.0:q1',
      'result:2.0',
    ]);
  });
});

test('a tool that says what it takes needs somebody to check it', () => {
  const { schemas: _, ...unchecked } = CALLER;
  const make = (more: object) =>
    world({ agents: [unchecked], tools: [createTool({ iri: T, call: () => null, ...more })] });
  expect(() => make({})).not.toThrow();
  for (const typed of [{ arguments: { required: ['n'] } }, { result: { type: 'integer' } }])
    expect(() => make(typed)).toThrow(expect.objectContaining({ code: 'DECIDE_OPTIONS', data: { tool: T } }));
});

test.each<[string, unknown, object]>([
  ['without a label', { type: 'ok', result: { ok: 1 } }, { ok: 1 }],
  ['with a label that is none', { type: 'ok', result: { ok: 1 }, label: { trust: 'god', sources: 'me' } }, { ok: 1 }],
  ['of a kind that there is not', { type: 'maybe' }, { class: 'execution' }],
  ['that failed without a word', { type: 'failed' }, { class: 'execution' }],
  ['that waits for no question', { type: 'pending' }, { class: 'execution' }],
  ['that refuses for what is no data', { type: 'refused', reasons: [{ code: () => 1 }] }, { class: 'execution' }],
  ['that is nothing', null, { class: 'execution' }],
])('an outcome %s leaves no call open, and is trusted least', async (_, outcome, expected) => {
  const { host, journal } = await once(async () => outcome as ToolOutcome);
  expect(await said(host)).toMatchObject([expected]);
  const [entry] = (await collect(journal.readAll())).filter(({ type }) => type === 'agent.tool.result');
  const { input } = (entry?.data ?? {}) as { input: { data: { outcome: string; label?: unknown } } };
  if (input.data.outcome === 'ok') expect(input.data.label).toEqual({ trust: 'web', sources: [T] });
});

describe('a call that its host left behind', () => {
  async function left(more: Partial<AgentTool>) {
    const never: AgentTool['call'] = () => new Promise(() => undefined);
    const made = world({ agents: [CALLER], tools: [tool(never, more)], host: 'one' });
    await made.host.spawn(A, 'agent');
    await made.host.send(A, { name: 'go', data: { n: 1 } });
    await made.host.close();
    let calls = 0;
    const second = made.open({
      host: 'two',
      tools: [
        tool(async () => {
          calls += 1;
          return ok({ ok: 'again' });
        }, more),
      ],
    });
    await second.pump();
    await second.state(A);
    await second.settled();
    expect(calls).toBe(0);
    expect(await said(second)).toEqual([]);
    made.clock.advance(60_001);
    await second.pump();
    await second.settled();
    return { said: await said(second), calls, entries: await collect(made.journal.read(`agents/${A}`)) };
  }

  test('is taken over only after its lease, by an append, and its end is unknown', async () => {
    const { said: all, calls, entries } = await left({});
    expect(all).toMatchObject([{ class: 'unknown' }]);
    expect(calls).toBe(0);
    expect(entries.map(({ type }) => type)).toEqual([
      'agent.start',
      'agent.event',
      'agent.takeover',
      'agent.tool.result',
    ]);
  });

  test('is asked about where the tool can tell', async () => {
    const keys: string[] = [];
    const status = async (key: string) => {
      keys.push(key);
      return ok({ ok: 'was done' });
    };
    const { said: all, calls } = await left({ status });
    expect(all).toEqual([{ ok: 'was done' }]);
    expect(calls).toBe(0);
    expect(keys).toEqual([`${A}/call/2.0`]);
  });

  test.each([
    ['the tool never saw it', { status: async () => ({ type: 'never-seen' as const }) }],
    ['it may be repeated', { repeatable: true }],
  ])('is made where %s', async (_, more) => {
    const { said: all, calls } = await left(more);
    expect(all).toEqual([{ ok: 'again' }]);
    expect(calls).toBe(1);
  });
});

test('overlapping inputs replay in the order of the journal, whichever came first', async () => {
  const chart = definitionOf(`
data: { order: '' }
states:
  wait:
    entry: [{ send: { event: tool.call, target: '${T}', content: { value: { n: 1 } } } }, { send: { event: tick, delay: 10s } }]
    on:
      vt:reply: { do: [{ assign: { location: order, expr: ctx.order + 'T' } }] }
      human: { do: [{ assign: { location: order, expr: ctx.order + 'H' } }] }
      tick: { do: [{ assign: { location: order, expr: ctx.order + 'C' } }] }
`);
  const run = async (order: readonly ('tool' | 'human' | 'timer')[]) => {
    let finish: (outcome: ToolOutcome) => void = () => undefined;
    let calls = 0;
    const call: AgentTool['call'] = () => {
      calls += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const { host, clock, open } = world({ agents: [chart], tools: [tool(call)], journal: createMemoryJournal() });
    await host.spawn(A, 'agent');
    for (const one of order) {
      if (one === 'tool') finish(ok({ ok: 1 }));
      if (one === 'tool') await host.settled();
      if (one === 'human') await host.send(A, { name: 'human' });
      if (one === 'timer') clock.advance(10_000);
      if (one === 'timer') await host.pump();
    }
    const live = await host.state(A);
    expect(await open({ tools: [] }).state(A)).toEqual(live);
    expect(calls).toBe(1);
    return live.sessions[0]?.chart.data['order'];
  };
  expect(await run(['human', 'timer', 'tool'])).toBe('HCT');
  expect(await run(['tool', 'timer', 'human'])).toBe('TCH');
});

describe('a model call', () => {
  const LLM = definitionOf(`
data: { ticket: { text: 'printer on fire' }, said: [], kind: null }
states:
  idle: { on: { go: asking } }
  asking:
    invoke:
      type: 'vt:llm'
      id: m
      extensions:
        - { local: provider, attribute: p }
        - { local: model, attribute: m1 }
        - { local: template, attribute: 'Sort: {{context.ticket.text}} {{context.ticket}}' }
        - { local: output, attribute: '{ category: fire | water }' }
        - { local: retry, attribute: "3" }
        - { local: backoff, attribute: 1s }
    on:
      done.invoke.m: { target: idle, do: [{ assign: { location: kind, expr: ev.data.category } }] }
      error.llm: { target: idle, do: [{ assign: { location: said, expr: 'ctx.said + [ev.data.class]' } }] }
`);

  const result = { content: { category: 'fire' }, model: 'm', usage: { promptTokens: 1, completionTokens: 1 } };
  test.each<[string, unknown]>([
    ['a class that there is not', { type: 'failed', failure: { class: 'tired', retryAfterMs: 1 } }],
    ['no end to the wait', { type: 'failed', failure: { class: 'provider', retryAfterMs: Number.POSITIVE_INFINITY } }],
    ['a wait that is no number', { type: 'failed', failure: { class: 'provider', retryAfterMs: Number.NaN } }],
    ['a result without a model', { type: 'ok', result: { ...result, model: undefined, toolCalls: [] } }],
    ['tool calls that are no data', { type: 'ok', result: { ...result, toolCalls: [{ tool: 't' }] } }],
    ['tool calls of no tool', { type: 'ok', result: { ...result, toolCalls: [{ tool: 5, arguments: {} }] } }],
    ['arguments that are no object', { type: 'ok', result: { ...result, toolCalls: [{ tool: 't', arguments: [1] }] } }],
    ['nothing', undefined],
  ])('of a provider that says %s is a failure like others', async (_, answer) => {
    const once = { complete: async () => answer as never };
    const { host, clock } = world({ agents: [LLM], providers: { p: once } });
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go' });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await host.settled();
      clock.advance(24 * 60 * 60 * 1000);
      await host.pump();
    }
    await host.settled();
    expect(await said(host)).toEqual(['provider']);
  });

  test('is retried on durable timers, validated, counted and kept for replay', async () => {
    const p = createScriptedProvider([
      { failure: { class: 'rate-limited', retryAfterMs: 5000 } },
      { content: { category: 'earth' } },
      { content: { category: 'fire' }, usage: { promptTokens: 10, completionTokens: 2 } },
    ]);
    const { host, clock, open } = world({ agents: [LLM], providers: { p } });
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go' });
    await host.settled();
    expect(p.requests[0]).toMatchObject({
      prompt: 'Sort: printer on fire {"text":"printer on fire"}',
      model: 'm1',
      tools: [],
    });
    await host.close();
    const second = open();
    for (const wait of [4999, 1, 1999, 1]) {
      clock.advance(wait);
      await second.pump();
      await second.settled();
    }
    const state = await second.state(A);
    expect(p.requests).toHaveLength(3);
    expect(state.sessions[0]?.chart.data['kind']).toBe('fire');
    expect(state.usage.calls).toBe(2);
    expect(await open({ providers: {} }).state(A)).toEqual(state);
  });

  test.each([
    ['auth', { failure: { class: 'auth' as const } }],
    ['invalid-request', { failure: { class: 'invalid-request' as const } }],
  ])('is not retried for %s', async (failure, reply) => {
    const p = createScriptedProvider([reply]);
    const { host } = world({ agents: [LLM], providers: { p } });
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go' });
    await host.settled();
    expect((await host.state(A)).sessions[0]?.chart.data['said']).toEqual([failure]);
  });

  test('with a path in its template that is not there is not made', async () => {
    const bad = definitionOf(`
states:
  a:
    invoke: { type: 'vt:llm', id: m, extensions: [{ local: provider, attribute: p }, { local: template, attribute: '{{context.none}}' }] }
    on: { error.llm: { cond: ev.data.class == 'invalid-request' && ev.data.path == 'context.none', target: z } }
  z: { type: final }
`);
    const p = createScriptedProvider([]);
    const { host } = world({ agents: [bad], providers: { p } });
    await host.spawn(A, 'agent');
    expect((await host.state(A)).status).toBe('done');
    expect(p.requests).toEqual([]);
  });

  test('of a provider that is not there is of its own class', async () => {
    const { host } = world({ agents: [LLM], providers: {} });
    await host.spawn(A, 'agent');
    await host.send(A, { name: 'go' });
    await host.settled();
    expect((await host.state(A)).sessions[0]?.chart.data['said']).toEqual(['unknown-provider']);
  });
});
