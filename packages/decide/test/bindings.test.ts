import { compileChart, faultsOf } from '@warrant/chart';
import { readScxmlDocument } from '@warrant/chart/scxml';
import { readYamlDocument } from '@warrant/chart/yaml';
import { isWarrantError } from '@warrant/core';
import { describe, expect, test } from 'vitest';
import { agentDataModel } from '../src/cel/index.ts';
import { createAgentMachine, lintAgentChart, readBindings } from '../src/index.ts';
import { world } from './support.ts';

const scxml = (body: string) =>
  new TextEncoder().encode(
    `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:vt="https://w3id.org/vertep/vt#" xmlns:w="urn:warrant:decide:1" version="1.0" datamodel="null" initial="a">\n${body}\n<final id="z"/></scxml>`,
  );
const BOUND = {
  state: 'a',
  decider: 'llm/x',
  candidates: ['go', 'stop'],
  deadlineMs: 2000,
  fallback: 'human/y',
  maxDecisions: 3,
  path: '/states/0',
};

describe('a binding', () => {
  test.each([
    [
      'attributes',
      '<state id="a" vt:decide="llm/x" vt:candidates="go stop" vt:deadline="2s" vt:fallback="human/y" vt:maxDecisions="3">',
    ],
    [
      'attributes of our namespace',
      '<state id="a" w:decide="llm/x" w:candidates="go stop" w:deadline="2s" w:fallback="human/y" w:maxDecisions="3">',
    ],
    [
      'an element',
      '<state id="a"><vt:decide decider="llm/x" deadline="2s" candidates="go stop" fallback="human/y" maxDecisions="3"/>',
    ],
  ])('is read from %s', (_, open) => {
    const { chart } = readScxmlDocument(scxml(`${open}<transition event="go" target="z"/></state>`));
    expect(readBindings(chart)).toEqual({ bindings: [BOUND], faults: [] });
  });

  test('is read from YAML extensions', () => {
    const { chart } = readYamlDocument(`format: warrant.chart/1
states:
  a:
    extensions:
      - { local: decide, attribute: llm/x }
      - { local: candidates, attribute: go stop }
      - { local: deadline, attribute: 2s }
      - { local: fallback, attribute: human/y }
      - { local: maxDecisions, attribute: "3" }
    on: { go: z }
  z: { type: final }
`);
    expect(readBindings(chart).bindings).toEqual([BOUND]);
  });

  test.each([
    ['an empty decider', '<state id="a" vt:decide="">', 'decide-binding'],
    ['no decider', '<state id="a" vt:deadline="2s">', 'decide-binding'],
    ['two words for a decider', '<state id="a" vt:decide="x y">', 'decide-binding'],
    ['both namespaces', '<state id="a" vt:decide="x" w:deadline="2s">', 'decide-namespaces'],
    ['a deadline without unit', '<state id="a" vt:decide="x" vt:deadline="30">', 'decide-deadline'],
    ['a deadline at once', '<state id="a" vt:decide="x" vt:deadline="0s">', 'decide-deadline'],
    ['a bound of zero', '<state id="a" vt:decide="x" vt:maxDecisions="0">', 'decide-max-decisions'],
    ['a bound that is no number', '<state id="a" vt:decide="x" vt:maxDecisions="1e3">', 'decide-max-decisions'],
    ['no candidates in the list', '<state id="a" vt:decide="x" vt:candidates=" ">', 'decide-candidates'],
    ['an empty fallback', '<state id="a" vt:decide="x" vt:fallback="">', 'decide-fallback'],
    ['attribute and element', '<state id="a" vt:decide="x"><vt:decide decider="y"/>', 'decide-binding'],
    ['two elements', '<state id="a"><vt:decide decider="x"/><vt:decide decider="y"/>', 'decide-binding'],
    ['an unknown attribute', '<state id="a"><vt:decide decider="x" dealine="2s"/>', 'decide-binding'],
  ])('with %s is refused with its place', (_, open, code) => {
    const read = readScxmlDocument(scxml(`${open}<transition event="go" target="z"/></state>`));
    const thrown = caught(() => createAgentMachine({ ...read, dataModel: agentDataModel() }));
    expect(thrown).toContainEqual(expect.objectContaining({ code, line: 2 }));
  });

  test.each([
    ['parallel', '<parallel id="a" vt:decide="x"><state id="b"/></parallel>'],
    ['final', '<final id="a" vt:decide="x"/>'],
    [
      'history',
      '<state id="a"><history id="h" vt:decide="x"><transition target="b"/></history><state id="b"/></state>',
    ],
  ])('on a %s is refused', (type, body) => {
    const read = readScxmlDocument(scxml(body));
    expect(caught(() => createAgentMachine({ ...read, dataModel: agentDataModel() }))).toContainEqual(
      expect.objectContaining({ code: 'decide-state', message: expect.stringContaining(type) as string }),
    );
  });
});

test.each([
  ['without deadline and without a transition on invalid answers', '', 1],
  ['with a deadline', ' vt:deadline="2s"', 0],
  ['with a transition on invalid answers', '><transition event="error.decide.invalid" target="z"/', 0],
  ['with one on all errors', '><transition event="error.*" target="z"/', 0],
])('lint speaks of a decide state %s', (_, more, count) => {
  const { chart, placeOf } = readScxmlDocument(
    scxml(`<state id="a" vt:decide="x"${more}><transition event="go" target="z"/></state>`),
  );
  expect(lintAgentChart(compileChart(chart), { placeOf })).toHaveLength(count);
});

function caught(work: () => unknown) {
  try {
    work();
  } catch (error) {
    if (isWarrantError(error, 'CHART_INVALID')) return faultsOf(error);
    throw error;
  }
  return [];
}

describe('a chart that is invoked', () => {
  const invoking = (inner: string) =>
    readScxmlDocument(
      new TextEncoder().encode(`<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:vt="https://w3id.org/vertep/vt#"
 version="1.0" datamodel="cel">
<state id="s"><invoke id="c"><content>
<scxml version="1.0" datamodel="cel">${inner}</scxml></content></invoke></state></scxml>`),
    );
  const dataModel = agentDataModel();

  test('is held to the same rules before the first input, with the place of each fault', () => {
    const { chart, placeOf } = invoking('<final id="f" vt:decide="m"/>');
    const make = () => createAgentMachine({ chart, dataModel, placeOf });
    expect(make).toThrow(expect.objectContaining({ code: 'CHART_INVALID' }) as Error);
    expect(make).toThrow(/^4:38: a final decides nothing/);
  });

  test('has its deciders bound when the agent starts', async () => {
    const { chart } = invoking('<state id="q" vt:decide="nobody"><transition event="go"/></state>');
    const { host, journal } = world({ agents: [{ name: 'agent', chart, dataModel }] });
    await expect(host.spawn('urn:a', 'agent')).rejects.toMatchObject({ data: { decider: 'nobody' } });
    expect(await journal.streams()).toEqual([]);
  });

  test.each([
    ['<state id="q" vt:decide="m"><transition event="go"/></state>', 1],
    ['<state id="o"><state id="q" vt:decide="m"/><transition event="error.*"/></state>', 0],
    ['<state id="q" vt:decide="m" vt:deadline="1s"/>', 0],
  ])('is looked at for decide states that nobody wakes: %s', (inner, count) => {
    const { chart, placeOf } = invoking(inner);
    const found = lintAgentChart(compileChart(chart, { dataModel, placeOf }), { placeOf });
    expect(found).toHaveLength(count);
    for (const fault of found) expect(fault).toMatchObject({ code: 'decide-waits', line: 4 });
  });
});
