import type { Json, JsonObject } from '@warrant/core';
import { runBlock, runBlocks } from './actions.ts';
import type { ChartNode, CompiledData, Transition } from './chart.ts';
import { entrySet } from './entry-set.ts';
import { reasonOf } from './errors.ts';
import { historyReader } from './history.ts';
import { payloadDespiteFaults } from './payload.ts';
import { type Run, raise, raiseError } from './run.ts';

/** Enters what the transitions lead to, in document order (standard, enterStates). */
export function enterStates(run: Run, transitions: readonly Transition[]): void {
  const set = entrySet(transitions, historyReader(run.chart, run.history));
  const entered = [...set.states].sort((a, b) => a.index - b.index);
  for (const node of entered) {
    activate(run, node);
    bindLate(run, node);
    runBlocks(run, node.onEntry);
    if (set.byDefault.has(node) && node.initial !== undefined) runBlock(run, node.initial.content);
    const remembered = set.historyContent.get(node);
    if (remembered !== undefined) runBlock(run, remembered.content);
    if (node.type === 'final') announceDone(run, node);
  }
}

function activate(run: Run, node: ChartNode): void {
  if (run.active.has(node)) return;
  run.active.add(node);
  const place = run.configuration.findIndex((other) => other.index > node.index);
  run.configuration = place === -1 ? [...run.configuration, node] : run.configuration.toSpliced(place, 0, node);
  if (node.invokes.length > 0) run.toInvoke.add(node);
}

function bindLate(run: Run, node: ChartNode): void {
  if (run.chart.binding !== 'late' || node.data.length === 0 || run.bound.has(node.id)) return;
  run.bound.add(node.id);
  makeData(run, node.data, {});
}

/** Makes data items in order; one that fails is null, and the error is raised (standard 5.3.3). Given values go before. */
export function makeData(run: Run, items: readonly CompiledData[], given: JsonObject): void {
  for (const { id, value } of items) {
    const made = Object.hasOwn(given, id) ? (given[id] as Json) : evaluated(run, value);
    run.data = { ...run.data, [id]: made };
  }
}

function evaluated(run: Run, value: CompiledData['value']): Json {
  if (value === undefined) return null;
  if ('json' in value) return value.json;
  try {
    return value.evaluate(run.scope);
  } catch (error) {
    raiseError(run, 'error.execution', reasonOf(error));
    return null;
  }
}

/** `done.state.*` of the parent, and of a parallel grandparent whose regions are all done; of the chart, its end. */
function announceDone(run: Run, final: ChartNode): void {
  const parent = final.parent as ChartNode;
  if (parent.parent === undefined) {
    run.status = 'done';
    return;
  }
  const data =
    final.doneData === undefined
      ? null
      : payloadDespiteFaults(final.doneData, run.scope, (error) => raiseError(run, 'error.execution', reasonOf(error)));
  raise(run, { name: `done.state.${parent.id}`, type: 'platform', data });
  const grandparent = parent.parent;
  if (
    grandparent.type === 'parallel' &&
    grandparent.children.every((region) => region.type === 'history' || isInFinalState(run, region))
  ) {
    raise(run, { name: `done.state.${grandparent.id}`, type: 'platform', data: null });
  }
}

function isInFinalState(run: Run, node: ChartNode): boolean {
  if (node.type === 'compound') return node.children.some((child) => child.type === 'final' && run.active.has(child));
  if (node.type !== 'parallel') return false;
  return node.children.every((child) => child.type === 'history' || isInFinalState(run, child));
}
