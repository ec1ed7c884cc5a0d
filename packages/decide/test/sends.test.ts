import type { Grant } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { timersOf } from '../src/index.ts';
import { event, GRANT, type Machine, start } from './support.ts';

const T = 'urn:tool:t';
const SEEN = "{ do: [{ assign: { location: seen, expr: 'ctx.seen + [ev]' } }] }";
const heard = (one: Machine) => one.data('seen') as readonly Record<string, unknown>[];
const ALL: Grant = { targets: ['*'], tools: ['*'], deciders: ['*'], functions: ['*'] };

/** The root sends something when it is told to. */
const sender = (send: string) => `
data: { seen: [], secret: 0 }
states:
  a:
    on:
      go: { do: [{ send: { event: x, ${send} } }] }
      keep: { do: [{ assign: { location: secret, expr: ev.data } }] }
      x: ${SEEN}
      error.*: ${SEEN}
`;
const sent = (send: string, grant: Partial<Grant> = {}, tools: readonly string[] = [T]) => {
  const one = start(sender(send), { tools, grant: { ...GRANT, ...grant } });
  one.take(event('go'));
  return one;
};

describe('a send', () => {
  test('to an actor is a call of its own, with the data and what they are trusted as', () => {
    const one = start(sender("id: s, target: 'urn:agent:b', content: { expr: ctx.secret }"), { grant: ALL });
    one.take({ type: 'event', data: { name: 'keep', data: 7, label: { trust: 'tool', sources: ['urn:w'] } } });
    one.take(event('go'));
    const call = { kind: 'message', effect: '3.0', session: 'root', invoke: null, sendid: 's', target: 'urn:agent:b' };
    expect(one.state.calls).toEqual([{ ...call, event: 'x', data: 7, label: { trust: 'tool', sources: ['urn:w'] } }]);
    expect(one.facts).toContainEqual({ type: 'called', effect: '3.0', kind: 'message', name: 'urn:agent:b' });
  });

  test('to a tool calls it, with the data as arguments', () => {
    const one = sent(`id: s, target: '${T}', params: [{ name: n, expr: '1' }]`, { tools: [T] });
    expect(one.state.calls).toMatchObject([
      {
        kind: 'tool',
        effect: '2.0',
        session: 'root',
        invoke: null,
        sendid: 's',
        tool: T,
        arguments: { n: 1 },
        pending: null,
      },
    ]);
    expect(one.facts).toContainEqual({ type: 'called', effect: '2.0', kind: 'tool', name: T });
  });

  test('that names itself nothing is known by no name', () => {
    expect(sent(`target: '${T}'`, { tools: [T] }).state.calls).toMatchObject([{ sendid: null }]);
    expect(sent("target: 'urn:agent:b'", ALL).state.calls).toMatchObject([{ sendid: null }]);
  });

  test('to what is registered, or what the grant names, is to a tool, and to an actor otherwise', () => {
    const kinds = (grant: Partial<Grant>, tools: readonly string[]) =>
      sent("target: 'urn:x'", grant, tools).state.calls.map(({ kind }) => kind);
    expect(kinds({ tools: ['urn:x'] }, [])).toEqual(['tool']);
    expect(kinds({ tools: ['*'] }, ['urn:x'])).toEqual(['tool']);
    expect(kinds({ tools: ['*'], targets: ['urn:x'] }, [])).toEqual(['message']);
  });

  test('by a processor of another kind is to a function, which is granted by itself', () => {
    const send = "type: 'urn:f', target: 'urn:agent:b'";
    expect(sent(send, { functions: ['urn:f'] }).state.calls).toMatchObject([{ kind: 'tool', tool: 'urn:f' }]);
    const one = sent(send, { ...ALL, functions: [] });
    expect(one.state.calls).toEqual([]);
    expect(heard(one)).toMatchObject([
      { name: 'error.communication', data: { reason: 'not-granted', target: 'urn:f' } },
    ]);
    expect(one.facts).toContainEqual({
      type: 'not-granted',
      session: 'root',
      what: 'functions',
      name: 'urn:f',
      event: 'x',
    });
  });

  test.each([
    ["target: 'urn:agent:b'", 'targets', 'urn:agent:b'],
    [`target: '${T}'`, 'tools', T],
  ])('with %s that is not granted comes back by its name', (send, what, name) => {
    const one = sent(`id: s, ${send}`);
    expect(heard(one)).toMatchObject([
      { name: 'error.communication', sendid: 's', data: { reason: 'not-granted', target: name } },
    ]);
    expect(one.facts).toContainEqual({ type: 'not-granted', session: 'root', what, name, event: 'x' });
    expect(one.state.calls).toEqual([]);
    expect(heard(sent(send))[0]).toMatchObject({ sendid: null, invokeid: null });
  });

  test('by an invoke that is not granted comes back by the name of the invoke, and goes no further', () => {
    const one = start(
      `
data: { seen: [] }
states: { a: { invoke: { id: t, type: 'vt:tool', src: '${T}' }, on: { '*': ${SEEN} } } }
`,
      { tools: [T] },
    );
    expect(heard(one)).toMatchObject([{ name: 'error.communication', invokeid: 't', data: { target: T } }]);
  });

  test.each(['#_parent', '#_nobody'])('to %s of an agent that has none goes nowhere', (target) => {
    const one = start(sender(`targetexpr: ev.data`), { grant: ALL, tools: [] });
    one.take(event('go', target));
    expect(one.state.calls).toEqual([]);
    expect(one.facts.filter(({ type }) => type === 'not-granted')).toEqual([]);
  });
});

describe('what a tool is given is trusted as what it is made of', () => {
  const low = { trust: 'web', sources: ['urn:w'] } as const;
  const keep = (one: Machine) => one.take({ type: 'event', data: { name: 'keep', data: 7, label: low } });
  const labels = (one: Machine) => one.state.calls.map((call) => (call.kind === 'tool' ? call.labels : {}));

  test('by the send itself where there are several', () => {
    const one = start(
      `
data: { secret: 0, plain: 1 }
states:
  a:
    on:
      keep: { do: [{ assign: { location: secret, expr: ev.data } }] }
      go:
        do:
          - send: { event: x, target: '${T}', params: [{ name: n, expr: ctx.plain }] }
          - send: { event: y, target: '${T}', params: [{ name: n, expr: ctx.secret }] }
          - send: { event: x, target: 'urn:tool:u', params: [{ name: n, expr: ctx.secret }] }
`,
      { tools: [T, 'urn:tool:u'], grant: ALL },
    );
    keep(one);
    one.take(event('go'));
    expect(labels(one).map((of) => of['/n'])).toEqual([{ trust: 'human', sources: ['chart'] }, low, low]);
  });

  test('by all that it may have been where its event or its target is computed', () => {
    const computed = (send: string) => {
      const one = start(
        `
data: { secret: 0, plain: 1 }
states:
  a:
    on:
      keep: { do: [{ assign: { location: secret, expr: ev.data } }] }
      go: { do: [{ send: { event: x, target: '${T}', params: [{ name: n, expr: ctx.plain }] } }] }
      other: { do: [{ send: { ${send}, params: [{ name: n, expr: ctx.secret }] } }] }
`,
        { tools: [T], grant: ALL },
      );
      keep(one);
      one.take(event('go'));
      return labels(one)[0]?.['/n'];
    };
    expect(computed(`event: y, target: '${T}'`)).toEqual({ trust: 'human', sources: ['chart'] });
    expect(computed(`event: x, targetexpr: "'urn:z'"`)?.trust).toBe('web');
    expect(computed(`eventexpr: "'y'", target: '${T}'`)?.trust).toBe('web');
    expect(computed(`event: y, targetexpr: "'urn:z'"`)).toEqual({ trust: 'human', sources: ['chart'] });
  });

  describe('and where it goes out late', () => {
    const late = (param: string) => {
      const one = start(
        `
data: { secret: 0, plain: 1, given: 2 }
states:
  a:
    on:
      keep: { do: [{ assign: { location: secret, expr: ev.data } }] }
      go:
        do:
          - send: { event: x, delay: 1s, target: '${T}', params: [{ name: n, expr: ${param} }] }
          - assign: { location: secret, expr: '0' }
          - assign: { location: given, expr: '0' }
`,
        { tools: [T], grant: ALL },
      );
      keep(one);
      one.take({ type: 'event', data: { name: 'go', data: 7, label: low } });
      return fired(one);
    };
    const fired = (one: Machine) => {
      const [timer] = timersOf(one.state);
      one.take({ type: 'timer', at: '2026-01-01T00:00:01.000Z', data: { timer: timer?.timer ?? '' } });
      return labels(one).map((of) => of['/n']);
    };

    test.each(['ctx.secret', 'ev.data'])('as %s was, whatever has become of that', (param) => {
      expect(late(param).map((label) => label?.trust)).toEqual(['web']);
    });

    test('as the chart itself where it was written there', () => {
      expect(late('"\'text\'"')).toEqual([{ trust: 'human', sources: ['chart'] }]);
    });

    test('as the input that the agent was started with', () => {
      const one = start(
        `
data: { given: 0 }
states:
  a:
    entry:
      - send: { event: x, delay: 1s, target: '${T}', params: [{ name: n, expr: ctx.given }] }
      - assign: { location: given, expr: '1' }
`,
        { tools: [T], grant: ALL, input: { given: 7 }, label: low },
      );
      expect(one.state.label).toEqual(low);
      expect(fired(one).map((label) => label?.trust)).toEqual(['web']);
    });
  });
});
