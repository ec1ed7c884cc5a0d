import { runBlocks } from './actions.ts';
import type { ChartNode, Transition } from './chart.ts';
import { type DomainOf, domainsOf, isInside } from './domain.ts';
import { recordHistory } from './history.ts';
import type { Run } from './run.ts';

/** Leaves what the transitions leave, innermost and last first; histories remember before any exit runs (standard, exitStates). */
export function exitStates(run: Run, transitions: readonly Transition[], domainOf: DomainOf): void {
  const domains = domainsOf(transitions, domainOf);
  const left: ChartNode[] = [];
  const staying: ChartNode[] = [];
  let isQuiet = true;
  for (const node of run.configuration) {
    const leaves = isInside(node, domains);
    (leaves ? left : staying).push(node);
    if (leaves && !node.leavesQuietly) isQuiet = false;
  }
  run.history = recordHistory(run.history, left, run.configuration);
  if (isQuiet) run.configuration = staying;
  else for (const node of left.toReversed()) leave(run, node);
}

/** Leaves everything, at the end of the chart. */
export function exitAll(run: Run): void {
  for (const node of run.configuration.toReversed()) leave(run, node);
}

function leave(run: Run, node: ChartNode): void {
  runBlocks(run, node.onExit);
  if (node.invokes.length > 0) leaveInvokes(run, node);
  run.configuration = run.configuration.filter((other) => other !== node);
}

function leaveInvokes(run: Run, node: ChartNode): void {
  run.toInvoke = run.toInvoke.filter((other) => other !== node);
  for (const invoke of run.invokes)
    if (invoke.state === node.id) run.effects.push({ type: 'cancel-invoke', id: invoke.id });
  run.invokes = run.invokes.filter((invoke) => invoke.state !== node.id);
}
