import { describe, expect, test } from 'vitest';
import { celDataModel } from './cel/index.ts';
import { compileChart } from './compile.ts';
import type { SourceResolver } from './resolve.ts';
import { createSession } from './session/index.ts';
import { initial } from './step.ts';
import { readYaml } from './yaml/index.ts';

const dataModel = celDataModel();
const parent = readYaml(`format: warrant.chart/1
data: [ { id: prices, src: prices.json } ]
states:
  a: { invoke: { src: child.yaml, id: c }, on: { done.invoke.c: b } }
  b: { type: final }
`);
const child = (result: string) =>
  readYaml(`format: warrant.chart/1\nstates: { f: { type: final, donedata: { content: { expr: "${result}" } } } }`);

const resolving =
  (price: number, result = '1'): SourceResolver =>
  ({ kind }) =>
    kind === 'data' ? { value: { apple: price } } : { chart: child(result) };

describe('a src', () => {
  test('is read when the chart is compiled, and its content is part of the digest', () => {
    const chart = compileChart(parent, { dataModel, resolver: resolving(3) });
    const [state] = initial(chart, { sessionId: 's', at: '2026-01-01T00:00:00.000Z' });
    expect(state.data).toEqual({ prices: { apple: 3 } });
    expect(compileChart(parent, { dataModel, resolver: resolving(3) }).digest).toBe(chart.digest);
    expect(compileChart(parent, { dataModel, resolver: resolving(4) }).digest).not.toBe(chart.digest);
    expect(compileChart(parent, { dataModel, resolver: resolving(3, '2') }).digest).not.toBe(chart.digest);
  });
  test('of an invoke is the chart that runs', () => {
    const session = createSession({
      chart: compileChart(parent, { dataModel, resolver: resolving(3) }),
      invoked: ({ chart }) => compileChart(chart ?? parent, { dataModel }),
    });
    expect(session.state().status).toBe('done');
  });
  test('without a resolver is a fault with its path', () => {
    expect(() => compileChart(parent, { dataModel })).toThrow(
      '/data/0/src: this src needs a resolver, and none was given\n/states/0/invokes/0/src: this src needs',
    );
  });
  test('that cannot be read, or leads back to itself, is a fault', () => {
    const failing: SourceResolver = () => {
      throw new Error('no such file');
    };
    expect(() => compileChart(parent, { dataModel, resolver: failing })).toThrow('no such file');
    const circular: SourceResolver = ({ kind }) => (kind === 'data' ? { value: 1 } : { chart: parent });
    expect(() => compileChart(parent, { dataModel, resolver: circular })).toThrow('without end');
  });
  test('of another kind of service is a name, not a source', () => {
    const named = readYaml(
      'format: warrant.chart/1\nstates: { a: { invoke: { type: "vt:tool", src: "https://example.org/t" }, on: { x: a } } }',
    );
    expect(() => compileChart(named, { dataModel })).not.toThrow();
  });
});
