import type { Reviewer } from '@warrant/core';

/** The kind of new chart versions; spelled out, so that looking for them loads no agents. */
const KIND = 'chart-version';

/** Lets a review queue that holds new chart versions of agents approve them; the agent's own host takes them from there. */
export async function knowVersions(reviewer: Reviewer): Promise<void> {
  for await (const _ of reviewer.list({ kind: KIND })) {
    const { selfModificationKind } = await import('@warrant/decide');
    reviewer.register(selfModificationKind());
    return;
  }
}
