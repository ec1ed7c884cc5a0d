import type { ImportPlan } from '@warrant/graph/documents';
import { type CommandCall, paint } from '../cli/command.ts';
import { visibleLine } from '../cli/visible.ts';

/** What an import would do, a line a concept that is not the same. */
export function planText(call: CommandCall, plan: ImportPlan): string {
  const lines = [
    ...plan.added.map((name) => `${paint(call, 'green', '+')} ${visibleLine(name)}`),
    ...plan.changed.map(
      ({ name, differences }) =>
        `${paint(call, 'yellow', '~')} ${visibleLine(name)}: ${differenceText(differences.length)}`,
    ),
    ...plan.removed.map((name) => `${paint(call, 'red', '-')} ${visibleLine(name)}`),
    ...plan.kept.map(
      ({ name, reason }) =>
        `  ${visibleLine(name)} stays: ${reason === 'learned' ? 'something was learned about it' : 'another document names it too'}`,
    ),
  ];
  const shown = lines.length > 60 ? [...lines.slice(0, 50), `  ... and ${lines.length - 50} more`] : lines;
  const counts = `${plan.added.length} added, ${plan.changed.length} changed, ${plan.unchanged.length} unchanged, ${plan.removed.length} removed`;
  return [...shown, counts].join('\n');
}

/** Without a difference in what is said, there is one in who says it. */
function differenceText(count: number): string {
  if (count === 0) return 'said here now, where only a peer did';
  return `${count} ${count === 1 ? 'difference' : 'differences'}`;
}
