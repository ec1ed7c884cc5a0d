import type { JsonObject } from '@warrant/core';
import { runBlock } from './actions.ts';
import type { ChartNode, CompiledInvoke } from './chart.ts';
import { reasonOf } from './errors.ts';
import type { ChartEvent } from './event.ts';
import { assignAt } from './locations.ts';
import { pairsOf, textOf } from './payload.ts';
import { inDocumentOrder } from './plan.ts';
import { makeName, type Run, raiseError } from './run.ts';

/** Starts the invokes of states that are still active when the macrostep ends (standard 6.4). */
export function startInvokes(run: Run): void {
  if (run.toInvoke.length === 0) return;
  const nodes = inDocumentOrder(run.toInvoke);
  run.toInvoke = [];
  for (const node of nodes) for (const [index, invoke] of node.invokes.entries()) start(run, node, invoke, index);
}

function start(run: Run, node: ChartNode, invoke: CompiledInvoke, index: number): void {
  const id = invoke.id ?? `${node.id}.${makeName(run)}`;
  try {
    if (invoke.idLocation !== undefined) run.data = assignAt(run.data, invoke.idLocation.path(run), id);
    const { content } = invoke.payload;
    run.effects.push({
      type: 'invoke',
      id,
      processor: textOf(invoke.processor, run) ?? 'http://www.w3.org/TR/scxml/',
      src: textOf(invoke.src, run) ?? null,
      chart: invoke.chart ?? null,
      content: content === undefined ? null : 'value' in content ? content.value : content.expression.evaluate(run),
      params: pairsOf(invoke.payload, run),
    });
    run.invokes = [...run.invokes, { id, state: node.id, index }];
  } catch (error) {
    raiseError(run, 'error.execution', reasonOf(error));
  }
}

/** Before an event is looked at: finalize of the invoke it comes from, and forwarding to those that ask for it (standard 6.4.2, 6.5). */
export function routeToInvokes(run: Run, event: ChartEvent): void {
  for (const active of run.invokes) {
    const invoke = run.chart.byId.get(active.state)?.invokes[active.index];
    if (invoke === undefined) continue;
    if (active.id === event.invokeid) finalize(run, invoke, event);
    if (invoke.autoforward) run.effects.push({ type: 'forward', invoke: active.id, event });
  }
}

function finalize(run: Run, invoke: CompiledInvoke, event: ChartEvent): void {
  if (invoke.finalize === undefined) return;
  if (invoke.finalize.length > 0) return runBlock(run, invoke.finalize);
  const { data } = event;
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return;
  try {
    for (const { name, location } of invoke.taken) {
      const value = Object.hasOwn(data, name) ? (data as JsonObject)[name] : undefined;
      if (value !== undefined) run.data = assignAt(run.data, location.path(run), value);
    }
  } catch (error) {
    raiseError(run, 'error.execution', reasonOf(error));
  }
}
