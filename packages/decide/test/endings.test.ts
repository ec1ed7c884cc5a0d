import type { Grant } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { event, start } from './support.ts';

const T = 'urn:tool:t';
const ALL: Grant = { targets: ['*'], tools: ['*'], deciders: ['*'], functions: ['*'] };

describe('what a state started ends with it', () => {
  const INNER =
    "states: { s: { entry: [{ send: { event: x, target: 'urn:tool:t' } }], invoke: { type: 'vt:tool', id: t, src: 'urn:tool:t' } } }";
  const grants = "extensions: [{ local: grant, attributes: { tools: '*', deciders: '*' } }],";
  const DECIDES = 'states: { s: { extensions: [{ local: decide, attribute: d }], on: { go: {} } } }';
  const chart = (inner: string) => `
states:
  p:
    type: parallel
    states:
      left:
        states:
          a:
            invoke:
              - { id: t, type: 'vt:tool', src: '${T}' }
              - { id: c, ${grants} content: { chart: { states: { m: { invoke: { id: c, ${grants} content: { chart: { ${inner} } } } } } } } }
            on: { leave: b }
          b: {}
      right:
        invoke:
          - { id: u, type: 'vt:tool', src: '${T}' }
          - { id: e, ${grants} content: { chart: { ${inner} } } }
        extensions: [{ local: decide, attribute: d }]
        on: { leave: {} }
`;
  const left = (inner: string) => {
    const one = start(chart(inner), { tools: [T], grant: ALL });
    const before = JSON.parse(JSON.stringify(one.state)) as typeof one.state;
    one.take(event('leave'));
    return { before, after: one.state };
  };

  test('with all that it started in turn; what was sent still goes out', () => {
    const { before, after } = left(INNER);
    const shown = ({ sessions, calls }: typeof after) => [
      sessions.map(({ parent, invoke }) => `${parent} ${invoke}`),
      calls.map(({ session, invoke }) => [sessions.find(({ id }) => id === session)?.invoke, invoke]),
    ];
    const [charts, calls] = shown(before);
    expect(charts).toEqual(['null null', 'root c', '1.1 c', 'root e']);
    expect(calls).toEqual([
      [null, 't'],
      ['c', null],
      ['c', 't'],
      [null, 'u'],
      ['e', null],
      ['e', 't'],
    ]);
    expect(shown(after)).toEqual([
      ['null null', 'root e'],
      [
        [undefined, null],
        [null, 'u'],
        ['e', null],
        ['e', 't'],
      ],
    ]);
  });

  test('with its offers, and no others', () => {
    const { before, after } = left(DECIDES);
    const open = ({ slots }: typeof after) => slots.map(({ key, correlation }) => `${key} ${correlation}`).sort();
    expect(open(before)).toEqual(['1.2/s 1.1', '1.4/s 1.2', 'right 1.0']);
    expect(open(after)).toEqual(['1.4/s 1.2', 'right 1.0']);
  });

  test('but not whoever started it, be it of the same name', () => {
    const one = start(
      `
states:
  a:
    invoke:
      - { id: t, type: 'vt:tool', src: '${T}' }
      - id: c
        ${grants.replace(/,$/, '')}
        content:
          chart:
            states:
              m: { invoke: [{ id: t, type: 'vt:tool', src: '${T}' }, { id: c, content: { chart: { states: { s: {} } } } }], on: { leave: n } }
              n: {}
    on: { tell: { do: [{ send: { event: leave, target: '#_c' } }] } }
`,
      { tools: [T], grant: ALL },
    );
    expect(one.state.sessions.map(({ id }) => id)).toEqual(['root', '1.1', '1.3']);
    one.take(event('tell'));
    expect(one.state.sessions.map(({ id }) => id)).toEqual(['root', '1.1']);
    expect(one.state.calls.map(({ effect }) => effect)).toEqual(['1.0']);
  });
});
