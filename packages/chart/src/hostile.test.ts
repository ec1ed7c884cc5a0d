import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWarrantError } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeChart } from '../test/arbitraries.ts';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { faultsOf } from './fault.ts';
import type { ChartIr } from './ir.ts';
import { readScxml, writeScxml } from './scxml/index.ts';
import { initial, step } from './step.ts';
import { readYaml, writeYaml } from './yaml/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const NS = 'xmlns="http://www.w3.org/2005/07/scxml"';
const dataModel = celDataModel();

/** The faults, as `code line:column`, and the processor time it took. */
function refusal(read: () => unknown): { readonly faults: readonly string[]; readonly cpuMs: number } {
  const start = process.cpuUsage();
  const spent = () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
  try {
    read();
    return { faults: [], cpuMs: spent() };
  } catch (error) {
    if (!isWarrantError(error, 'CHART_INVALID')) throw error;
    return { faults: faultsOf(error).map((one) => `${one.code} ${one.line}:${one.column}`), cpuMs: spent() };
  }
}

const xml: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  ['a DOCTYPE', `<!DOCTYPE scxml SYSTEM "x.dtd"><scxml ${NS}/>`, /^doctype 1:/],
  [
    'an entity bomb',
    `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><scxml ${NS} name="&b;"/>`,
    /^doctype 1:/,
  ],
  ['an unknown entity', `<scxml ${NS} name="&b;"/>`, /^xml 1:/],
  ['10,000 levels', `<scxml ${NS}>${'<state>'.repeat(10_000)}`, /^too-deep 1:/],
  ['100 MB', new Uint8Array(100 * 1024 * 1024).fill(0x20), /^too-large 1:1/],
  ['invalid UTF-8', new Uint8Array([0x3c, 0xff, 0xfe]), /^not-utf8 1:1/],
  ['an undefined prefix', `<scxml ${NS}>\n<vt:x/></scxml>`, /^xml 2:/],
  ['an attribute twice', `<scxml ${NS} name="a" name="b"/>`, /^xml 1:/],
  ['the same attribute under two prefixes', `<scxml ${NS} xmlns:a="u:x" xmlns:b="u:x" a:y="1" b:y="2"/>`, /^xml 1:/],
  ['no end', `<scxml ${NS}><state id="a">`, /^xml 1:/],
  ['nothing', '', /^xml 1:/],
  ['another root', '<html/>', /^root 1:1/],
  ['half a million elements', `<scxml ${NS}>${'<a/>'.repeat(500_000)}</scxml>`, /^too-large 1:/],
  [
    'many attributes',
    `<scxml ${NS} ${Array.from({ length: 150_000 }, (_, at) => `a${at}=""`).join(' ')}/>`,
    /^unknown-attribute 1:1/,
  ],
  [
    'a script',
    `<scxml ${NS}>\n <state id="a"><onentry>\n  <script>x</script></onentry></state></scxml>`,
    /^script 3:3/,
  ],
  ['a control character', `<scxml ${NS} name="\u0001"/>`, /^xml 1:/],
];

const header = 'format: warrant.chart/1\n';
const yaml: readonly (readonly [string, string | Uint8Array, RegExp])[] = [
  [
    'aliases that explode',
    `${header}a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\ndata: [*c,*c,*c,*c,*c,*c]\n`,
    /^too-many-aliases 1:1/,
  ],
  ['an alias of itself', `${header}data: &a { x: *a }\nstates: { a: {} }\n`, /^cyclic-alias 2:15/],
  ['a key twice', `${header}states:\n  a: {}\n  a: {}\n`, /^duplicate-key 4:3/],
  ['5,000 levels', `${header}states: ${'{ a: { states: '.repeat(5000)}`, /^(too-deep|syntax) /],
  ['150 closed levels', `${header}data: { x: ${'['.repeat(150)}${']'.repeat(150)} }\n`, /^too-deep 2:/],
  ['100 MB', new Uint8Array(100 * 1024 * 1024).fill(0x20), /^too-large 1:1/],
  ['invalid UTF-8', new Uint8Array([0x61, 0xff]), /^not-utf8 1:1/],
  ['a foreign tag', `${header}name: !!js/function x\n`, /^foreign-tag 2:/],
  ['several documents', `${header}---\n${header}`, /^several-documents /],
  ['no header', 'states: { a: {} }\n', /^header 1:1/],
  ['both headers', `vertep: 1\n${header}states: { a: {} }\n`, /^header /],
  ['a list', '- a\n', /^wrong-type 1:1/],
  ['nothing', '', /^wrong-type 1:1/],
  ['a prototype', `${header}__proto__: { states: 1 }\nstates: { a: {} }\n`, /^unknown-key 2:1/],
  ['numbers that JSON lacks', `${header}data: { x: .inf }\nstates: { a: {} }\n`, /^wrong-value 2:/],
];

describe('a document with', () => {
  test.each(xml)('%s is refused as SCXML', (_, text, fault) => {
    const { faults, cpuMs } = refusal(() => readScxml(typeof text === 'string' ? bytes(text) : text));
    expect(faults[0]).toMatch(fault);
    expect(cpuMs).toBeLessThan(3000);
  });
  test.each(yaml)('%s is refused as YAML', (_, text, fault) => {
    const { faults, cpuMs } = refusal(() => readYaml(text));
    expect(faults[0]).toMatch(fault);
    expect(cpuMs).toBeLessThan(3000);
  });
});

/** Real charts, and the official ones where they are at hand. */
function samples(): readonly string[] {
  const folder = join(import.meta.dirname, '../../../../shared/w3c-scxml');
  const official = existsSync(folder) ? readdirSync(folder).filter((name) => /^test\d+\.txml$/.test(name)) : [];
  let count = 0;
  const made = Array.from({ length: 4 }, (_, seed) =>
    makeChart((bound) => {
      count += 1;
      return (count * 7919 + seed * 104_729) % bound;
    }),
  );
  return [
    ...official
      .slice(0, 20)
      .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('conf:datamodel=""', 'datamodel="cel"')),
    ...made.map((ir) => writeScxml(ir)),
    ...made.map((ir) => writeYaml(ir)),
  ];
}

test('documents mutated from real ones give charts or typed errors, nothing else', () => {
  const real = samples();
  const numRuns = process.env['WARRANT_SOAK'] === undefined ? 400 : 20_000;
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat({ max: 30 }),
    text: fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.constantFrom('<', '/>', '&#0;', '"', '\n- ', ': {', '*', '&a ', '<state>', ']]>', '\u0000', '__proto__'),
    ),
  });
  fc.assert(
    fc.property(fc.nat(), fc.array(change, { minLength: 1, maxLength: 4 }), (which, changes) => {
      const text = changes.reduce(
        (before, { at, length, text: inserted }) => {
          const place = at % (before.length + 1);
          return before.slice(0, place) + inserted + before.slice(place + length);
        },
        real[which % real.length] as string,
      );
      for (const read of [readScxml, readYaml]) {
        const { faults } = refusal(() => compileChart(read(bytes(text)), { dataModel, lenient: true }));
        expect(faults.every((fault) => typeof fault === 'string')).toBe(true);
      }
    }),
    { numRuns },
  );
});

const at = '2026-01-01T00:00:00.000Z';
const chartOf = (text: string): ChartIr => readYaml(`${header}${text}`);

describe('a chart that would not end', () => {
  test.each([
    ['comes back without an event', 'states: { a: { always: b }, b: { always: a } }', 'microsteps'],
    [
      'has a condition that fails for ever',
      'states: { a: { always: { cond: ctx.x == 1, target: a }, on: { error.execution: a } } }',
      'microsteps',
    ],
    ['raises for ever', 'states: { a: { entry: [ raise: e ], on: { e: a } } }', 'microsteps'],
    ['sends to itself for ever', 'states: { a: { entry: [ send: { event: e } ], on: { e: a } } }', 'macrosteps'],
    [
      'floods its queue',
      'data: { l: [1,2,3,4,5,6,7,8,9,10] }\nstates: { a: { entry: [ foreach: { array: ctx.l, item: i, do: [ foreach: { array: ctx.l, item: j, do: [ foreach: { array: ctx.l, item: k, do: [ raise: e, raise: e ] } ] } ] } ] } }',
      'internal queue',
    ],
    [
      'loops in loops',
      `data: { l: ${JSON.stringify(Array.from({ length: 200 }, (_, index) => index))} }\nstates: { a: { entry: [ foreach: { array: ctx.l, item: i, do: [ foreach: { array: ctx.l, item: j, do: [ foreach: { array: ctx.l, item: k } ] } ] } ] } }`,
      'foreach',
    ],
    [
      'grows a text',
      'data: { s: x }\nstates: { a: { always: { target: a, do: [ assign: { location: s, expr: ctx.s + ctx.s } ] } } }',
      'microsteps',
    ],
    [
      'grows by sharing',
      'data: { s: [1] }\nstates: { a: { always: { target: a, do: [ assign: { location: s, expr: "[ctx.s, ctx.s]" } ] } } }',
      'data',
    ],
    [
      'nests without end',
      'data: { s: [1] }\nstates: { a: { always: { target: a, do: [ assign: { location: s, expr: "[ctx.s]" } ] } } }',
      'microsteps',
    ],
  ])('%s is stopped', (_, text, limit) => {
    const chart = compileChart(chartOf(text), { dataModel, lenient: true });
    const start = process.cpuUsage();
    const [state, effects] = initial(chart, { sessionId: 's', at });
    const { user } = process.cpuUsage(start);
    expect(state).toMatchObject({ status: 'stopped', stopped: { code: 'chart.limit' } });
    expect(state.stopped?.message).toContain(limit);
    expect(effects.at(-1)).toMatchObject({ type: 'stopped' });
    expect(step(chart, state, { at, event: { name: 'e' } })).toEqual([state, []]);
    expect(user / 1000).toBeLessThan(3000);
  });
  test('in an expression gives an error with the reason cel.cost', () => {
    const long = JSON.stringify(Array.from({ length: 400 }, (_, index) => index));
    const text = `data: { l: ${long}, seen: null }\nstates: { a: { on: { go: { cond: "ctx.l.all(a, ctx.l.all(b, ctx.l.all(c, a + b + c >= 0)))" }, error.execution: { do: [ assign: { location: seen, expr: ev.data } ] }, read: { do: [ assign: { location: seen, expr: "ctx.l.all(a, ctx.l.all(b, ctx.l.all(c, a + b + c >= 0)))" } ] } } } }`;
    const chart = compileChart(chartOf(text), { dataModel });
    const [first] = initial(chart, { sessionId: 's', at });
    expect(step(chart, first, { at, event: { name: 'read' } })[0].data['seen']).toEqual({ reason: 'cel.cost' });
    expect(step(chart, first, { at, event: { name: 'go' } })[0].data['seen']).toMatchObject({
      reason: 'chart.condition',
      transition: 'a#0',
    });
  });
});
