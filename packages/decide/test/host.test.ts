import { createMemoryInbox, type Decider, digest, type Journal, WarrantError } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { describe, expect, test } from 'vitest';
import {
  createHumanDecider,
  createMemoryTimerIndex,
  createScriptedDecider,
  createTool,
  explore,
  firstEnabled,
  recordOf,
} from '../src/index.ts';
import { collect } from './collect.ts';
import { definitionOf, eventually, withAppend, world } from './support.ts';

const A = 'urn:agent:1';
const REVIEW = definitionOf(`
data: { said: [], n: 0 }
states:
  review:
    extensions:
      - { local: decide, attribute: first }
      - { local: deadline, attribute: 30s }
      - { local: fallback, attribute: second }
    on:
      approve: done
      reject: done
      note: { do: [{ assign: { location: n, expr: ctx.n + 1 } }] }
      error.decide.invalid: { do: [{ assign: { location: said, expr: 'ctx.said + [ev.data.reason]' } }] }
  done: { type: final, donedata: { params: [{ name: said, expr: ctx.said }] } }
`);
/** Never answers by itself. */
const silent: Decider = { kind: 'human', decide: () => new Promise(() => undefined) };

async function typesOf(journal: Journal, actor = A): Promise<readonly string[]> {
  return (await collect(journal.read(`agents/${actor}`))).map(({ id, type }) => `${id} ${type.slice(6)}`);
}

describe('a host', () => {
  test('runs an agent by a rule; another one reads the same state and asks nobody', async () => {
    const { host, journal, open } = world({
      agents: [REVIEW],
      deciders: { first: firstEnabled('reject'), second: silent },
    });
    expect(await host.spawn(A, 'agent')).toEqual({ type: 'applied', position: 1 });
    await host.settled();
    const state = await host.state(A);
    expect(state.status).toBe('done');
    expect(await typesOf(journal)).toEqual(['start start', '1.0 decision']);
    const second = open({ deciders: {} });
    expect(await second.state(A)).toEqual(state);
    expect(await second.send(A, { name: 'note' })).toEqual({ type: 'ended' });
  });

  test('starts nothing for a chart whose decider or fallback is not bound', async () => {
    const { host, journal } = world({ agents: [REVIEW], deciders: { first: silent } });
    await expect(host.spawn(A, 'agent')).rejects.toMatchObject({
      code: 'DECIDE_UNKNOWN_DECIDER',
      data: { decider: 'second' },
    });
    expect(await journal.streams()).toEqual([]);
  });

  test('drops a second answer, equal or not, and a message of a known id', async () => {
    const { host, journal, open } = world({ agents: [REVIEW], deciders: { first: silent, second: silent } });
    await host.spawn(A, 'agent');
    const offer = `${A}/decision/1.0`;
    expect(await host.answer(offer, { type: 'decision', event: 'note', payload: 1 })).toEqual({
      type: 'applied',
      position: 2,
    });
    for (const other of [host, open()]) {
      expect(await other.answer(offer, { type: 'decision', event: 'note', payload: 1 })).toEqual({
        type: 'already-answered',
      });
      expect(await other.answer(offer, { type: 'decision', event: 'reject', payload: null })).toEqual({
        type: 'already-answered',
      });
      expect(await other.answer(offer, { type: 'refusal', reason: 'x' })).toEqual({ type: 'already-answered' });
    }
    expect(await host.send(A, { name: 'note', id: 'm1' })).toMatchObject({ type: 'applied' });
    expect(await host.send(A, { name: 'note', id: 'm1' })).toEqual({ type: 'duplicate' });
    expect((await host.state(A)).sessions[0]?.chart.data['n']).toBe(2);
    expect(await typesOf(journal)).toEqual(['start start', '1.0 decision', 'event:m1 event']);
  });

  test('lets no made-up answer use up the id of a later offer', async () => {
    const { host } = world({ agents: [REVIEW], deciders: { first: silent, second: silent } });
    await host.spawn(A, 'agent');
    expect(await host.answer(`${A}/decision/3.0`, { type: 'decision', event: 'note', payload: null })).toMatchObject({
      type: 'applied',
    });
    expect(await host.answer(`${A}/decision/1.0`, { type: 'decision', event: 'note', payload: null })).toMatchObject({
      position: 3,
    });
    expect(await host.answer(`${A}/decision/3.0`, { type: 'decision', event: 'reject', payload: null })).toMatchObject({
      type: 'applied',
    });
    expect((await host.state(A)).result).toEqual({ said: ['stale'] });
  });

  test('keeps a deadline across being dropped from memory and across hosts', async () => {
    const second = createScriptedDecider([{ type: 'decision', event: 'approve', payload: null }]);
    const { host, clock, open, journal } = world({ agents: [REVIEW], deciders: { first: silent, second } });
    await host.spawn(A, 'agent');
    await host.deactivate(A);
    await host.close();
    clock.advance(29_999);
    const later = open();
    await later.pump();
    expect((await later.state(A)).status).toBe('running');
    clock.advance(1);
    await later.pump();
    await later.settled();
    expect(second.asked).toMatchObject([{ correlation: `${A}/decision/2.0`, fallback: true, binding: 'second' }]);
    expect((await later.state(A)).status).toBe('done');
    expect(await typesOf(journal)).toEqual(['start start', 'timer:deadline:1.0 timer', '2.0 decision']);
    expect(await later.pump()).toBe(0);
  });

  test('fires a timer that was due, though the clock has gone back since', async () => {
    const second = createScriptedDecider([{ type: 'decision', event: 'approve', payload: null }]);
    const { host, clock, open, journal } = world({ agents: [REVIEW], deciders: { first: silent, second } });
    await host.spawn(A, 'agent');
    await host.close();
    const timers = createMemoryTimerIndex();
    const later = open({
      timers: {
        ...timers,
        due: async (until, limit) => {
          const due = await timers.due(until, limit);
          if (due.length > 0) clock.advance(-60_000);
          return due;
        },
      },
    });
    clock.advance(30_000);
    await later.pump();
    await later.settled();
    expect((await later.state(A)).status).toBe('done');
    expect(await typesOf(journal)).toEqual(['start start', 'timer:deadline:1.0 timer', '2.0 decision']);
  });

  test('takes what is thrown or no answer at all for a refusal', async () => {
    const bad: Decider = { kind: 'custom', decide: () => Promise.reject(new Error('boom')) };
    const worse = { kind: 'custom', decide: async () => 'approve' } as unknown as Decider;
    for (const first of [bad, worse]) {
      const { host, journal } = world({ agents: [REVIEW], deciders: { first, second: silent } });
      await host.spawn(A, 'agent');
      await host.settled();
      expect(await typesOf(journal)).toEqual(['start start', '1.0 refusal']);
    }
  });

  test('gives a decider nothing by which it could reach the agent', async () => {
    const meddler: Decider = {
      kind: 'custom',
      decide: async (request) => {
        (request.context as { n: number }).n = 99;
        (request.candidates as unknown as { event: string }[]).push({ event: 'hack' });
        return { type: 'decision', event: 'hack', payload: null };
      },
    };
    const { host } = world({ agents: [REVIEW], deciders: { first: meddler, second: silent } });
    await host.spawn(A, 'agent');
    await host.settled();
    expect((await host.state(A)).sessions[0]?.chart.data).toEqual({ said: ['not-a-candidate'], n: 0 });
  });

  test('does nothing before the append is acknowledged, and nothing when it fails', async () => {
    const journal = createMemoryJournal();
    const first = createScriptedDecider([]);
    const failing = withAppend(journal, () =>
      Promise.reject(new WarrantError('JOURNAL_UNAVAILABLE', 'down', { retryable: true })),
    );
    const { host } = world({ agents: [REVIEW], journal: failing, deciders: { first, second: silent } });
    await expect(host.spawn(A, 'agent')).rejects.toMatchObject({ code: 'JOURNAL_UNAVAILABLE' });
    await host.settled();
    expect(first.asked).toEqual([]);
  });

  test('goes on after a commit whose end was unknown, whether it was stored or not', async () => {
    const journal = createMemoryJournal();
    let stored = 0;
    const shaky = withAppend(journal, async (...given) => {
      stored += 1;
      if (stored % 3 === 1) await journal.append(...given);
      if (stored % 3 !== 0) throw new WarrantError('JOURNAL_OUTCOME_UNKNOWN', 'cut', { retryable: true });
      return journal.append(...given);
    });
    const first = createScriptedDecider([
      { type: 'decision', event: 'note', payload: null },
      { type: 'decision', event: 'approve', payload: null },
    ]);
    const { host } = world({ agents: [REVIEW], journal: shaky, deciders: { first, second: silent } });
    await host.spawn(A, 'agent');
    await host.settled();
    expect((await host.state(A)).status).toBe('done');
    expect(await typesOf(journal)).toEqual(['start start', '1.0 decision', '2.0 decision']);
    expect(first.asked).toHaveLength(2);
  });
});

test('two hosts on one journal take each input once, and the loser of a race goes on', async () => {
  const { host, journal, open } = world({ agents: [REVIEW], deciders: { first: silent, second: silent } });
  const other = open();
  await host.spawn(A, 'agent');
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      [host, other][index % 2]?.send(A, { name: 'note', id: `m${Math.floor(index / 2)}` }),
    ),
  );
  expect(sent.filter((one) => one?.type === 'applied')).toHaveLength(20);
  expect(sent.filter((one) => one?.type === 'duplicate')).toHaveLength(20);
  expect((await host.state(A)).sessions[0]?.chart.data['n']).toBe(20);
  expect(await other.state(A)).toEqual(await host.state(A));
  expect(await typesOf(journal)).toHaveLength(21);
});

test('two agents may run by one chart, each with a grant of its own; nothing of a kit has the name of another', async () => {
  const yaml = `
data: { said: [] }
states:
  a:
    entry: [{ send: { event: hello, target: 'urn:agent:other' } }]
    on: { error: { do: [{ assign: { location: said, expr: 'ctx.said + [ev.data.reason]' } }] } }
`;
  const one = { ...definitionOf(yaml, 'one'), grant: { targets: ['urn:agent:other'] } };
  const two = definitionOf(yaml, 'two');
  const { host, open } = world({ agents: [one, two] });
  for (const [agent, reason] of [
    ['one', 'unknown-actor'],
    ['two', 'not-granted'],
  ] as const) {
    await host.spawn(`urn:agent:${agent}`, agent);
    await host.settled();
    for (const any of [host, open({ agents: [two, one] }), open({ agents: [two] })])
      expect((await any.state(`urn:agent:${agent}`)).sessions[0]?.chart.data['said']).toEqual([reason]);
  }
  const tool = createTool({ iri: 'urn:tool:t', call: () => 1 });
  for (const more of [{ agents: [one, { ...two, name: 'one' }] }, { tools: [tool, { ...tool }] }])
    expect(() => open(more)).toThrow(expect.objectContaining({ code: 'DECIDE_OPTIONS' }));
});

test('a question to people stays as it was first asked, whatever the agent learns and whoever opens it again', async () => {
  const agent = definitionOf(`
data: { by: clerk }
states:
  ask:
    extensions: [{ local: decide, attribute: boss }]
    on: { approve: done, handed: { do: [{ assign: { location: by, expr: ev.data } }] } }
  done: { type: final }
`);
  const inbox = createMemoryInbox();
  let asked = 0;
  const boss = createHumanDecider({
    inbox,
    askedBy: ({ context }) => context['by'] as string,
    expiresAt: () => {
      asked += 1;
      return `2099-01-01T00:00:0${asked}.000Z`;
    },
  });
  const { host, open } = world({ agents: [agent], deciders: { boss } });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'handed', data: 'ann' });
  await host.close();
  const second = open();
  expect((await second.state(A)).slots).toMatchObject([{ status: 'open', correlation: '1.0' }]);
  await eventually(async () => expect(asked).toBe(2));
  const [question] = await inbox.pending();
  if (question === undefined) throw new Error('nothing is asked');
  const say = (answeredBy: string) =>
    inbox.answer({
      questionId: question.id,
      subject: question.subject,
      choice: 'approve',
      answeredBy,
      answeredAt: '2026-01-01T00:00:00.000Z',
    });
  expect([(await say('clerk')).type, (await say('ann')).type]).toEqual(['forbidden', 'answered']);
  await eventually(async () => expect((await second.state(A)).status).toBe('done'));
});

test('a review loop asks and notifies once a round, also when the host is opened anew between the answers', async () => {
  const TOOL = 'urn:tool:notify';
  let told = 0;
  const agent = definitionOf(`
states:
  ask:
    extensions: [{ local: decide, attribute: person }]
    entry: [{ send: { event: tool.call, target: ${TOOL} } }]
    on: { revise: ask, approve: done }
  done: { type: final }
`);
  const inbox = createMemoryInbox();
  const { journal, open } = world({
    agents: [agent],
    deciders: { person: createHumanDecider({ inbox }) },
    tools: [
      {
        iri: TOOL,
        arguments: {},
        result: {},
        digest: digest('t'),
        repeatable: false,
        call: async () => {
          told += 1;
          return { type: 'ok', result: told, label: { trust: 'tool', sources: [] } };
        },
      },
    ],
  });
  for (const choice of ['start', 'revise', 'revise', 'approve']) {
    const host = open();
    if (choice === 'start') await host.spawn(A, 'agent');
    else {
      await host.state(A);
      await eventually(async () => expect(await inbox.pending()).toHaveLength(1));
      const [question] = await inbox.pending();
      if (question === undefined) throw new Error('nothing is asked');
      expect(question.choices).toEqual(['revise', 'approve', '$refuse']);
      await inbox.answer({
        questionId: question.id,
        subject: question.subject,
        choice,
        answeredBy: 'ann',
        answeredAt: '2026-01-01T00:00:00.000Z',
      });
      await eventually(async () => expect((await host.state(A)).accepted['ask']).toBeGreaterThan(0));
      await eventually(async () => expect(await inbox.pending()).toHaveLength(choice === 'approve' ? 0 : 1));
    }
    await host.settled();
    await host.close();
  }
  const entries = await collect(journal.read(`agents/${A}`));
  const facts = entries.flatMap((entry) => {
    const record = recordOf(entry);
    return record.type === 'input' ? record.facts : [];
  });
  expect(told).toBe(3);
  expect(new Set(facts.flatMap((fact) => (fact.type === 'offered' ? [fact.correlation] : []))).size).toBe(3);
  expect((await open({ deciders: {} }).state(A)).status).toBe('done');
  expect(told).toBe(3);
});

test('one stream that no agent wrote keeps nobody else from its deadline', async () => {
  const faults: unknown[] = [];
  const onFault = ({ actor, error }: { actor: string; error: unknown }) =>
    faults.push([actor, error instanceof WarrantError ? error.code : error]);
  const { host, journal, clock } = world({ agents: [REVIEW], deciders: { first: silent, second: silent }, onFault });
  await host.spawn('urn:agent:damaged', 'agent');
  await host.spawn(A, 'agent');
  const foreign = { id: 'x', type: 'note', schemaVersion: 1, data: null };
  await journal.append('agents/urn:agent:damaged', [foreign], { expected: 'any' });
  clock.advance(30_000);
  await host.pump();
  expect((await host.state(A)).slots[0]).toMatchObject({ fallback: true });
  const damaged = ['urn:agent:damaged', 'DECIDE_JOURNAL_DAMAGED'];
  expect(faults).toEqual([damaged, damaged]);
  await host.pump();
  expect(faults).toHaveLength(2);
  clock.advance(5000);
  await host.pump();
  expect(faults).toHaveLength(3);
});

test('a run can be looked at from any position, and alternatives tried without doing anything', async () => {
  const { host, journal } = world({ agents: [REVIEW], deciders: { first: silent, second: silent } });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'note' });
  const machine = await host.machineOf(A);
  const at = '2026-01-01T00:00:00.000Z';
  const answer = (event: string) => ({
    type: 'decision' as const,
    at,
    data: { correlation: '1.0', event, payload: null },
  });
  const [approved, wrong] = await explore(journal, machine, A, 1, [[answer('approve')], [answer('nothing')]]);
  expect(approved?.state.status).toBe('done');
  expect(wrong?.facts).toContainEqual(expect.objectContaining({ reason: 'not-a-candidate' }));
  expect(await typesOf(journal)).toHaveLength(2);
  await expect(explore(journal, machine, A, 9, [])).rejects.toMatchObject({ code: 'DECIDE_POSITION' });
});

test('a text is never cut through a sign: neither the names of an offer nor the reason of a refusal', async () => {
  const name = `${'a'.repeat(79)}😀b`;
  const agent = definitionOf(`
data: { why: null }
states:
  a:
    extensions: [{ local: decide, attribute: d }]
    on: { '${name}': b, vt.decide.refused: { target: b, do: [{ assign: { location: why, expr: ev.data.reason } }] } }
  b: {}
`);
  const d = createScriptedDecider([{ type: 'refusal', reason: `${'x'.repeat(499)}😀` }]);
  const { host } = world({ agents: [agent], deciders: { d } });
  await host.spawn(A, 'agent');
  await host.settled();
  expect((await host.state(A)).sessions[0]?.chart.data['why']).toBe(`${'x'.repeat(499)}\uFFFD`);
});

test('a fork that was cut short is finished by forking again, so that no deadline is lost', async () => {
  const { host, journal, clock } = world({
    agents: [REVIEW],
    deciders: { first: silent, second: firstEnabled('reject') },
  });
  await host.spawn(A, 'agent');
  await journal.fork(`agents/${A}`, 1, 'agents/urn:agent:fork');
  expect(await host.fork(A, 1, 'urn:agent:fork')).toEqual({ type: 'forked' });
  expect(await host.fork(A, 1, 'urn:agent:fork')).toEqual({ type: 'exists' });
  await host.send(A, { name: 'note' });
  expect(await host.fork(A, 2, A)).toEqual({ type: 'exists' });
  clock.advance(60_000);
  await host.pump();
  await host.settled();
  expect((await host.state('urn:agent:fork')).status).toBe('done');
});

test('a fork keeps its open offer under its own name and leaves the first run alone', async () => {
  const { host, journal, clock, open } = world({
    agents: [REVIEW],
    deciders: { first: silent, second: firstEnabled('reject') },
  });
  await host.spawn(A, 'agent');
  await host.send(A, { name: 'note' });
  expect(await host.fork(A, 1, 'urn:agent:fork', [{ name: 'note' }])).toEqual({ type: 'forked' });
  expect(await host.fork(A, 9, 'urn:agent:other')).toEqual({ type: 'no-such-position', head: 2 });
  const before = await host.state(A);
  expect(
    await host.answer('urn:agent:fork/decision/1.0', { type: 'decision', event: 'approve', payload: null }),
  ).toMatchObject({ type: 'applied' });
  expect((await host.state('urn:agent:fork')).status).toBe('done');
  expect(await host.state(A)).toEqual(before);
  expect(await host.fork(A, 2, 'urn:agent:late')).toEqual({ type: 'forked' });
  await host.close();
  clock.advance(60_000);
  const later = open();
  await later.pump();
  await later.settled();
  expect((await later.state('urn:agent:late')).status).toBe('done');
  expect((await collect(journal.read('agents/urn:agent:late'))).length).toBeGreaterThan(2);
});

test('alternatives tell all that would have been done on the way, and take inputs only', async () => {
  const agent = definitionOf(`
data: { n: 0 }
states:
  ask: { extensions: [{ local: decide, attribute: d }], on: { call: { target: calling, do: [{ send: { event: x, target: 'urn:tool:t' } }] } } }
  calling: { on: { vt:reply: { target: again, do: [{ assign: { location: n, expr: ev.data.result } }] } } }
  again: { extensions: [{ local: decide, attribute: d }], on: { stop: end } }
  end: { type: final }
`);
  const tool = createTool({ iri: 'urn:tool:t', call: () => 1 });
  const { host, journal } = world({ agents: [agent], deciders: { d: silent }, tools: [tool] });
  await host.spawn(A, 'agent');
  const machine = await host.machineOf(A);
  const at = '2026-01-01T00:00:00.000Z';
  const call = {
    type: 'decision',
    at,
    data: { correlation: `${A}/decision/1.0`, event: 'call', payload: null },
  } as const;
  const label = { trust: 'tool', sources: [] } as const;
  const result = { type: 'tool.result', at, data: { effect: '2.0', outcome: 'ok', result: 7, label } } as const;
  const refusal = { type: 'refusal', at, data: { correlation: '3.0', reason: 'no' } } as const;
  const [tried] = await explore(journal, machine, A, 1, [[call, result, refusal]]);
  expect(tried?.state.sessions[0]?.chart).toMatchObject({ configuration: ['again'], data: { n: 7 } });
  expect(tried?.effects).toMatchObject({
    calls: [{ effect: '2.0', tool: 'urn:tool:t' }],
    goneCalls: ['2.0'],
    asks: [{ correlation: '3.0' }],
    goneAsks: [{ correlation: '1.0' }, { correlation: '3.0' }],
  });
  for (const other of [null, {}, { type: 'event', at }, { ...call, at: 'soon' }, { type: 'note', at, data: {} }])
    await expect(explore(journal, machine, A, 1, [[other as never]])).rejects.toMatchObject({ code: 'DECIDE_INPUT' });
});
