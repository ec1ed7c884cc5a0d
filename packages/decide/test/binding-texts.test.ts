import { readYaml } from '@warrant/chart/yaml';
import type { Extension } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { DECIDE_NAMESPACE, VT_NAMESPACE } from '../src/extensions.ts';
import { readBindings } from '../src/index.ts';

const chartOf = (states: string) => readYaml(`format: warrant.chart/1\nstates:\n${states}`);
const CHART = chartOf('  a: { on: { go: z } }\n  z: { type: final }');

const said = (local: string, text: string, namespace = DECIDE_NAMESPACE): Extension => ({
  namespace,
  local,
  attribute: text,
});
const element = (attributes: Readonly<Record<string, string>>, text = '', local = 'decide'): Extension => ({
  namespace: DECIDE_NAMESPACE,
  local,
  attributes,
  children: text === '' ? [] : [text],
});
function read(...extensions: readonly Extension[]) {
  const [first, ...others] = CHART.states;
  if (first === undefined) throw new Error('no state');
  return readBindings({ ...CHART, states: [{ ...first, extensions }, ...others] });
}
const bound = (...extensions: readonly Extension[]) => {
  const { bindings, faults } = read(...extensions);
  expect(faults).toEqual([]);
  return bindings[0];
};
const faults = (...extensions: readonly Extension[]) => {
  const { bindings, faults: found } = read(...extensions);
  expect(bindings).toEqual([]);
  return found.map(({ code, message }) => `${code}: ${message}`);
};
const D = said('decide', 'd');
const PLAIN = {
  state: 'a',
  decider: 'd',
  candidates: null,
  deadlineMs: null,
  fallback: null,
  maxDecisions: null,
  path: '/states/0',
};

describe('a state', () => {
  test('that says nothing of deciding decides nothing, whatever else it says', () => {
    expect(read()).toEqual({ bindings: [], faults: [] });
    expect(read(said('grantTools', 'x'), element({ tools: 'x' }, '', 'grant'))).toEqual({ bindings: [], faults: [] });
    expect(read(said('decide', 'd', 'urn:other'), said('deadline', 'never', 'urn:other'))).toEqual({
      bindings: [],
      faults: [],
    });
  });

  test('says each thing once', () => {
    expect(faults(D, said('decide', 'e'), said('decide', 'd'))).toEqual([
      "decide-twice: a decide state says 'decide' once",
    ]);
    expect(faults(D, said('deadline', '5s'), said('deadline', '1h'))).toEqual([
      "decide-twice: a decide state says 'deadline' once",
    ]);
    expect(bound(D, said('decide', 'e', 'urn:other'), said('grantTools', 'x'), said('grantTools', 'y'))).toEqual(PLAIN);
  });

  test('is bound by attributes, by the long form of them, or by an element', () => {
    expect(bound(D)).toEqual(PLAIN);
    expect(bound(said('decide', ' d\n'), said('candidates', ' a  b '), said('grantTools', 'x'))).toEqual({
      ...PLAIN,
      candidates: ['a', 'b'],
    });
    expect(bound(element({}, ' d '), element({}, '5s', 'deadline'))).toEqual({ ...PLAIN, deadlineMs: 5000 });
    expect(bound(element({ decider: 'd', fallback: ' f ' }))).toEqual({ ...PLAIN, fallback: 'f' });
    expect(bound(element({ deadline: '5s' }, 'd'))).toEqual({ ...PLAIN, deadlineMs: 5000 });
    expect(bound(element({ [`{${VT_NAMESPACE}}decider`]: 'd' }))).toEqual(PLAIN);
  });

  test('speaks in one namespace, but of other things in another', () => {
    expect(bound(D, said('grantTools', 'x', VT_NAMESPACE))).toEqual(PLAIN);
    expect(bound(D, said('deadline', '1s', 'urn:other'))).toEqual(PLAIN);
    expect(faults(said('decide', 'x'), element({}, 'd'))).toHaveLength(1);
    expect(faults(D, element({}))).toHaveLength(1);
    expect(faults(D, element({ deadline: '1s' }, 'd'))).toHaveLength(1);
    expect(bound(D, element({}, 'd'))).toEqual(PLAIN);
    expect(faults(D, said('deadline', '1s', VT_NAMESPACE))).toEqual([
      'decide-namespaces: a decide state speaks in one namespace, not in both',
    ]);
  });

  test.each([
    ['names no decider', [said('deadline', '1s')], 'decide-binding: a decide state names its decider'],
    ['has an empty one', [said('decide', ' ')], 'decide-binding: the decider of a decide state is empty'],
    ['has an element without one', [element({ deadline: '1s' })], 'decide-binding: a decide state names its decider'],
    ['has several words for it', [said('decide', 'a b')], 'decide-binding: a decider is one word'],
    ['has an empty fallback', [D, said('fallback', ' ')], 'decide-fallback: a fallback is one word'],
    ['has several words for a fallback', [D, said('fallback', 'a b')], 'decide-fallback: a fallback is one word'],
    ['lists no candidate', [D, said('candidates', ' ')], 'decide-candidates: the list of candidates is empty'],
    [
      'has two elements',
      [element({ decider: 'd' }), element({ decider: 'd' })],
      'decide-binding: a state has one decide element',
    ],
    [
      'has both',
      [said('deadline', '1s'), element({ decider: 'd' })],
      'decide-binding: a state is bound by attributes or by an element, not by both',
    ],
    [
      'has both for its decider',
      [D, element({ decider: 'd' })],
      'decide-binding: a state is bound by attributes or by an element, not by both',
    ],
    [
      'has an attribute of an element that means nothing',
      [element({ decider: 'd', mood: 'x' })],
      "decide-binding: a decide element has no attribute 'mood'",
    ],
    [
      'says decide where it is decider',
      [element({ decide: 'd', decider: 'd' })],
      "decide-binding: a decide element has no attribute 'decide'",
    ],
  ] as const)('that %s is refused', (_, extensions, fault) => expect(faults(...extensions)).toEqual([fault]));

  test('is refused for all that is wrong with it, at once', () => {
    expect(
      faults(said('fallback', ''), said('candidates', ''), said('deadline', 'x'), said('maxDecisions', 'x')),
    ).toHaveLength(5);
  });
});

describe('bounds', () => {
  test.each([
    ['1', 1],
    [' 20 ', 20],
    ['1000000', 1_000_000],
  ])('%j is how many decisions are taken at most', (text, most) => {
    expect(bound(D, said('maxDecisions', text))).toEqual({ ...PLAIN, maxDecisions: most });
  });

  test.each(['', '0', '-1', '+1', '01', '1.5', '1e3', '1000001', '5x', 'x5', '1 2'])('%j is not', (text) => {
    expect(faults(D, said('maxDecisions', text))).toEqual([
      'decide-max-decisions: maxDecisions is a whole number from 1 to 1000000',
    ]);
  });

  test('a deadline lies in the future', () => {
    expect(bound(D, said('deadline', '1ms'))).toEqual({ ...PLAIN, deadlineMs: 1 });
    expect(faults(D, said('deadline', '0s'))).toEqual(['decide-deadline: a deadline lies in the future']);
    expect(faults(D, said('deadline', '30'))).toEqual([expect.stringMatching(/^decide-deadline: ./)]);
  });
});

const withoutId = (state: object) => Object.fromEntries(Object.entries(state).filter(([name]) => name !== 'id'));

test('states are named as a compiled chart names them, and faults have their places', () => {
  const decide = '{ local: decide, attribute: d }';
  const chart = readYaml(`format: warrant.chart/1
states:
  a:
    states:
      b: { extensions: [${decide}] }
      c: { type: history, default: b, extensions: [${decide}] }
  d: { extensions: [${decide}, { local: fallback, attribute: '' }] }
`);
  const [a, d] = chart.states;
  const unnamed = {
    ...chart,
    states: [{ ...a, states: a?.states.map(withoutId) }, d],
  } as typeof chart;
  const { bindings, faults: found } = readBindings(unnamed, (path) => ({ line: path.length, column: 1 }));
  expect(bindings.map(({ state, path }) => [state, path])).toEqual([['#2', '/states/0/states/0']]);
  expect(found).toEqual([
    {
      code: 'decide-state',
      message: 'a history decides nothing: only an atomic or compound state does',
      path: '/states/0/states/1',
      line: 18,
      column: 1,
    },
    { code: 'decide-fallback', message: 'a fallback is one word', path: '/states/1', line: 9, column: 1 },
  ]);
  expect(readBindings(unnamed).faults.map((fault) => Object.keys(fault))).toEqual([
    ['code', 'path', 'message'],
    ['code', 'path', 'message'],
  ]);
});
