import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { chartDigest } from './chart-digest.ts';
import type { Action, Block, ChartIr, StateIr, TransitionIr } from './ir.ts';
import { readScxml, writeScxml } from './scxml/index.ts';
import { defaultXmlLimits, parseXml } from './scxml/xml.ts';
import type { XmlElement } from './scxml/xml-element.ts';
import { readYaml, writeYaml } from './yaml/index.ts';

const numRuns = process.env['WARRANT_SOAK'] === undefined ? 6 : 2000;
const bytes = (text: string) => new TextEncoder().encode(text);

/** Blocks of XML with elements and attributes of another namespace anywhere, each with a number of its own. */
const blockXml: fc.Arbitrary<string> = fc.letrec<{ block: string; item: string }>((tie) => ({
  block: fc.array(tie('item'), { maxLength: 4 }).map((items) => items.join('')),
  item: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'item' },
    fc.constantFrom('<v:m k="#"/>', '<v:m w:k="#">t<v:n/> u</v:m>'),
    fc.constantFrom('<raise event="e" v:k="#"/>', '<log expr="1"><v:m k="#"/></log>', '<cancel sendid="s"/>'),
    fc.constantFrom(
      '<send event="e"><param name="p" expr="1"><v:m k="#"/></param></send>',
      '<send event="e" v:k="#"><v:m/><param name="p" expr="1"/><v:m k="#"/><param name="q" expr="1"/><v:n/><v:m k="#"/></send>',
      '<send event="e"><content expr="1"/><v:m k="#"/></send>',
    ),
    tie('block').map((inner) => `<foreach array="ctx.l" item="i" v:k="#">${inner}</foreach>`),
    fc
      .tuple(tie('block'), tie('block'), fc.constantFrom('<else/>', '<else v:k="#"/>', '<else v:k="#"><v:m/></else>'))
      .map(([one, other, divider]) => `<if cond="true">${one}${divider}${other}</if>`),
    fc
      .tuple(tie('block'), tie('block'), tie('block'))
      .map(
        ([one, two, other]) =>
          `<if cond="true" v:k="#">${one}<elseif cond="false"><v:m k="#"/></elseif>${two}<else/>${other}</if>`,
      ),
  ),
})).block;

const documentXml = fc.array(blockXml, { minLength: 8, maxLength: 8 }).map(([a, b, c, d, e, f, g, h]) => {
  const marks = Array.from({ length: 2000 }, (_, at) => at).values();
  const invoke = `<invoke type="t:u" id="i"><finalize>${f}</finalize></invoke>`;
  const text = `<state id="s"><initial><transition target="t">${a}<log label="i"/></transition></initial><onentry>${b}</onentry><onentry v:k="#">${c}</onentry>
<onexit>${d}</onexit><transition event="x" target="s" v:k="#">${e}</transition>${invoke}
<state id="t"><transition event="y" target="t"/></state><history id="h" type="shallow"><transition target="t">${g}</transition></history></state>
<final id="end"><onentry>${h}</onentry><donedata><v:m/><param name="p" expr="1"><v:m k="#"/></param><v:m k="#"/><param name="q" expr="1"/></donedata></final>`;
  const numbered = text.replaceAll('#', () => `${marks.next().value}`);
  return `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:v="u:v" xmlns:w="u:w" version="1.0" datamodel="cel">${numbered}</scxml>`;
});

type Outline = readonly [name: string, attributes: readonly string[], children: readonly (Outline | string)[]];

function outline({ namespace, local, attributes, children }: XmlElement): Outline {
  const named = attributes.map(({ uri, local: name, value }) => `{${uri}}${name}=${value}`).sort();
  return [
    `{${namespace}}${local}`,
    named,
    children.map((child) => (typeof child === 'string' ? child : outline(child))),
  ];
}

const outlineOf = (xml: string) => outline(parseXml(bytes(xml), defaultXmlLimits).root);

/** The chart with extension actions put into every block, attributes and elements in any number. */
function withExtensions(chart: ChartIr, next: () => number): ChartIr {
  const extensions = (distinct = 0) =>
    Array.from({ length: next() % 3 }, (_, at) => {
      const local = `k${(next() % 2) + distinct * at}`;
      if (next() % 2 === 0) return { namespace: 'u:v', local, attribute: `${next()}` };
      const isOurs = next() % 4 === 0;
      return isOurs
        ? {
            namespace: 'https://w3id.org/vertep/vt#',
            local: 'attributes',
            attributes: { '{u:v}k0': `${next()}` },
            children: [],
          }
        : { namespace: 'u:v', local, attributes: { n: `${next()}` }, children: ['t'] };
    });
  const maybe = (): Block => (next() % 3 === 0 ? [{ type: 'extension', extensions: extensions() }] : []);
  const block = (actions: Block): Block => [
    ...maybe(),
    ...actions.flatMap((one) => [action(one), ...maybe(), ...maybe()]),
  ];
  const action = (one: Action): Action => {
    if (one.type === 'foreach') return { ...one, extensions: extensions(2), content: block(one.content) };
    if (one.type !== 'if') return one;
    const branches = one.branches.map((branch) => ({ ...branch, content: block(branch.content) }));
    return { ...one, extensions: extensions(2), branches };
  };
  const transition = (one: TransitionIr): TransitionIr => ({
    ...one,
    extensions: extensions(2),
    content: block(one.content),
  });
  const state = (one: StateIr): StateIr => ({
    ...one,
    ...(one.initial !== undefined && 'targets' in one.initial ? { initial: transition(one.initial) } : {}),
    transitions: one.transitions.map(transition),
    onEntry: one.onEntry.map(block),
    onExit: one.onExit.map(block),
    invokes: one.invokes.map((invoke) => ({
      ...invoke,
      ...(invoke.finalize === undefined ? {} : { finalize: block(invoke.finalize) }),
    })),
    states: one.states.map(state),
  });
  return { ...chart, states: chart.states.map(state) };
}

const extended = fc
  .tuple(chartArbitrary, fc.infiniteStream(fc.nat({ max: 1000 })))
  .map(([chart, stream]) => withExtensions(chart, () => stream.next().value as number));

describe('what is foreign in executable content', () => {
  test('stays where it stands, from SCXML to SCXML, also by way of YAML', () => {
    fc.assert(
      fc.property(documentXml, (xml) => {
        const chart = readScxml(bytes(xml));
        const written = writeScxml(chart);
        expect(outlineOf(written)).toEqual(outlineOf(xml));
        const yaml = writeYaml(chart);
        expect(readYaml(yaml)).toEqual(chart);
        expect(writeScxml(readYaml(yaml))).toBe(written);
      }),
      { numRuns },
    );
  });
  test('stays where it stands, from YAML to YAML, also by way of SCXML', () => {
    fc.assert(
      fc.property(extended, (ir) => {
        const chart = readYaml(writeYaml(ir));
        const byXml = readScxml(bytes(writeScxml(chart)));
        expect(readYaml(writeYaml(byXml))).toEqual(byXml);
        expect(readScxml(bytes(writeScxml(byXml)))).toEqual(byXml);
        expect(chartDigest(chart)).toBe(chartDigest(ir));
        expect(chartDigest(readScxml(bytes(writeScxml(ir))))).toBe(chartDigest(ir));
      }),
      { numRuns },
    );
  });

  const inTransition = (content: string) =>
    `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:v="u:v" version="1.0" datamodel="cel"><state id="s"><transition target="s" event="e">${content}</transition></state></scxml>`;
  test.each([
    ['in the middle', '<log/><v:m/><cancel sendid="x"/>'],
    ['at the end', '<log/><v:m/><v:n/>'],
    ['with attributes of a namespace alone', '<log/><t:m xmlns:t="https://w3id.org/vertep/vt#" v:k="1"/>'],
    [
      'with any name beside such attributes',
      '<log/><t:attributes xmlns:t="https://w3id.org/vertep/vt#" v:k="1" k="2"/><t:attributes xmlns:t="https://w3id.org/vertep/vt#" v:k="1">t</t:attributes>',
    ],
    ['with names of any language', '<log/><v:gr\u00f6\u00dfe v:\u540d="1"/><v:\u{10400}a-.\u00b7/>'],
    ['as an element of another namespace', '<log/><v:attributes v:k="1"/>'],
    ['as an element without attributes', '<log/><t:attributes xmlns:t="https://w3id.org/vertep/vt#"/>'],
    ['in an else and after it', '<if cond="true"><else v:k="1"><v:m/></else><v:n/><log/></if>'],
    ['in an elseif and before it', '<if cond="true"><v:m/><log/><v:n/><elseif cond="true"><v:o/></elseif></if>'],
    ['in a loop within a branch', '<if cond="true"><foreach array="ctx.l" item="i"><log/><v:m/><log/></foreach></if>'],
  ])('stays %s', (_, content) => {
    const written = writeScxml(readScxml(bytes(inTransition(content))));
    expect(outlineOf(written)).toEqual(outlineOf(inTransition(content)));
  });
  test('counts where it stands', () => {
    const digest = (content: string) => chartDigest(readScxml(bytes(inTransition(content))));
    expect(digest('<v:m/><log/>')).not.toBe(digest('<log/><v:m/>'));
    expect(digest('<v:m/><v:n/><log/>')).not.toBe(digest('<v:m/><log/><v:n/>'));
  });
  test('is one chart, however the actions that keep it are cut', () => {
    const yaml = (actions: string) =>
      chartDigest(readYaml(`format: warrant.chart/1\nstates: { s: { entry: [${actions}] } }`));
    const [a, b] = ['{ local: a, children: [] }', '{ local: b, attribute: "1" }'];
    expect(yaml(`log: x, extensions: [${a}], extensions: [${b}]`)).toBe(
      yaml(`log: x, extensions: [${b}, ${a}], extensions: []`),
    );
    expect(yaml(`log: x, extensions: [${a}], log: y, extensions: [${b}]`)).not.toBe(
      yaml(`log: x, extensions: [${a}, ${b}], log: y`),
    );
  });
  test('is an attribute that stands between two actions', () => {
    const text = `format: warrant.chart/1
states:
  s:
    entry:
      - log: { label: one }
      - extensions: [{ local: note, attribute: kept }, { namespace: "u:v", local: note, attribute: too }]
      - log: { label: two }
`;
    const xml = writeScxml(readYaml(text));
    expect(xml).toContain(':note="too"');
    expect(readScxml(bytes(xml))).toEqual(readYaml(text));
    expect(readYaml(writeYaml(readScxml(bytes(xml))))).toEqual(readYaml(text));
  });
  test('is an attribute before the first action of a transition, which is none of the transition', () => {
    const chart = readYaml(`format: warrant.chart/1
states: { s: { on: { e: { do: [extensions: [{ local: decide, attribute: x }], log: y], target: s } } } }
`);
    expect(chart.states[0]?.transitions[0]?.extensions).toBeUndefined();
    expect(readScxml(bytes(writeScxml(chart)))).toEqual(chart);
  });
  test('is in one order, attributes before elements', () => {
    const chart = readYaml(`format: warrant.chart/1
states: { s: { entry: [log: x, extensions: [{ local: a, children: [] }, { local: b, attribute: "1" }], log: y] } }
`);
    expect(readScxml(bytes(writeScxml(chart)))).toEqual(chart);
  });
  test('on an initial stays with it, whatever stands in its transition', () => {
    const carrier = {
      namespace: 'https://w3id.org/vertep/vt#',
      local: 'attributes',
      attributes: { '{u:v}k': '1' },
      children: [],
    };
    const around = {
      namespace: 'http://www.w3.org/2005/07/scxml',
      local: 'initial',
      attributes: { '{u:v}k': '2' },
      children: [],
    };
    const plain = readYaml(
      'format: warrant.chart/1\nstates: { s: { initial: { target: t, do: [log: x] }, states: { t: {} } } }',
    );
    const states = plain.states.map((state) => ({
      ...state,
      initial: { ...(state.initial as TransitionIr), extensions: [carrier, around] },
    }));
    const chart = { ...plain, states };
    const xml = writeScxml(chart);
    expect(xml).toMatch(/<initial \w+:k="2">/);
    expect(chartDigest(readScxml(bytes(xml)))).toBe(chartDigest(chart));
  });
});
