import type { Json } from '@warrant/core';
import type { ChartFault } from './fault.ts';
import type { ChartIr, DataItem, InvokeIr, StateIr } from './ir.ts';

export type SourceRequest = { readonly kind: 'data' | 'invoke'; readonly src: string };
/** What stands at a `src`: a value, or for an invoke a chart. */
export type ResolvedSource = { readonly value: Json } | { readonly chart: ChartIr };
/** Reads what a `src` names. What it throws becomes a fault of the chart. */
export type SourceResolver = (request: SourceRequest) => ResolvedSource;

/** Services of this kind are charts; the `src` of any other kind names a service. */
const CHART_SERVICES = new Set(['scxml', 'http://www.w3.org/TR/scxml', 'http://www.w3.org/TR/scxml/']);
const MAX_DEPTH = 16;

/** The chart with the content of every `src` in it, so that the digest covers it. What is resolved already stays. */
export function resolveSources(ir: ChartIr, resolver: SourceResolver | undefined, faults: ChartFault[]): ChartIr {
  return inChart(ir, { resolver, faults, depth: 0 }, '');
}

type Context = {
  readonly resolver: SourceResolver | undefined;
  readonly faults: ChartFault[];
  readonly depth: number;
};

function inChart(ir: ChartIr, context: Context, path: string): ChartIr {
  const data = inAllData(ir.data, context, path);
  const states = inStates(ir.states, context, path);
  return data === ir.data && states === ir.states ? ir : { ...ir, data, states };
}

function inState(ir: StateIr, context: Context, path: string): StateIr {
  // Most states hold nothing that could be read from elsewhere.
  if (ir.states.length + ir.data.length + ir.invokes.length === 0) return ir;
  const data = inAllData(ir.data, context, path);
  const invokes = mapped(ir.invokes, (invoke, index) => inInvoke(invoke, context, `${path}/invokes/${index}`));
  const states = inStates(ir.states, context, path);
  return data === ir.data && invokes === ir.invokes && states === ir.states ? ir : { ...ir, data, invokes, states };
}

function inAllData(items: readonly DataItem[], context: Context, path: string): readonly DataItem[] {
  return mapped(items, (item, index) => inData(item, context, `${path}/data/${index}`));
}

function inStates(states: readonly StateIr[], context: Context, path: string): readonly StateIr[] {
  return mapped(states, (state, index) => inState(state, context, `${path}/states/${index}`));
}

function inData(item: DataItem, context: Context, path: string): DataItem {
  if (item.src === undefined || item.value !== undefined) return item;
  const resolved = resolve({ kind: 'data', src: item.src }, context, path);
  if (resolved === undefined) return item;
  if ('value' in resolved) return { ...item, value: resolved.value };
  context.faults.push({ code: 'src', path: `${path}/src`, message: 'the resolver gave a chart for a data item' });
  return item;
}

function inInvoke(invoke: InvokeIr, context: Context, path: string): InvokeIr {
  const { src, content, processor, processorExpr } = invoke;
  if (content !== undefined && 'chart' in content) {
    const chart = inChart(content.chart, context, `${path}/content/chart`);
    return chart === content.chart ? invoke : { ...invoke, content: { chart } };
  }
  const isChart = processorExpr === undefined && (processor === undefined || CHART_SERVICES.has(processor));
  if (src === undefined || content !== undefined || !isChart) return invoke;
  const resolved = resolve({ kind: 'invoke', src }, context, path);
  if (resolved === undefined) return invoke;
  if ('value' in resolved) return { ...invoke, content: { value: resolved.value } };
  if (context.depth >= MAX_DEPTH) {
    context.faults.push({ code: 'src', path: `${path}/src`, message: 'charts invoke each other without end' });
    return invoke;
  }
  const inner = { ...context, depth: context.depth + 1 };
  return { ...invoke, content: { chart: inChart(resolved.chart, inner, `${path}/content/chart`) } };
}

function resolve(request: SourceRequest, context: Context, path: string): ResolvedSource | undefined {
  const fault = (message: string) => context.faults.push({ code: 'src', path: `${path}/src`, message });
  if (context.resolver === undefined) {
    fault('this src needs a resolver, and none was given');
    return undefined;
  }
  try {
    return context.resolver(request);
  } catch (error) {
    fault(`the src cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The same list when nothing in it changes. */
function mapped<T>(list: readonly T[], change: (item: T, index: number) => T): readonly T[] {
  if (list.length === 0) return list;
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}
