import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { chartArbitrary } from '../../test/arbitraries.ts';
import { faultsOf } from '../fault.ts';
import { writeYaml } from '../yaml/index.ts';
import { chartJsonSchemas, chartYamlSchema, parseChart } from './index.ts';

const folder = join(import.meta.dirname, '../../schema');
const schemas = chartJsonSchemas();

test.each(Object.keys(schemas))('%s in the repository is what the schemas say', (file) => {
  const text = `${JSON.stringify(schemas[file], null, 2)}\n`;
  if (process.env['WARRANT_WRITE_SCHEMAS'] !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
});

describe('a generated chart', () => {
  const ajv = new Ajv2020({ strict: false });
  const [form, surface] = [schemas['chart.schema.json'], schemas['chart-yaml.schema.json']].map((schema) =>
    ajv.compile(schema as object),
  );
  test('is of the JSON form, by zod and by ajv, and what is written of the YAML surface', () => {
    fc.assert(
      fc.property(chartArbitrary, (ir) => {
        expect(parseChart(ir)).toEqual(ir);
        expect(form?.(ir)).toBe(true);
        const yaml: unknown = parse(writeYaml(ir));
        expect(chartYamlSchema.safeParse(yaml).success).toBe(true);
        expect(surface?.(yaml)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
  test('with one part spoilt is refused by both', () => {
    fc.assert(
      fc.property(chartArbitrary, fc.nat(), fc.constantFrom<unknown>(null, 7, 'x', { x: 1 }), (ir, at, value) => {
        const copy = JSON.parse(JSON.stringify(ir)) as { states: Record<string, unknown>[] };
        const state = copy.states[at % copy.states.length] as Record<string, unknown>;
        const keys = ['type', 'transitions', 'onEntry', 'invokes', 'states', 'unknown'];
        state[keys[at % keys.length] as string] = value;
        expect(form?.(copy)).toBe(false);
        expect(() => parseChart(copy)).toThrow();
      }),
      { numRuns: 20 },
    );
  });
});

test.each([
  ['/states/0/type', { states: [{ type: 'stat' }] }],
  ['/name', { states: [], name: 'half \ud800' }],
  ['/data/0/value', { states: [], data: [{ id: 'x', value: Number.NaN }] }],
])('faults of the JSON form have paths: %s', (path, members) => {
  try {
    parseChart({ datamodel: 'cel', binding: 'early', data: [], ...members });
    expect.unreachable();
  } catch (error) {
    expect(faultsOf(error as never).map((fault) => fault.path)).toContain(path);
  }
});

test.each([
  [
    'nesting',
    (() => {
      let value: unknown = [];
      for (let depth = 0; depth < 100_000; depth += 1) value = [value];
      return value;
    })(),
  ],
  ['functions', { datamodel: () => 1 }],
  [
    'cycles',
    (() => {
      const value: { self?: unknown } = {};
      value.self = value;
      return value;
    })(),
  ],
])('%s are refused with a code', (_, value) => {
  expect(() => parseChart(value)).toThrow(expect.objectContaining({ code: 'CHART_INVALID' }));
});
