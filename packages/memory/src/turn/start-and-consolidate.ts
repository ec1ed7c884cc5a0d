import type { Actor } from '../actor.ts';
import { type Consolidation, consolidate } from '../lifecycle/consolidate.ts';
import { isConsolidationDue } from '../lifecycle/settings.ts';
import type { Setup } from '../setup.ts';
import { type SessionStart, type Sessions, startSession } from './session.ts';

export type SessionStarted = Sessions & {
  /** `null` when none was due. */
  readonly consolidation: Consolidation | null;
};

/** Starts a session and consolidates the agent's records when that is due. */
export async function startAndConsolidate(setup: Setup, actor: Actor, start: SessionStart): Promise<SessionStarted> {
  const sessions = await startSession(setup, actor, start);
  const now = setup.now();
  const since = {
    starts: sessions.sinceConsolidation,
    at: sessions.countedFrom ?? now,
    ranBefore: sessions.ranBefore,
  };
  const due = setup.consolidation.automatic && isConsolidationDue(setup.consolidation, since, now);
  return { ...sessions, consolidation: due ? await consolidate(setup, actor) : null };
}
