import { isWarrantError, type Json, WarrantError } from '@warrant/core';
import type { CompiledAction, CompiledBlock, CompiledInvoke, CompiledPayload, TextSource } from './chart.ts';
import type { DataModel, Expression, Location } from './data-model.ts';
import type { ChartFault } from './fault.ts';
import type { Action, Block, Content, InvokeIr, Param, SendIr } from './ir.ts';

/** Compiles expressions and executable content, gathering faults instead of stopping at the first. */
export type ContentCompiler = {
  readonly expression: (source: string, path: string) => Expression;
  readonly condition: (source: string, path: string) => Expression;
  readonly location: (source: string, path: string) => Location;
  readonly read: (source: string, path: string) => Expression;
};

/** Faults after which nothing more is compiled: a hostile chart could have ten thousands. */
const ENOUGH = 1000;
const TOO_MANY = new WarrantError('CHART_EXPRESSION', 'the chart has too many faults');

/** An expression that does not compile is a fault; in its place stands one that always fails, as the standard wants at run time. */
export function contentCompiler(model: DataModel, faults: ChartFault[]): ContentCompiler {
  const guarded = <T>(compile: (source: string) => T, failing: (source: string, error: Error) => T) => {
    // The same condition often stands in many places.
    const known = new Map<string, T>();
    return (source: string, path: string): T => {
      const before = known.get(source);
      if (before !== undefined) return before;
      if (faults.length >= ENOUGH) return failing(source, TOO_MANY);
      try {
        const made = compile(source);
        known.set(source, made);
        return made;
      } catch (error) {
        if (!isWarrantError(error)) throw error;
        faults.push({ code: 'expression', path, message: error.message });
        return failing(source, error);
      }
    };
  };
  const failingExpression = (source: string, error: Error): Expression => ({
    source,
    readsPayload: false,
    evaluate: () => raise(error),
  });
  return {
    expression: guarded((source) => model.expression(source), failingExpression),
    condition: guarded((source) => model.condition(source), failingExpression),
    read: guarded((source) => model.read(source), failingExpression),
    location: guarded(
      (source) => model.location(source),
      (source, error) => ({ source, path: () => raise(error) }),
    ),
  };
}

function raise(error: Error): never {
  throw error;
}

export function compileBlock(compiler: ContentCompiler, block: Block, path: string): CompiledBlock {
  return block.map((action, index) => compileAction(compiler, action, `${path}/${index}`));
}

function compileAction(compiler: ContentCompiler, action: Action, path: string): CompiledAction {
  switch (action.type) {
    case 'raise':
      return { type: 'raise', event: action.event };
    case 'send':
      return compileSend(compiler, action, path);
    case 'cancel':
      return { type: 'cancel', sendId: text(compiler, action.sendId, action.sendIdExpr, `${path}/sendIdExpr`) };
    case 'assign':
      return {
        type: 'assign',
        location: compiler.location(action.location, `${path}/location`),
        value: givenValue(compiler, action.expr, action.value, path) ?? { json: null },
      };
    case 'log':
      return { type: 'log', label: action.label, value: optional(compiler, action.expr, `${path}/expr`) };
    case 'if':
      return {
        type: 'if',
        branches: action.branches.map((branch, index) => compileBranch(compiler, branch, `${path}/branches/${index}`)),
      };
    case 'foreach':
      return {
        type: 'foreach',
        array: compiler.expression(action.array, `${path}/array`),
        item: compiler.location(action.item, `${path}/item`),
        index: action.index === undefined ? undefined : compiler.location(action.index, `${path}/index`),
        content: compileBlock(compiler, action.content, `${path}/content`),
      };
    case 'extension':
      return { type: 'extension' };
  }
}

function compileBranch(
  compiler: ContentCompiler,
  branch: { readonly cond?: string; readonly content: Block },
  path: string,
) {
  return {
    cond: branch.cond === undefined ? undefined : compiler.condition(branch.cond, `${path}/cond`),
    content: compileBlock(compiler, branch.content, `${path}/content`),
  };
}

function compileSend(compiler: ContentCompiler, send: SendIr, path: string): CompiledAction {
  return {
    type: 'send',
    event: text(compiler, send.event, send.eventExpr, `${path}/eventExpr`),
    target: text(compiler, send.target, send.targetExpr, `${path}/targetExpr`),
    processor: text(compiler, send.processor, send.processorExpr, `${path}/processorExpr`),
    delay: text(compiler, send.delay, send.delayExpr, `${path}/delayExpr`),
    id: send.id,
    idLocation: send.idLocation === undefined ? undefined : compiler.location(send.idLocation, `${path}/idLocation`),
    payload: compilePayload(compiler, send, path),
  };
}

/** Namelist, params and content of a message (standard 5.7, 6.2). */
export function compilePayload(
  compiler: ContentCompiler,
  from: { readonly namelist?: readonly string[]; readonly params?: readonly Param[]; readonly content?: Content },
  path: string,
): CompiledPayload {
  const named = (from.namelist ?? []).map((name, index) => ({
    name: lastName(name),
    value: compiler.read(name, `${path}/namelist/${index}`),
    listed: true,
  }));
  const params = (from.params ?? []).map(({ name, expr, location }, index) => ({
    name,
    value:
      location === undefined
        ? compiler.expression(expr ?? 'null', `${path}/params/${index}`)
        : compiler.read(location, `${path}/params/${index}`),
    listed: false,
  }));
  const { content } = from;
  return {
    pairs: [...named, ...params],
    content:
      content === undefined
        ? undefined
        : 'expr' in content
          ? { expression: compiler.expression(content.expr, `${path}/content`) }
          : { value: content.value },
  };
}

/** A namelist names data by their location; the message carries the last name of it. */
function lastName(location: string): string {
  return location.slice(location.lastIndexOf('.') + 1);
}

export function compileInvoke(
  compiler: ContentCompiler,
  invoke: InvokeIr,
  order: number,
  path: string,
): CompiledInvoke {
  const { content } = invoke;
  const plain = content !== undefined && !('chart' in content) ? content : undefined;
  const taken = [
    ...(invoke.namelist ?? []).map((name) => ({ name: lastName(name), place: name })),
    ...(invoke.params ?? []).flatMap(({ name, location }) =>
      location === undefined ? [] : [{ name, place: location }],
    ),
  ];
  return {
    order,
    processor: text(compiler, invoke.processor, invoke.processorExpr, `${path}/processorExpr`),
    src: text(compiler, invoke.src, invoke.srcExpr, `${path}/srcExpr`),
    id: invoke.id,
    idLocation:
      invoke.idLocation === undefined ? undefined : compiler.location(invoke.idLocation, `${path}/idLocation`),
    autoforward: invoke.autoforward,
    payload: compilePayload(
      compiler,
      {
        ...(invoke.namelist && { namelist: invoke.namelist }),
        ...(invoke.params && { params: invoke.params }),
        ...(plain && { content: plain }),
      },
      path,
    ),
    chart: content !== undefined && 'chart' in content ? content.chart : undefined,
    finalize: invoke.finalize === undefined ? undefined : compileBlock(compiler, invoke.finalize, `${path}/finalize`),
    taken: taken.map(({ name, place }) => ({ name, location: compiler.location(place, path) })),
  };
}

/** The value of a data item or an assignment: an expression, or JSON as it stands. */
export function givenValue(
  compiler: ContentCompiler,
  expr: string | undefined,
  value: Json | undefined,
  path: string,
): Expression | { readonly json: Json } | undefined {
  if (expr !== undefined) return compiler.expression(expr, `${path}/expr`);
  return value === undefined ? undefined : { json: value };
}

function text(
  compiler: ContentCompiler,
  literal: string | undefined,
  expr: string | undefined,
  path: string,
): TextSource {
  return expr === undefined ? literal : compiler.expression(expr, path);
}

function optional(compiler: ContentCompiler, source: string | undefined, path: string): Expression | undefined {
  return source === undefined ? undefined : compiler.expression(source, path);
}
