import { type Chart, type ChartNode, isDescendant } from './chart.ts';
import type { HistoryOf } from './select.ts';

type Remembered = Readonly<Record<string, readonly string[]>>;

/** Reads remembered states by their history node. */
export function historyReader(chart: Chart, remembered: Remembered): HistoryOf {
  return (history) =>
    Object.hasOwn(remembered, history.id)
      ? remembered[history.id]?.map((id) => chart.byId.get(id) as ChartNode)
      : undefined;
}

/** What the histories below the left states will remember: deep ones the active atoms, shallow ones the active children. */
export function recordHistory(
  remembered: Remembered,
  left: readonly ChartNode[],
  configuration: readonly ChartNode[],
): Remembered {
  const changes: [string, readonly string[]][] = [];
  for (const node of left) {
    for (const history of node.histories) {
      const kept = configuration.filter((active) =>
        history.deep ? isAtom(active) && isDescendant(active, node) : active.parent === node,
      );
      changes.push([history.id, kept.map((active) => active.id)]);
    }
  }
  return changes.length === 0 ? remembered : { ...remembered, ...Object.fromEntries(changes) };
}

function isAtom(node: ChartNode): boolean {
  return node.type === 'atomic' || node.type === 'final';
}
