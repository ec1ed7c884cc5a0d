import type { Grant } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { event, type Machine, start } from './support.ts';

const T = 'urn:tool:t';
const SEEN = "{ do: [{ assign: { location: seen, expr: 'ctx.seen + [ev]' } }] }";
const heard = (one: Machine) => one.data('seen') as readonly Record<string, unknown>[];
const ALL: Grant = { targets: ['*'], tools: ['*'], deciders: ['*'], functions: ['*'] };

/** The root invokes two charts that say what they hear. */
const family = (child: string, grants: string) => `
data: { seen: [] }
states:
  a:
    invoke:
      - { id: c, ${grants} content: { chart: { data: { heard: [] }, ${child} } } }
      - { id: d, ${grants} content: { chart: { data: { heard: [] }, ${child} } } }
    on:
      tell: { do: [{ send: { event: hello, targetexpr: ev.data, content: { value: 5 } } }] }
      told: ${SEEN}
      vt.grant.denied: ${SEEN}
`;
const HEARS = `states: { s: { on: {
  hello: { do: [{ assign: { location: heard, expr: 'ctx.heard + [ev.data]' } }] },
  say: { do: [{ send: { event: told, target: '#_parent', content: { value: 6 } } }] } } } }`.replaceAll('\n', ' ');

describe('charts that one started', () => {
  const grants = "extensions: [{ local: grant, attributes: { targets: '*', tools: '*' } }],";
  test('hear what is sent to them by name, and no other does', () => {
    const one = start(family(HEARS, grants), { grant: ALL });
    one.take(event('tell', '#_d'));
    one.take(event('tell', '#_e'));
    expect(one.state.sessions.map(({ chart }) => chart.data['heard'])).toEqual([undefined, [], [5]]);
  });

  test('are told apart by their parent where their names are the same', () => {
    const nested = `states: { s: { invoke: { id: d, content: { chart: { data: { heard: [] }, ${HEARS} } } } } }`;
    const one = start(family(nested, grants).replace(/ {6}- \{ id: d[^\n]*\n/, ''), { grant: ALL });
    expect(one.state.sessions.map(({ invoke }) => invoke)).toEqual([null, 'c', 'd']);
    one.take(event('tell', '#_d'));
    expect(one.state.sessions.map(({ chart }) => chart.data['heard'])).toEqual([undefined, [], []]);
  });

  test('hear nothing of each other by a name that both may use', () => {
    const inner = `{ heard: [] }, ${HEARS}`;
    const one = start(
      `
states:
  a:
    invoke:
      id: c
      ${grants.slice(0, -1)}
      content:
        chart:
          data: { heard: [] }
          states:
            s:
              invoke: { id: c, content: { chart: { data: ${inner} } } }
              on:
                hello: { do: [{ assign: { location: heard, expr: 'ctx.heard + [1]' } }] }
                pass: { do: [{ send: { event: hello, target: '#_c', content: { value: 5 } } }] }
    on: { tell: { do: [{ send: { event: pass, target: '#_c' } }] } }
`,
      { grant: ALL },
    );
    one.take(event('tell'));
    expect(one.state.sessions.map(({ chart }) => chart.data['heard'])).toEqual([undefined, [], [5]]);
  });

  test('are no tools: what is sent to the call of one goes nowhere', () => {
    const one = start(
      `states: { a: { invoke: { id: t, type: 'vt:tool', src: '${T}' }, on: { go: { do: [{ send: { event: x, target: '#_t' } }] } } } }`,
      { tools: [T], grant: ALL },
    );
    one.take(event('go'));
    expect(one.state.status).toBe('running');
    expect(one.state.calls).toHaveLength(1);
  });

  const TALKS = "states: { s: { entry: [{ send: { event: told, target: '#_parent', content: { value: 6 } } }] } }";
  test('speak to their parent, which hears who it was', () => {
    expect(heard(start(family(TALKS, grants), { grant: ALL }))).toMatchObject([
      { name: 'told', data: 6, invokeid: 'c' },
      { name: 'told', data: 6, invokeid: 'd' },
    ]);
  });

  test('that may not reach something are told, and whoever started them', () => {
    const one = start(family(TALKS, "extensions: [{ local: grant, attributes: { tools: '*' } }],"), { grant: ALL });
    const denied = { what: 'targets', name: '#_parent', event: 'told' };
    expect(heard(one)).toMatchObject([
      { name: 'vt.grant.denied', invokeid: 'c', data: { ...denied, invoke: 'c' } },
      { name: 'vt.grant.denied', invokeid: 'd', data: { ...denied, invoke: 'd' } },
    ]);
    expect(one.facts.filter(({ type }) => type === 'not-granted')).toEqual([
      { type: 'not-granted', session: '1.0', ...denied },
      { type: 'not-granted', session: '1.1', ...denied },
    ]);
  });
});
