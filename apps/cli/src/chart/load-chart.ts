import { readFileSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import {
  type Chart,
  type ChartFault,
  type ChartIr,
  chartInvalid,
  compileChart,
  faultsOf,
  MAX_FAULTS,
  type PlaceOf,
  type ReadChart,
  type ResolvedSource,
  type SourceRequest,
  type SurveyedChart,
} from '@warrant/chart';
import { celDataModel } from '@warrant/chart/cel';
import { parseChart } from '@warrant/chart/schemas';
import { surveyScxml } from '@warrant/chart/scxml';
import { eventTypes } from '@warrant/chart/types';
import { surveyYaml } from '@warrant/chart/yaml';
import { isWarrantError, type Json, WarrantError } from '@warrant/core';
import { jsonFault } from './json-fault.ts';

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
  return loadSurveyed(directory, given, surveyChartFile(resolve(directory, given)), variables);
}

/** The same of a file that was looked at already. @throws CHART_INVALID with every fault */
export function loadSurveyed(
  directory: string,
  given: string,
  { chart: ir, placeOf, faults }: SurveyedChart,
  variables: readonly string[] = [],
): LoadedChart {
  const dataModel = celDataModel({ variables });
  const options = { dataModel, types: eventTypes(), resolver: resolverIn(dirname(resolve(directory, given))) };
  const compile = (inner: ChartIr) => compileChart(inner, options);
  const compileThis = () => compileChart(ir, { ...options, placeOf });
  if (faults.length >= MAX_FAULTS) throw chartInvalid(faults);
  if (faults.length > 0) throw chartInvalid([...faults, ...faultsIn(compileThis)]);
  return { file: given, ir, chart: compileThis(), placeOf, compile };
}

/** What compiling says of a chart of which parts are missing. */
function faultsIn(compile: () => unknown): readonly ChartFault[] {
  try {
    compile();
    return [];
  } catch (error) {
    return isWarrantError(error, 'CHART_INVALID') ? faultsOf(error) : [];
  }
}

/** The chart in a file as it is written, not compiled. @throws CHART_INVALID */
export function readChartFile(file: string): ReadChart {
  const { faults, ...read } = surveyChartFile(file);
  if (faults.length > 0) throw chartInvalid(faults);
  return read;
}

/** What can be read of a chart in a file: SCXML, YAML or the JSON form, told apart by the file's name. */
export function surveyChartFile(file: string): SurveyedChart {
  const bytes = readFileSync(file);
  const kind = extname(file).toLowerCase();
  if (kind === '.scxml' || kind === '.xml') return surveyScxml(bytes);
  if (kind === '.yaml' || kind === '.yml') return surveyYaml(bytes);
  if (kind === '.json') return { chart: parseChart(jsonOf(bytes)), placeOf: () => undefined, faults: [] };
  throw new WarrantError('CLI_USAGE', 'a chart is a file that ends in .scxml, .xml, .yaml, .yml or .json');
}

/** A chart of ten thousand states. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

function jsonOf(bytes: Uint8Array): unknown {
  if (bytes.byteLength > MAX_JSON_BYTES)
    throw faulty({
      code: 'too-large',
      path: '',
      message: `the document has ${bytes.byteLength} bytes, at most ${MAX_JSON_BYTES} are read`,
    });
  const text = decoded(bytes);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw faulty(jsonFault(text, error as Error));
  }
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw faulty({ code: 'not-utf8', path: '', message: 'the document is not valid UTF-8' });
  }
}

function faulty(fault: ChartFault): WarrantError<'CHART_INVALID'> {
  return chartInvalid([{ line: 1, column: 1, ...fault }]);
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
