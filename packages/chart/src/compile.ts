import { type Digest, isWarrantError } from '@warrant/core';
import type { Chart, ChartNode, Transition } from './chart.ts';
import { chartDigest } from './chart-digest.ts';
import { checkContent } from './check-content.ts';
import {
  type ContentCompiler,
  compileBlock,
  compileInvoke,
  compilePayload,
  contentCompiler,
  givenValue,
} from './compile-content.ts';
import type { DataModel } from './data-model.ts';
import { type Descriptor, parseDescriptor } from './event.ts';
import type { EventTypes, EventTypesCompiler } from './event-types.ts';
import { type ChartFault, chartInvalid, faultsOf } from './fault.ts';
import type { ChartIr, DataItem, StateIr, TransitionIr } from './ir.ts';
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

/** Faults after which it is not known where transitions lead. */
const LEADS_ASTRAY: ReadonlySet<string> = new Set([
  'unknown-target',
  'duplicate-id',
  'initial',
  'history-default',
  'src',
]);

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
type Draft = Mutable<Omit<ChartNode, 'children' | 'transitions' | 'parent'>> & {
  children: ChartNode[];
  transitions: Transition[];
  parent: ChartNode | undefined;
};
type Pending = { readonly node: Draft; readonly ir: StateIr | ChartIr; readonly path: string };

/**
 * Makes a chart ready to step.
 * @throws CHART_INVALID with every fault and its path.
 */
export function compileChart(ir: ChartIr, options: CompileOptions = {}): Chart {
  const faults: ChartFault[] = [];
  const lenient = options.lenient === true;
  const dataModel = modelFor(ir, options, faults);
  const resolved = resolveSources(ir, options.resolver, faults);
  const builder = createBuilder(contentCompiler(dataModel, lenient ? [] : faults), faults);
  builder.declare(resolved);
  builder.connect();
  faults.push(
    ...checkNodes(builder.nodes, builder.paths, {
      unreachable: !lenient && !faults.some(({ code }) => LEADS_ASTRAY.has(code)),
    }),
  );
  faults.push(...checkContent(resolved).filter(({ code }) => !lenient || code !== 'delay'));
  if (!lenient && !faults.some(({ code }) => code === 'src'))
    faults.push(...invokedFaults(builder.nodes, builder.paths, options));
  const types = typesOf(ir, options, faults);
  if (faults.length > 0) throw chartInvalid(faults.map((fault) => ({ ...options.placeOf?.(fault.path), ...fault })));
  return {
    ir,
    digest: digestOf(resolved),
    name: ir.name ?? '',
    dataModel,
    binding: ir.binding,
    nodes: builder.nodes,
    byId: builder.byId,
    transitions: transitionsOf(builder.nodes),
    types,
    limits: { ...defaultLimits, ...options.limits },
    plans: new Map(),
  };
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
function invokedFaults(
  nodes: readonly ChartNode[],
  paths: ReadonlyMap<ChartNode, string>,
  options: CompileOptions,
): readonly ChartFault[] {
  const { placeOf: _, ...inner } = options;
  const invoking = nodes.filter((node) => node.invokes.length > 0);
  return invoking.flatMap((node) =>
    node.invokes.flatMap(({ chart }, index) => {
      if (chart === undefined) return [];
      try {
        compileChart(chart, inner);
        return [];
      } catch (error) {
        if (!isWarrantError(error, 'CHART_INVALID')) throw error;
        const prefix = `${paths.get(node) ?? ''}/invokes/${index}/content/chart`;
        return faultsOf(error).map((fault) => ({ ...fault, path: `${prefix}${fault.path}` }));
      }
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

const NOTHING: readonly never[] = [];

type Builder = {
  readonly nodes: Draft[];
  readonly byId: Map<string, Draft>;
  readonly paths: Map<ChartNode, string>;
  declare(ir: ChartIr): void;
  connect(): void;
};

function createBuilder(compiler: ContentCompiler, faults: ChartFault[]): Builder {
  const nodes: Draft[] = [];
  const byId = new Map<string, Draft>();
  const paths = new Map<ChartNode, string>();
  const pending: Pending[] = [];
  const counter = () => {
    let count = 0;
    return () => {
      count += 1;
      return count;
    };
  };
  const descriptors = new Map<string, Descriptor>();
  const descriptorOf = (event: string): Descriptor => {
    const known = descriptors.get(event) ?? parseDescriptor(event);
    descriptors.set(event, known);
    return known;
  };
  const nextTransition = counter();
  const nextInvoke = counter();

  const add = (ir: StateIr | ChartIr, parent: Draft | undefined, path: string): Draft => {
    const node = draftOf(ir, nodes.length, parent);
    nodes.push(node);
    paths.set(node, path);
    pending.push({ node, ir, path });
    if (byId.has(node.id))
      faults.push({ code: 'duplicate-id', path: `${path}/id`, message: `the id '${node.id}' is taken already` });
    byId.set(node.id, node);
    fill(node, ir, path);
    for (const [index, child] of ir.states.entries()) node.children.push(add(child, node, `${path}/states/${index}`));
    node.last = nodes.length - 1;
    return node;
  };

  const fill = (node: Draft, ir: StateIr | ChartIr, path: string): void => {
    if (ir.data.length > 0)
      node.data = ir.data.map((item: DataItem, index) => ({
        id: item.id,
        value: givenValue(compiler, item.expr, item.value, `${path}/data/${index}`),
      }));
    if (!('type' in ir)) return;
    if (ir.onEntry.length > 0)
      node.onEntry = ir.onEntry.map((block, index) => compileBlock(compiler, block, `${path}/onEntry/${index}`));
    if (ir.onExit.length > 0)
      node.onExit = ir.onExit.map((block, index) => compileBlock(compiler, block, `${path}/onExit/${index}`));
    if (ir.invokes.length > 0)
      node.invokes = ir.invokes.map((invoke, index) =>
        compileInvoke(compiler, invoke, nextInvoke(), `${path}/invokes/${index}`),
      );
    if (ir.doneData !== undefined) node.doneData = compilePayload(compiler, ir.doneData, `${path}/doneData`);
  };

  const connectOne = ({ node, ir, path }: Pending): void => {
    const compiled: Transition[] = [];
    if ('type' in ir)
      for (const [index, one] of ir.transitions.entries())
        compiled.push(transition(node, one, index, `${path}/transitions/${index}`));
    if (node.type === 'history') {
      node.initial = compiled[0];
      if (compiled.length !== 1)
        faults.push({ code: 'history-default', path, message: 'a history has exactly one transition: its default' });
    } else node.transitions = compiled;
    if (node.type === 'compound') node.initial = initialOf(node, ir.initial, path);
  };

  const initialOf = (node: Draft, given: StateIr['initial'], path: string): Transition => {
    const first = node.children.find((child) => child.type !== 'history');
    const asTransition: TransitionIr =
      given !== undefined && 'targets' in given
        ? given
        : { events: [], targets: given ?? (first === undefined ? [] : [first.id]), type: 'external', content: [] };
    if (given !== undefined && !('targets' in given) && given.length === 0)
      faults.push({ code: 'initial', path: `${path}/initial`, message: 'an initial names at least one state' });
    return transition(node, asTransition, 'initial', `${path}/initial`);
  };

  const transition = (source: Draft, ir: TransitionIr, index: number | string, path: string): Transition => ({
    id: `${source.id}#${index}`,
    order: nextTransition(),
    source,
    events: ir.events,
    descriptors: ir.events.length === 0 ? NOTHING : ir.events.map(descriptorOf),
    cond: ir.cond === undefined ? undefined : compiler.condition(ir.cond, `${path}/cond`),
    targets: targetsOf(ir.targets, path),
    internal: ir.type === 'internal',
    content: ir.content.length === 0 ? NOTHING : compileBlock(compiler, ir.content, `${path}/content`),
    extensions: ir.extensions ?? NOTHING,
  });

  const targetsOf = (ids: readonly string[], path: string): readonly ChartNode[] => {
    const targets: ChartNode[] = [];
    for (const id of ids) {
      const node = byId.get(id);
      if (node === undefined)
        faults.push({ code: 'unknown-target', path: `${path}/targets`, message: `there is no state '${id}'` });
      else targets.push(node);
    }
    return targets;
  };

  return {
    nodes,
    byId,
    paths,
    declare: (ir) => void add(ir, undefined, ''),
    connect: () => {
      pending.forEach(connectOne);
      nodes.forEach(summarize);
    },
  };
}

function draftOf(ir: StateIr | ChartIr, index: number, parent: Draft | undefined): Draft {
  return {
    index,
    id: ('id' in ir ? ir.id : undefined) ?? `#${index}`,
    type: typeOf(ir),
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    last: index,
    children: [],
    transitions: [],
    initial: undefined,
    deep: 'history' in ir && ir.history === 'deep',
    onEntry: NOTHING,
    onExit: NOTHING,
    data: NOTHING,
    invokes: NOTHING,
    doneData: undefined,
    extensions: ir.extensions ?? NOTHING,
    histories: NOTHING,
    hasEventless: false,
    leavesQuietly: true,
  };
}

/** What a step asks of a node often. Parents come before their children. */
function summarize(node: Draft): void {
  if (node.children.length > 0) node.histories = node.children.filter(({ type }) => type === 'history');
  node.hasEventless = node.parent?.hasEventless === true || node.transitions.some(({ events }) => events.length === 0);
  node.leavesQuietly = node.onExit.length === 0 && node.invokes.length === 0;
}

function typeOf(ir: StateIr | ChartIr): ChartNode['type'] {
  if (!('type' in ir)) return 'compound';
  if (ir.type !== 'state') return ir.type;
  return ir.states.length > 0 && ir.states.some((child) => child.type !== 'history') ? 'compound' : 'atomic';
}
