import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chartArbitrary } from '../test/arbitraries.ts';
import { celDataModel } from './cel/index.ts';
import { chartDigest } from './chart-digest.ts';
import { compileChart } from './compile.ts';
import { canonicalChart } from './defaults.ts';
import { faultsOf } from './fault.ts';
import type { ChartIr } from './ir.ts';
import { readScxml, readScxmlDocument, surveyScxml, writeScxml } from './scxml/index.ts';
import { readYaml, readYamlDocument, surveyYaml, writeYaml } from './yaml/index.ts';

const numRuns = process.env['WARRANT_SOAK'] === undefined ? 30 : 10_000;
const bytes = (text: string) => new TextEncoder().encode(text);

describe('reading what was written', () => {
  test('gives the same chart from SCXML and from YAML', () => {
    fc.assert(
      fc.property(chartArbitrary, (ir) => {
        expect(canonicalChart(readScxml(bytes(writeScxml(ir))))).toEqual(canonicalChart(ir));
        expect(canonicalChart(readYaml(bytes(writeYaml(ir))))).toEqual(canonicalChart(ir));
        expect(canonicalChart(readYaml(bytes(writeYaml(ir, { header: 'vertep' }))))).toEqual(canonicalChart(ir));
        expect(chartDigest(readYaml(writeYaml(readScxml(bytes(writeScxml(ir))))))).toBe(chartDigest(ir));
      }),
      { numRuns },
    );
  });
  test('is the identity on text from the second time on', () => {
    fc.assert(
      fc.property(chartArbitrary, (ir) => {
        const xml = writeScxml(readScxml(bytes(writeScxml(ir))));
        expect(writeScxml(readScxml(bytes(xml)))).toBe(xml);
        const yaml = writeYaml(readYaml(writeYaml(ir)));
        expect(writeYaml(readYaml(yaml))).toBe(yaml);
      }),
      { numRuns: numRuns / 2 },
    );
  });
});

const booking = `vertep: 1
name: booking
datamodel: cel
extensions:
  - { local: result, attribute: "{ booked: bool }" }
states:
  book:
    entry:
      - send: { event: hello, target: "#_parent" }
      - send: { event: confirmed }
    on: { confirmed: done }
  done:
    type: final
    donedata: { params: [ { name: booked, expr: "true" } ] }
`;

const bookingXml = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:q="https://w3id.org/vertep/vt#"
  version="1.0" name="booking" q:result="{ booked: bool }" initial="book">
  <!-- the same chart -->
  <state id="book">
    <onentry><send event="hello" target="#_parent"/><send event="confirmed"></send></onentry>
    <transition event="confirmed" target="done" type="external"/>
  </state>
  <final id="done"><donedata><param name="booked" expr="true"/></donedata></final>
</scxml>`;

describe('the digest', () => {
  test('is equal for equal charts, whichever surface they came from', () => {
    expect(chartDigest(readYaml(booking))).toBe(chartDigest(readScxml(bytes(bookingXml))));
    expect(chartDigest(readYaml(booking.replace('vertep: 1', 'format: warrant.chart/1 # ours')))).toBe(
      chartDigest(readYaml(booking)),
    );
  });
  test.each([
    ['a name', '', 'name=""', ''],
    ['the first child as initial', 'initial="a"', '', ''],
    ['an initial element without content', '', '', '<initial><transition target="b"/></initial>'],
    ['the binding', 'binding="early"', '', ''],
    ['the data model', 'datamodel="cel"', '', ''],
  ])('takes %s as given', (_, one, other, inside) => {
    const text = (attributes: string, start: string) =>
      `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" ${attributes}><state id="a"${start === '' ? ' initial="b"' : ''}>${start}<state id="b"/></state></scxml>`;
    expect(chartDigest(readScxml(bytes(text(one, inside))))).toBe(chartDigest(readScxml(bytes(text(other, '')))));
  });
  test('tells orders of states and transitions apart', () => {
    const text = (body: string) => chartDigest(readYaml(`format: warrant.chart/1\nstates: { ${body} }`));
    expect(text('a: { on: { x: a, y: b } }, b: {}')).not.toBe(text('a: { on: { y: b, x: a } }, b: {}'));
    expect(text('a: { on: { x: b } }, b: {}')).not.toBe(text('b: {}, a: { on: { x: b } }'));
  });
});

describe('extensions', () => {
  test('stay on every node through every surface', () => {
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:v="https://example.org/v#" version="1.0" v:root="1">
<v:meta key="k" v:key="l">text <v:inner/> more</v:meta>
<datamodel><data id="n" expr="0" v:d="2"/></datamodel>
<state id="a" v:decide="llm"><onentry v:on="3"><v:note/><log label="x" v:log="4"/></onentry>
<transition event="e" target="b" v:t="5"><if cond="true"><raise event="r"/><else v:e="6"/><send event="s"><param name="p" expr="1" v:p="7"/></send></if></transition>
<invoke type="https://example.org/s" v:i="8"><finalize v:f="9"/></invoke></state>
<final id="b"><donedata v:dd="10"><content expr="1" v:c="11"/></donedata></final></scxml>`;
    const chart = readScxml(bytes(xml));
    const again = readScxml(bytes(writeScxml(chart)));
    expect(again).toEqual(chart);
    expect(canonicalChart(readYaml(writeYaml(chart)))).toEqual(canonicalChart(chart));
    for (const mark of ['root', 'meta', 'inner', 'note', 'decide'])
      expect(JSON.stringify(again)).toContain(`"local":"${mark}"`);
    for (let count = 1; count <= 11; count += 1) expect(JSON.stringify(again)).toContain(`"attribute":"${count}"`);
  });
});

describe('what is foreign', () => {
  const whole = `<scxml version="1.0" initial="a"><datamodel><data id="d" expr="1"/></datamodel>
<state id="a"><initial><transition target="a1"><log expr="1"/></transition></initial><datamodel><data id="g">[2]</data></datamodel>
<onentry><raise event="x"/><if cond="true"><log label="q"/><elseif cond="false"/><cancel sendid="s"/><else/><cancel sendid="t"/></if></onentry>
<onentry><foreach array="ctx.g" item="i"><assign location="d" expr="1"/></foreach></onentry>
<onexit><assign location="d">[1]</assign><send event="e"><param name="p" expr="1"/></send><send event="x"><content>"hello"</content></send></onexit>
<invoke id="inv"><param name="z" location="ctx.d"/><content><scxml version="1.0"><datamodel/><final id="ff"/></scxml></content><finalize><log label="f"/></finalize></invoke>
<transition event="e.f" cond="true" type="internal" target="a1"/>
<history id="h" type="deep"><transition target="a1"/></history><state id="a1"><transition event="z" target="p"/></state></state>
<parallel id="p"><state id="p1"/><state id="p2"><datamodel/></state><transition event="z" target="end"/></parallel>
<final id="end"><donedata><content expr="2"/></donedata></final></scxml>`;
  /** Elements whose XML is a value; in the content of an invoke it is the chart. */
  const VALUES = ['data', 'assign', 'content'];

  function marked(): string {
    let count = 0;
    const text = whole.replace(/<([a-z]+)([^<>]*?)(\/?)>/g, (_, tag: string, attributes: string, close: string) => {
      count += 1;
      const child = VALUES.includes(tag) ? '' : `<v:m k="${count}">t<v:n w:l="1"/></v:m>`;
      return `<${tag}${attributes} v:k="${count}">${child}${close === '' ? '' : `</${tag}>`}`;
    });
    const around = text.replace(/(<content [^<>]*>)(<scxml )/, '$1<v:m k="0"/>$2');
    return around.replace('<scxml', '<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:v="u:v" xmlns:w="u:w"');
  }

  /** The element that each mark stands on. */
  function marks(xml: string): readonly string[] {
    const onElements = [...xml.matchAll(/<(\w+)[^<>]*? \w+:k="(\d+)"/g)].map(([, tag, mark]) => `${mark} ${tag}`);
    return [...onElements, ...[...xml.matchAll(/ k="(\d+)"/g)].map(([, mark]) => `${mark} child`)].sort();
  }

  test('stays on the very element it stands on, also where the same name stands on several', () => {
    const xml = marked();
    const chart = readScxml(bytes(xml));
    const written = writeScxml(chart);
    expect(marks(written)).toEqual(marks(xml));
    expect(marks(xml).length).toBeGreaterThan(60);
    expect(readScxml(bytes(written))).toEqual(chart);
    expect(readYaml(writeYaml(chart))).toEqual(chart);
    expect(writeScxml(readYaml(writeYaml(chart)))).toBe(written);
  });

  test('on several data models of one state keeps them apart', () => {
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:v="u:v"><state id="a">
<datamodel v:k="1"><data id="d" expr="1"/></datamodel><datamodel v:k="2"><data id="e" expr="2"/></datamodel></state></scxml>`;
    const chart = readScxml(bytes(xml));
    expect(readScxml(bytes(writeScxml(chart)))).toEqual(chart);
    expect(marks(writeScxml(chart))).toEqual(['1 datamodel', '2 datamodel']);
  });

  test('cannot stand for an element of the standard in any other place', () => {
    const extension = { namespace: 'http://www.w3.org/2005/07/scxml', local: 'state', attributes: {}, children: [] };
    const chart = { ...readYaml('format: warrant.chart/1\nstates: { a: {} }\n'), extensions: [extension] };
    expect(() => writeScxml(chart)).toThrow('<state>');
  });

  test('a chart in a message is a text', () => {
    const inner = '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><final id="f"/></scxml>';
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"><onentry><send event="e"><content>${inner}</content></send></onentry></state></scxml>`;
    const chart = readScxml(bytes(xml));
    expect(chart.states[0]?.onEntry).toEqual([[{ type: 'send', event: 'e', content: { value: inner } }]]);
    expect(readScxml(bytes(writeScxml(chart)))).toEqual(chart);
  });
});

function faults(
  read: () => { chart: ChartIr; placeOf: (path: string) => { line: number; column: number } | undefined },
) {
  try {
    const { chart, placeOf } = read();
    compileChart(chart, { dataModel: celDataModel(), placeOf });
    return [];
  } catch (error) {
    return faultsOf(error as never).map(({ code, path, line, column }) => `${code} ${path} ${line}:${column}`);
  }
}

describe('a survey', () => {
  test('tells the faults of reading, and gives what is left for those of compiling', () => {
    const yaml = surveyYaml('format: warrant.chart/1\nbogus: 1\nstates:\n  a: { on: { x: b } }\n');
    const scxml = surveyScxml(
      new TextEncoder().encode(
        '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" bogus="1">\n<state id="a"><transition event="x" target="b"/></state></scxml>',
      ),
    );
    for (const { chart, faults: found, placeOf } of [yaml, scxml]) {
      expect(found).toHaveLength(1);
      expect(faults(() => ({ chart, placeOf }))).toEqual([expect.stringMatching(/^unknown-target /)]);
    }
    expect([yaml, scxml].map(({ faults: [first] }) => [first?.code, first?.line])).toEqual([
      ['unknown-key', 2],
      ['unknown-attribute', 1],
    ]);
  });

  test('of what is no chart at all is an error', () => {
    expect(faults(() => surveyYaml('format: ['))).toHaveLength(1);
    expect(faults(() => surveyScxml(new TextEncoder().encode('<scxml>')))).toHaveLength(1);
  });
});

describe('faults have places', () => {
  test('in SCXML', () => {
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
  <state id="a">
    <onentry><assign location="x" expr="1 +"/></onentry>
    <transition event="go" target="nowhere"/>
    <transition event="go"
                cond="1 + true" target="a"/>
  </state>
  <state id="a"/>
</scxml>`;
    expect(faults(() => readScxmlDocument(bytes(xml)))).toEqual([
      'expression /states/0/onEntry/0/0/expr 3:14',
      'duplicate-id /states/1/id 8:3',
      'unknown-target /states/0/transitions/0/targets 4:5',
      'expression /states/0/transitions/1/cond 5:5',
    ]);
  });
  test('in YAML', () => {
    const yaml = `format: warrant.chart/1
states:
  a:
    entry:
      - assign: { location: x, expr: 1 + }
    on:
      go:
        - nowhere
        - target: b
          cond: 1 + true
  b:
    type: parallel
    states: { f: { type: final } }
  lonely: {}
`;
    expect(faults(() => readYamlDocument(bytes(yaml)))).toEqual([
      'expression /states/0/onEntry/0/0/expr 5:38',
      'unknown-target /states/0/transitions/0/targets 8:11',
      'expression /states/0/transitions/1/cond 10:17',
      'nesting /states/1/states/0 13:18',
      'unreachable /states/2 14:11',
    ]);
    expect(faults(() => readYamlDocument('format: warrant.chart/1\nstates:\n  a: {}\n  lonely: {}\n'))).toEqual([
      'unreachable /states/1 4:11',
    ]);
  });
  test('and all are told at once', () => {
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
<state id="a"><transition event="x" target="nope"/><transition event="y" cond="ctx.n +" target="b"/></state>
<state id="b" initial="a"><state id="b1"/></state>
<state id="c"><history id="h"/></state>
<final id="f"><state id="in"/><invoke src="x" type="t:u"/><transition event="e" target="a"/></final>
<history id="hh"><transition target="a"/><onentry/><state id="hs"/></history>
<parallel id="p"/>
</scxml>`;
    expect(faults(() => readScxmlDocument(bytes(xml)))).toEqual([
      'unknown-target /states/0/transitions/0/targets 2:15',
      'expression /states/0/transitions/1/cond 2:52',
      'history-default /states/2/states/0 4:15',
      'initial /states/1 3:1',
      'unreachable /states/1/states/0 3:27',
      'unreachable /states/2 4:1',
      'nesting /states/3 5:1',
      'nesting /states/3 5:1',
      'nesting /states/3 5:1',
      'unreachable /states/3 5:1',
      'unreachable /states/3/states/0 5:15',
      'nesting /states/4 6:1',
      'nesting /states/4 6:1',
      'nesting /states/4 6:1',
      'unreachable /states/4/states/0 6:52',
      'nesting /states/5 7:1',
      'unreachable /states/5 7:1',
    ]);
  });
  test.each([
    [
      'of those that share an id',
      '<state id="a"><transition event="e" target="b"/></state><state id="b"><state id="b1"/></state><state id="b"/>',
      ['duplicate-id'],
    ],
    [
      'below a default that is unknown',
      '<state id="a" initial="x"><state id="b"/><state id="c"/></state>',
      ['unknown-target', 'initial'],
    ],
    [
      'beside a history without a default',
      '<state id="a"><transition event="e" target="h"/></state><state id="b"><history id="h"/><state id="c"/><state id="d"/></state>',
      ['history-default'],
    ],
  ])('but of states %s none is called unreachable', (_, states, codes) => {
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml">${states}</scxml>`;
    expect(faults(() => readScxmlDocument(bytes(xml))).map((fault) => fault.split(' ')[0])).toEqual(codes);
  });
  test('which are looked up for those that are told alone, however many there are', () => {
    const deep = Array.from({ length: 4000 }, (_, at) => `<state id="s${at}"/>`).join('');
    const xml = `<scxml xmlns="http://www.w3.org/2005/07/scxml"><state id="a"/>${deep}</scxml>`;
    const { chart, placeOf } = readScxmlDocument(bytes(xml));
    let asked = 0;
    const counting = (path: string) => {
      asked += 1;
      return placeOf(path);
    };
    try {
      compileChart(chart, { dataModel: celDataModel(), placeOf: counting });
      expect.unreachable();
    } catch (error) {
      expect(faultsOf(error as never)).toHaveLength(100);
      expect((error as Error).message).toContain('and at least 3900 more');
    }
    expect(asked).toBe(100);
  });
  test.each([
    ['a name', 'name: "\\uD800"\nstates: { a: {} }', ['wrong-value /name 2:7']],
    ['an id', 'states: { "\\uDC00": {} }', ['wrong-value /states/\udc00 2:21']],
    ['an event', 'states: { a: { on: { "\\uD800": a } } }', ['wrong-value /states/a/on/\ud800 2:32']],
    [
      'a label and a condition',
      'states: { a: { entry: [log: "\\uD800"], on: { e: { cond: "\\uDFFF", target: a } } } }',
      ['wrong-value /states/a/entry/0/log 2:29', 'wrong-value /states/a/on/e/cond 2:57'],
    ],
    ['a whole character, which is none', 'name: "\\uD83D\\uDE00"\nstates: { a: {} }', []],
  ])('of half a character in %s', (_, yaml, expected) => {
    const found = faults(() => readYamlDocument(`format: warrant.chart/1\n${yaml}\n`));
    expect([...found].sort()).toEqual(expected);
  });
  test('also what cannot be read', () => {
    expect(faults(() => readYamlDocument('format: warrant.chart/1\nstates:\n  a: { onn: {} }\n'))).toEqual([
      'unknown-key /states/a/onn 3:8',
    ]);
    expect(
      faults(() =>
        readScxmlDocument(bytes('<scxml xmlns="http://www.w3.org/2005/07/scxml">\n<state><script/></state></scxml>')),
      ),
    ).toEqual(['unknown-element /scxml/state[1]/script[1] 2:8']);
    expect(faults(() => readYamlDocument('format: warrant.chart/1\nstates:\n  1: {}\n  a: {}\n'))[0]).toMatch(
      /^number-key/,
    );
  });
});
