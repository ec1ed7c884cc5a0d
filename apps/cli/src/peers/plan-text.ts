import type { PeerPlan, RevocationPlan } from '@warrant/peers';
import { type CommandCall, paint } from '../cli/command.ts';

const MOST_LINES = 60;

/** What an import from a peer would do, contradictions side by side. */
export function peerPlanText(call: CommandCall, plan: PeerPlan): string {
  const { counts } = plan;
  const lines = [
    ...plan.added.map((name) => `${paint(call, 'green', '+')} ${name}`),
    ...plan.changed.map((name) => `${paint(call, 'yellow', '~')} ${name}`),
    ...plan.withdrawn.map((name) => `${paint(call, 'red', '-')} ${name}: no longer in the peer's bundle`),
    ...plan.contradictions.flatMap(({ concept, level, ours, theirs, source }) => [
      `${paint(call, 'yellow', '!')} ${concept} level ${level}: ours stands`,
      `    ours (${source}): ${JSON.stringify(ours)}`,
      `    theirs: ${JSON.stringify(theirs)}`,
    ]),
  ];
  return [
    `bundle ${plan.sequence} of ${plan.peer}, which ${plan.mode === 'grounds' ? 'may ground' : 'only informs'}`,
    ...shortened(lines),
    `${counts.added} added, ${counts.changed} changed, ${counts.withdrawn} withdrawn; ${counts.levels} levels, ${counts.relata} relata, ${counts.contradictions} contradictions`,
  ].join('\n');
}

/** What revoking a peer takes away, and what that means for others. */
export function revocationText(call: CommandCall, plan: RevocationPlan): string {
  return [
    ...shortened([
      ...plan.removed.map((name) => `${paint(call, 'red', '-')} ${name}`),
      ...plan.changed.map((name) => `${paint(call, 'yellow', '~')} ${name}`),
      ...plan.kept.map(
        (name) => `${paint(call, 'yellow', 'o')} ${name} stays without the peer's levels, since others name it`,
      ),
      ...plan.losesGround.map((name) => `${paint(call, 'red', 'x')} ${name} loses ground`),
      ...plan.gainsGround.map(
        (name) => `${paint(call, 'green', '!')} ${name} is grounded without what the peer asked for`,
      ),
    ]),
    `${plan.removed.length} removed, ${plan.changed.length} changed, ${plan.kept.length} kept empty, ${plan.losesGround.length} lose ground`,
  ].join('\n');
}

function shortened(lines: readonly string[]): readonly string[] {
  if (lines.length <= MOST_LINES) return lines;
  return [
    ...lines.slice(0, MOST_LINES - 10),
    `  ... and ${lines.length - MOST_LINES + 10} more lines (--json shows all)`,
  ];
}
