import { isWarrantError, type Json, type JsonObject, WarrantError } from '@warrant/core';
import { type CelEnvironment, type CelExpression, type CelType, createCelEnvironment } from '@warrant/core/cel';
import type { DataModel, Expression, Scope } from '../data-model.ts';
import type { ChartEvent } from '../event.ts';
import { SCXML_PROCESSOR } from '../send.ts';
import { parseLocation, readingOf } from './location.ts';
import { partsOf } from './parts.ts';

export type CelDataModelOptions = {
  /** Read-only names that every step is given values for, such as `vt_usage`. */
  readonly variables?: readonly string[];
  /** Rounds of comprehensions that one expression may take. @default 100000 */
  readonly iterations?: number;
};

const FIXED: Readonly<Record<string, CelType>> = {
  ctx: 'dyn',
  ev: 'dyn',
  _sessionid: 'string',
  _name: 'string',
  _ioprocessors: 'dyn',
};

/** Expressions in CEL: `ctx` the data, `ev` the event, `_sessionid`, `_name`, `_ioprocessors`, `In('state')`. */
export function celDataModel(options: CelDataModelOptions = {}): DataModel {
  const names = options.variables ?? [];
  // Evaluation is synchronous and never nested, so the scope of the evaluation under way is unique.
  let current: Scope | undefined;
  const environment = createCelEnvironment({
    variables: { ...FIXED, ...Object.fromEntries(names.map((name) => [name, 'dyn' as const])) },
    functions: { 'In(string): bool': (state: string) => current?.isActive(state) === true },
    limits: { iterations: options.iterations ?? 100_000 },
  });
  const evaluating = (
    compiled: Pick<CelExpression, 'source' | 'variables' | 'reads'> & { evaluate(variables: JsonObject): Json },
  ): Expression => ({
    source: compiled.source,
    readsPayload: compiled.reads.some((path) => path === 'ev' || path === 'ev.data' || path.startsWith('ev.data.')),
    evaluate: (scope) => {
      current = scope;
      return compiled.evaluate(variablesOf(scope, compiled.variables));
    },
  });
  const expression = (source: string): Expression => compiled(source, () => evaluating(environment.compile(source)));
  return {
    name: 'cel',
    expression,
    condition: (source) => compiled(source, () => evaluating(compileCondition(environment, source))),
    location: (source) => parseLocation(source, expression),
    read: (source) => expression(readingOf(source)),
    parts: (source) => {
      const parts = partsOf(source).flatMap((part) => orNone(() => environment.compile(part)));
      // What is the same whatever the data are explains nothing.
      const telling = parts.filter(({ reads, source: part }) => reads.length > 0 || /\bIn\(/.test(part));
      const shown = new Set(telling.map((part) => part.source));
      const read = orNone(() => environment.compile(source)).flatMap(({ reads }) => reads);
      const leaves = read.filter((path) => !shown.has(path)).flatMap((path) => orNone(() => environment.compile(path)));
      return [...(telling.length > 0 ? telling : parts), ...leaves].map(evaluating);
    },
  };
}

/** A part that was cut wrongly is left out: it explains nothing. */
function orNone<T>(work: () => T): readonly T[] {
  try {
    return [work()];
  } catch (error) {
    if (!isWarrantError(error)) throw error;
    return [];
  }
}

function compileCondition(environment: CelEnvironment, source: string) {
  return environment.compileCondition(source);
}

function compiled(source: string, work: () => Expression): Expression {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw new WarrantError('CHART_EXPRESSION', cause.message, { data: { length: source.length }, cause });
  }
}

/** Only what the expression reads is put together. */
function variablesOf(scope: Scope, names: readonly string[]): JsonObject {
  const variables: Record<string, Json> = {};
  for (const name of names) variables[name] = variableOf(scope, name);
  return variables;
}

function variableOf(scope: Scope, name: string): Json {
  switch (name) {
    case 'ctx':
      return scope.data;
    case 'ev':
      return scope.event === null ? null : eventView(scope.event);
    case '_sessionid':
      return scope.session.id;
    case '_name':
      return scope.session.name;
    case '_ioprocessors':
      return {
        scxml: { location: `#_scxml_${scope.session.id}` },
        [SCXML_PROCESSOR]: { location: `#_scxml_${scope.session.id}` },
      };
    default:
      return scope.variables[name] ?? null;
  }
}

/** What the event lacks is null, so that conditions can ask for it. */
function eventView(event: ChartEvent): JsonObject {
  const { name, type, data, sendid, origin, origintype, invokeid } = event;
  return {
    name,
    type,
    data,
    sendid: sendid ?? null,
    origin: origin ?? null,
    origintype: origintype ?? null,
    invokeid: invokeid ?? null,
  };
}
