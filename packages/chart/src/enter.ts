import type { Json, JsonObject } from '@warrant/core';
import { runBlock, runBlocks } from './actions.ts';
import type { ChartNode, CompiledData, Transition } from './chart.ts';
import { type EntrySet, entrySet } from './entry-set.ts';
import { reasonOf } from './errors.ts';
import { historyReader } from './history.ts';
import { payloadDespiteFaults } from './payload.ts';
import { inDocumentOrder, type Plan, planOf } from './plan.ts';
import { type Run, raise, raiseError } from './run.ts';

/** Enters what the transitions lead to, in document order (standard, enterStates). */
export function enterStates(run: Run, transitions: readonly Transition[]): void {
  const plans = plansOf(run, transitions);
  if (plans === undefined) {
    const set = entrySet(transitions, historyReader(run.chart, run.history));
    for (const node of inDocumentOrder(set.states)) enter(run, node, set);
  } else if (plans.every(({ entersQuietly }) => entersQuietly)) {
    run.configuration = merged(run.configuration, plans);
  } else {
    for (const plan of plans) for (const node of plan.entered) enter(run, node, plan);
  }
}

/** Plans of all transitions that lead somewhere; none when a history has a say. They come in document order, as the transitions do, for the domains of transitions that are taken together never meet. */
function plansOf(run: Run, transitions: readonly Transition[]): readonly Plan[] | undefined {
  const plans: Plan[] = [];
  for (const transition of transitions) {
    const plan = planOf(run.chart, transition);
    if (plan === undefined) return undefined;
    if (plan.entered.length > 0) plans.push(plan);
  }
  return plans;
}

/** The configuration with what the plans enter, in document order. */
function merged(configuration: readonly ChartNode[], plans: readonly Plan[]): readonly ChartNode[] {
  const all: ChartNode[] = [];
  let next = 0;
  for (const { entered } of plans) {
    const first = (entered[0] as ChartNode).index;
    for (; next < configuration.length && (configuration[next] as ChartNode).index < first; next += 1)
      all.push(configuration[next] as ChartNode);
    all.push(...entered);
  }
  for (; next < configuration.length; next += 1) all.push(configuration[next] as ChartNode);
  return all;
}

function enter(run: Run, node: ChartNode, { byDefault, historyContent }: EntrySet): void {
  activate(run, node);
  bindLate(run, node);
  runBlocks(run, node.onEntry);
  if (byDefault.has(node)) runBlock(run, (node.initial as Transition).content);
  const remembered = historyContent.get(node);
  if (remembered !== undefined) runBlock(run, remembered.content);
  if (node.type === 'final') announceDone(run, node);
}

function activate(run: Run, node: ChartNode): void {
  if (run.configuration.includes(node)) return;
  const place = run.configuration.findIndex((other) => other.index > node.index);
  run.configuration = place === -1 ? [...run.configuration, node] : run.configuration.toSpliced(place, 0, node);
  if (node.invokes.length > 0) run.toInvoke = [...run.toInvoke, node];
}

function bindLate(run: Run, node: ChartNode): void {
  if (run.chart.binding !== 'late' || node.data.length === 0 || run.bound.includes(node.id)) return;
  run.bound = [...run.bound, node.id];
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
    return value.evaluate(run);
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
      : payloadDespiteFaults(final.doneData, run, (error) => raiseError(run, 'error.execution', reasonOf(error)));
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
  if (node.type === 'compound')
    return node.children.some((child) => child.type === 'final' && run.configuration.includes(child));
  if (node.type !== 'parallel') return false;
  return node.children.every((child) => child.type === 'history' || isInFinalState(run, child));
}
