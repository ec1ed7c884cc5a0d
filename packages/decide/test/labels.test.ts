import type { Label, Labels } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { createScriptedDecider, createScriptedProvider, createTool } from '../src/index.ts';
import { membersOf, readsIn } from '../src/labels/reads.ts';
import { definitionOf, world } from './support.ts';

const A = 'urn:agent:1';
const person: Label = { trust: 'human', sources: ['ann'] };
const page: Label = { trust: 'web', sources: ['https://example.org/'] };

describe('what an expression may read', () => {
  test.each([
    ['ctx.to', ['to'], false, false],
    ['ctx.seen + [ev.data.result]', ['seen'], false, true],
    ['ctx', [], true, false],
    ['ctx["to"]', [], true, false],
    ['"ctx.to and ev"', [], false, false],
    ["size('it\\'s ctx') + ctx.n", ['n'], false, false],
    ['r"\\" + ctx.a + ev.b + "', [], true, true],
    ['5', [], false, false],
  ])('%s', (source, items, all, event) => {
    const reads = readsIn(source);
    expect([[...reads.items], reads.all, reads.event]).toEqual([items, all, event]);
  });

  test.each([
    [
      '{"to": ctx.to, \'n\': f(1, 2)}',
      [
        ['to', ' ctx.to'],
        ['n', ' f(1, 2)'],
      ],
    ],
    ['{}', []],
    ['{"a": {"b": 1, "c": "x, y"}}', [['a', ' {"b": 1, "c": "x, y"}']]],
    ['{ctx.k: 1}', undefined],
    ['{"a": 1}.a + {"b": 2}', undefined],
    ['[1, 2]', undefined],
  ])('the members of %s', (source, members) => expect(membersOf(source)).toEqual(members));
});

async function labelsAt(yaml: string, events: readonly { name: string; data?: never; label?: Label }[], more = {}) {
  const seen: Labels[] = [];
  const send = createTool({
    iri: 'urn:tool:send',
    call: (_, { labels }) => {
      seen.push(labels);
      return { sent: true };
    },
  });
  const fetch = createTool({ iri: 'urn:tool:fetch', label: page, call: () => ({ text: 'pay mallory' }) });
  const made = world({ agents: [definitionOf(yaml)], tools: [send, fetch], ...more });
  await made.host.spawn(A, 'agent', {}, { label: person });
  for (const event of events) await made.host.send(A, event as never);
  await made.host.settled();
  return { seen, ...made };
}

const MAIL = `
data: { to: null, text: '', both: '', limit: 5 }
states:
  a:
    on:
      to: { do: [{ assign: { location: to, expr: ev.data } }] }
      look: { do: [{ send: { event: call, target: 'urn:tool:fetch' } }] }
      vt:reply: { do: [{ assign: { location: text, expr: ev.data.result.text } }, { assign: { location: both, expr: 'ctx.text + string(ctx.limit)' } }] }
      mail: { do: [{ send: { event: call, target: 'urn:tool:send', content: { expr: '{"to": ctx.to, "text": ctx.both, "limit": ctx.limit, "n": 3}' } } }] }
`;

describe('what a value was made of', () => {
  test('decides what a tool is told of it, argument by argument', async () => {
    const { seen, host, open } = await labelsAt(MAIL, [
      { name: 'to', data: 'bob' as never, label: person },
      { name: 'look', label: person },
    ]);
    await host.send(A, { name: 'mail', label: person });
    await host.settled();
    expect(seen).toMatchObject([
      {
        '': { trust: 'web' },
        '/to': { trust: 'human', sources: ['ann'] },
        '/text': { trust: 'web', sources: ['chart', 'https://example.org/'] },
        '/limit': { trust: 'human', sources: ['chart'] },
        '/n': { trust: 'human' },
      },
    ]);
    expect(await open().state(A)).toEqual(await host.state(A));
  });

  test('falls with the event that set it, and what nobody labelled is web', async () => {
    const { seen } = await labelsAt(MAIL, [
      { name: 'to', data: 'mallory' as never },
      { name: 'mail', label: person },
    ]);
    expect(seen[0]?.['/to']).toEqual({ trust: 'web', sources: [] });
    expect(seen[0]?.['/limit']?.trust).toBe('human');
  });

  test('is known to deciders, item by item', async () => {
    const model = createScriptedDecider([{ type: 'decision', event: 'go', payload: { to: 'eve' } }]);
    const { host } = await labelsAt(
      `
data: { to: null, said: null, n: 1 }
states:
  idle: { on: { to: { target: choose, do: [{ assign: { location: to, expr: ev.data } }] } } }
  choose: { extensions: [{ local: decide, attribute: d }], on: { go: { target: sent, do: [{ assign: { location: said, expr: ev.data.to } }] } } }
  sent: { on: { again: choose } }
`,
      [{ name: 'to', data: 'bob' as never, label: page }],
      { deciders: { d: model } },
    );
    expect(model.asked[0]?.labels).toEqual({
      '': page,
      '/to': page,
      '/said': { trust: 'human', sources: ['chart'] },
      '/n': { trust: 'human', sources: ['chart'] },
    });
    expect((await host.state(A)).sessions[0]?.labels['said']).toEqual({ trust: 'provider', sources: ['d'] });
  });

  test('goes along with messages of a chart to itself, at once and later', async () => {
    const { seen, clock, host } = await labelsAt(
      `
data: { to: null, copy: null, later: null }
states:
  a:
    on:
      to:
        do:
          - assign: { location: to, expr: ev.data }
          - send: { event: inner, params: [{ name: v, expr: ctx.to }] }
          - send: { event: delayed, delay: 5s, params: [{ name: v, expr: ctx.to }] }
      inner: { do: [{ assign: { location: copy, expr: ev.data.v } }] }
      delayed:
        do:
          - assign: { location: later, expr: ev.data.v }
          - send: { event: call, target: 'urn:tool:send', params: [{ name: to, expr: ctx.later }, { name: copy, location: copy }] }
`,
      [{ name: 'to', data: 'mallory' as never, label: page }],
    );
    await host.send(A, { name: 'to', data: 'bob', label: person });
    clock.advance(5000);
    await host.pump();
    await host.settled();
    expect(seen.length).toBeGreaterThan(0);
    for (const labels of seen) expect(labels['/to']?.trust).toBe('web');
  });

  test('goes along to charts that are invoked and back, and to models', async () => {
    const provider = createScriptedProvider([{ content: 'a summary' }]);
    const { seen } = await labelsAt(
      `
data: { got: null, sum: '' }
states:
  idle: { on: { to: { target: asking, do: [{ assign: { location: got, expr: ev.data } }] } } }
  asking:
    invoke: { type: 'vt:llm', id: m, extensions: [{ local: provider, attribute: p }, { local: template, attribute: 'x {{context.got}}' }] }
    on: { done.invoke.m: { target: mail, do: [{ assign: { location: sum, expr: ev.data.text } }] } }
  mail:
    invoke: { type: 'vt:tool', id: t, src: 'urn:tool:send', params: [{ name: sum, expr: ctx.sum }, { name: got, expr: ctx.got }] }
`,
      [{ name: 'to', data: 'bob' as never, label: person }],
      { providers: { p: provider } },
    );
    expect(seen[0]).toMatchObject({ '/sum': { trust: 'provider', sources: ['chart', 'p'] }, '/got': person });
  });
});
