import { readFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import {
  type Chart,
  type ChartIr,
  compileChart,
  type PlaceOf,
  type ResolvedSource,
  type SourceRequest,
} from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { parseChart } from '@warrant/chart/schemas';
import { readScxmlDocument } from '@warrant/chart/scxml';
import { eventTypes } from '@warrant/chart/types';
import { readYamlDocument } from '@warrant/chart/yaml';
import { type Json, WarrantError } from '@warrant/core';

export type LoadedChart = {
  readonly file: string;
  readonly ir: ChartIr;
  readonly chart: Chart;
  readonly placeOf: PlaceOf;
  /** Compiles a chart that this one invokes. */
  readonly compile: (ir: ChartIr) => Chart;
};

/** Reads and compiles a chart; what its `src` names is read from its own folder. @throws CHART_INVALID with every fault */
export function loadChart(directory: string, given: string, variables: readonly string[] = []): LoadedChart {
  const file = resolve(directory, given);
  const { chart: ir, placeOf } = readChartFile(file);
  const dataModel = celDataModel({ variables });
  const options = { dataModel, types: eventTypes(), resolver: resolverIn(dirname(file)) };
  const compile = (inner: ChartIr) => compileChart(inner, options);
  return { file: given, ir, chart: compileChart(ir, { ...options, placeOf }), placeOf, compile };
}

/** The chart in a file as it is written, not compiled: SCXML, YAML or the JSON form, told apart by the file's name. */
export function readChartFile(file: string): { readonly chart: ChartIr; readonly placeOf: PlaceOf } {
  const bytes = readFileSync(file);
  const kind = extname(file).toLowerCase();
  if (kind === '.scxml' || kind === '.xml') return readScxmlDocument(bytes);
  if (kind === '.yaml' || kind === '.yml') return readYamlDocument(bytes);
  if (kind === '.json') return { chart: parseChart(jsonOf(bytes, file)), placeOf: () => undefined };
  throw new WarrantError('CLI_USAGE', 'a chart is a file that ends in .scxml, .xml, .yaml, .yml or .json');
}

function jsonOf(bytes: Uint8Array, file: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new WarrantError('CHART_INVALID', `${file} is no JSON document`, { data: { faults: [] }, cause });
  }
}

/** Reads what `src` names, from the folder and nowhere else. */
export function resolverIn(folder: string): (request: SourceRequest) => ResolvedSource {
  return ({ kind, src }) => {
    const file = resolve(folder, src.replace(/^file:/, ''));
    if (relative(folder, file).startsWith('..')) throw new Error('it lies outside of the folder of the chart');
    if (kind === 'invoke') return { chart: readChartFile(file).chart };
    const text = readFileSync(file, 'utf8');
    try {
      return { value: JSON.parse(text) as Json };
    } catch {
      return { value: text };
    }
  };
}
