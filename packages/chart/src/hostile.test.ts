import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isWarrantError } from '@warrant/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeChart } from '../test/arbitraries.ts';
import { hostileDocuments } from '../test/hostile-documents.ts';
import type { Measured } from '../test/refuse.ts';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import { faultsOf } from './fault.ts';
import type { ChartIr } from './ir.ts';
import { readScxml, writeScxml } from './scxml/index.ts';
import { initial, step } from './step.ts';
import { readYaml, writeYaml } from './yaml/index.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const header = 'format: warrant.chart/1\n';
const dataModel = celDataModel();

/** The faults, as `code line:column`, each with a path. */
function refusal(read: () => unknown): readonly string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (!isWarrantError(error, 'CHART_INVALID')) throw error;
    return faultsOf(error).map(({ code, line, column }) => `${code} ${line}:${column}`);
  }
}

describe('a document with', () => {
  test.each(hostileDocuments)('$name is refused as $surface', ({ surface, bytes, fault }) => {
    const document = bytes();
    expect(refusal(() => (surface === 'scxml' ? readScxml(document) : readYaml(document)))[0]).toMatch(fault);
  });
});

/** What it took a process of its own to refuse documents, one or all of them. */
function measured(names: readonly string[]): readonly Measured[] {
  const script = join(import.meta.dirname, '../test/refuse.ts');
  const node = ['--import', 'tsx', '--conditions=@warrant/source', '--expose-gc', script, ...names];
  const { stdout, stderr, status } = spawnSync(process.execPath, node, { encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Measured);
}

const soak = process.env['WARRANT_SOAK'] !== undefined;

/** The goal is a second and 256 MB each, on a machine that does nothing else; the soak prints the figures. */
test('refusing costs little time and memory', { timeout: 600_000 }, () => {
  const keys = hostileDocuments.map(({ name, surface }) => `${surface}: ${name}`);
  const all = soak ? keys.flatMap((key) => measured([key])) : measured([]);
  expect(all.map(({ name }) => name)).toEqual(keys);
  if (soak) console.table(all);
  for (const { name, refused, cpuMs, grownMb } of all) {
    expect(refused, name).toBe(true);
    if (soak) expect(cpuMs, name).toBeLessThan(30_000);
    expect(grownMb, name).toBeLessThan(soak ? 256 : 512);
  }
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
  const numRuns = soak ? 20_000 : 400;
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
        refusal(() => compileChart(read(bytes(text)), { dataModel, lenient: true }));
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
    const [state, effects] = initial(chart, { sessionId: 's', at });
    expect(state).toMatchObject({ status: 'stopped', stopped: { code: 'chart.limit' } });
    expect(state.stopped?.message).toContain(limit);
    expect(effects.at(-1)).toMatchObject({ type: 'stopped' });
    expect(step(chart, state, { at, event: { name: 'e' } })).toEqual([state, []]);
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
