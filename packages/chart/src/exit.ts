import { runBlocks } from './actions.ts';
import type { ChartNode, Transition } from './chart.ts';
import { exitSet } from './domain.ts';
import { historyReader, recordHistory } from './history.ts';
import type { Run } from './run.ts';

/** Leaves what the transitions leave, innermost and last first; histories remember before any exit runs (standard, exitStates). */
export function exitStates(run: Run, transitions: readonly Transition[]): void {
  const left = exitSet(transitions, run.configuration, historyReader(run.chart, run.history));
  run.history = recordHistory(run.history, left, run.configuration);
  for (const node of left.toReversed()) leave(run, node);
}

/** Leaves everything, at the end of the chart. */
export function exitAll(run: Run): void {
  for (const node of run.configuration.toReversed()) leave(run, node);
}

function leave(run: Run, node: ChartNode): void {
  run.toInvoke.delete(node);
  runBlocks(run, node.onExit);
  for (const invoke of run.invokes)
    if (invoke.state === node.id) run.effects.push({ type: 'cancel-invoke', id: invoke.id });
  if (node.invokes.length > 0) run.invokes = run.invokes.filter((invoke) => invoke.state !== node.id);
  run.active.delete(node);
  run.configuration = run.configuration.filter((other) => other !== node);
}
