import { type Digest, isWarrantError } from '@warrant/core';
import { buildNodes, type PathOf } from './build-nodes.ts';
import type { Chart, ChartNode, Transition } from './chart.ts';
import { chartDigest } from './chart-digest.ts';
import { checkContent } from './check-content.ts';
import { contentCompiler } from './compile-content.ts';
import type { DataModel } from './data-model.ts';
import type { EventTypes, EventTypesCompiler } from './event-types.ts';
import { type ChartFault, chartInvalid, MAX_FAULTS } from './fault.ts';
import type { ChartIr } from './ir.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { nullDataModel } from './null-data-model.ts';
import type { PlaceOf } from './places.ts';
import { resolveSources, type SourceResolver } from './resolve.ts';
import { checkNodes } from './validate.ts';
import { vtText } from './vt.ts';

export type CompileOptions = {
  /** The language of expressions, such as `celDataModel()`. @default the null data model, where the chart asks for it */
  readonly dataModel?: DataModel;
  readonly limits?: Partial<Limits>;
  /** Expressions and delays that do not compile fail when they are reached, as the standard has it, and states that nothing leads to are let pass. @default false */
  readonly lenient?: boolean;
  /** Where the chart's parts stand in the document it was read from: faults then carry line and column. */
  readonly placeOf?: PlaceOf;
  /** Reads what `src` names. */
  readonly resolver?: SourceResolver;
  /** Compiles the event types that a chart declares, such as `eventTypes()`. */
  readonly types?: EventTypesCompiler;
};

/**
 * Makes a chart ready to step.
 * @throws CHART_INVALID with every fault and its path.
 */
export function compileChart(ir: ChartIr, options: CompileOptions = {}): Chart {
  const { resolved, nodes, byId, dataModel, types, faults } = check(ir, options);
  if (faults.length > 0) throw chartInvalid(placed(faults, options.placeOf));
  return {
    ir,
    digest: digestOf(resolved),
    name: ir.name ?? '',
    dataModel,
    binding: ir.binding,
    nodes,
    byId,
    transitions: transitionsOf(nodes),
    types,
    limits: { ...defaultLimits, ...options.limits },
    plans: new Map(),
  };
}

/** The places of those that are told. */
function placed(faults: readonly ChartFault[], placeOf: PlaceOf | undefined): readonly ChartFault[] {
  return faults.map((fault, index) => (index < MAX_FAULTS ? { ...placeOf?.(fault.path), ...fault } : fault));
}

type Checked = Pick<Chart, 'nodes' | 'byId' | 'dataModel' | 'types'> & {
  readonly resolved: ChartIr;
  readonly faults: readonly ChartFault[];
};

function check(ir: ChartIr, options: CompileOptions): Checked {
  const faults: ChartFault[] = [];
  const lenient = options.lenient === true;
  const dataModel = modelFor(ir, options, faults);
  const resolved = resolveSources(ir, options.resolver, faults);
  const { nodes, byId, pathOf } = buildNodes(resolved, contentCompiler(dataModel, lenient ? [] : faults), faults);
  faults.push(...checkNodes(nodes, pathOf, { unreachable: !lenient }));
  faults.push(...checkContent(resolved).filter(({ code }) => !lenient || code !== 'delay'));
  if (!lenient && !faults.some(({ code }) => code === 'src')) faults.push(...invokedFaults(nodes, pathOf, options));
  const types = typesOf(ir, options, faults);
  return { resolved, nodes, byId, dataModel, types, faults };
}

/** What is no JSON in a chart that was not read from a document is found when it is named. */
function digestOf(ir: ChartIr): Digest {
  try {
    return chartDigest(ir);
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    throw chartInvalid([{ code: 'not-json', path: '', message: error.message }]);
  }
}

function transitionsOf(nodes: readonly ChartNode[]): readonly Transition[] {
  const all: Transition[] = [];
  for (const node of nodes) for (const transition of node.transitions) all.push(transition);
  return all;
}

/** Charts that are invoked are held to the same rules. */
function invokedFaults(nodes: readonly ChartNode[], pathOf: PathOf, options: CompileOptions): readonly ChartFault[] {
  const invoking = nodes.filter((node) => node.invokes.length > 0);
  return invoking.flatMap((node) =>
    node.invokes.flatMap(({ chart }, index) => {
      if (chart === undefined) return [];
      const prefix = `${pathOf(node)}/invokes/${index}/content/chart`;
      const found = check(chart, options).faults.slice(0, MAX_FAULTS);
      return found.map((fault) => ({ ...fault, path: `${prefix}${fault.path}` }));
    }),
  );
}

function typesOf(ir: ChartIr, options: CompileOptions, faults: ChartFault[]): EventTypes | undefined {
  const declarations = vtText(ir.extensions, 'types');
  if (declarations === undefined) return undefined;
  const path = '/extensions';
  if (options.types === undefined) {
    faults.push({ code: 'types', path, message: 'the chart declares event types, and no compiler for them was given' });
    return undefined;
  }
  try {
    return options.types(declarations);
  } catch (error) {
    if (!isWarrantError(error, 'CHART_TYPES')) throw error;
    faults.push({ code: 'types', path, message: error.message });
    return undefined;
  }
}

function modelFor(ir: ChartIr, options: CompileOptions, faults: ChartFault[]): DataModel {
  if (ir.datamodel === 'null') return nullDataModel;
  if (options.dataModel?.name === ir.datamodel) return options.dataModel;
  faults.push({
    code: 'datamodel',
    path: '/datamodel',
    message: `the data model '${ir.datamodel}' was not given to the compiler`,
  });
  return nullDataModel;
}
