import type { MemoryConflict, MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { isLive } from '../current.ts';
import type { Setup } from '../setup.ts';
import { knownConflicts, mayRead } from '../shown.ts';
import { skillsFor } from '../skills/find-skills.ts';
import { rate } from '../skills/look-around.ts';

export type MemoryStats = {
  /** Records that are current, skills included. */
  readonly totalMemories: number;
  /** Of the current ones, 0 to 1; `null` without any. */
  readonly averageConfidence: number | null;
  /** Current records with a confidence under 0.5. */
  readonly lowConfidenceCount: number;
  readonly archivedCount: number;
  readonly conflictPendingCount: number;
  /** Share of outcomes of 0.5 and more; `null` before ten were recorded, and where it is asked for one agent. */
  readonly outcomePositiveRate: number | null;
  /** How often records were handed out, those of the past included. */
  readonly retrievalCount: number;
  /** Share of the texts of others that disagreed with memory; `null` before one was compared, and for one agent. */
  readonly externalConflictRate: number | null;
  /** Skills, each once whatever its versions. */
  readonly totalSkills: number;
  /** Skills whose health is under 0.6 now. */
  readonly staleSkillCount: number;
};

const LOW = 0.5;
/** Outcomes before which a rate would say nothing. */
const ENOUGH = 10;

/** Counted when asked, from what is stored. @param reader counts what this agent may read only; all without one */
export async function statsOf(setup: Setup, reader: Actor | null): Promise<MemoryStats> {
  const now = setup.now();
  const sum = { current: 0, confidence: 0, low: 0, archived: 0, retrievals: 0 };
  const add = (record: MemoryRecord): void => {
    sum.retrievals += record.retrievals;
    if (record.archived) sum.archived += 1;
    if (!isLive(record, { validAt: now, knownAt: now })) return;
    sum.current += 1;
    sum.confidence += record.confidence;
    if (record.confidence < LOW) sum.low += 1;
  };
  for await (const record of setup.store.scan()) if (reader === null || mayRead(setup, reader, record)) add(record);
  const open: MemoryConflict[] = [];
  for await (const conflict of setup.store.conflicts({ state: 'open' })) open.push(conflict);
  const pending = reader === null ? open : await knownConflicts(setup, reader, open);
  const skills = await currentSkills(setup, reader);
  // Of all agents together: one of them is told nothing of the others.
  const told = (part: string, of: string): Promise<Share> =>
    reader === null ? share(setup, part, of) : Promise.resolve({ part: 0, of: 0 });
  const outcomes = await told('outcomes/positive', 'outcomes/all');
  return {
    totalMemories: sum.current,
    averageConfidence: sum.current === 0 ? null : sum.confidence / sum.current,
    lowConfidenceCount: sum.low,
    archivedCount: sum.archived,
    conflictPendingCount: pending.length,
    outcomePositiveRate: outcomes.of < ENOUGH ? null : outcomes.part / outcomes.of,
    retrievalCount: sum.retrievals,
    ...externalOf(await told('external/disagreed', 'external/asked')),
    totalSkills: skills.total,
    staleSkillCount: skills.stale,
  };
}

type Share = { readonly part: number; readonly of: number };

function externalOf({ part, of }: Share): {
  readonly externalConflictRate: number | null;
} {
  return { externalConflictRate: of === 0 ? null : part / of };
}

async function share(setup: Setup, part: string, of: string): Promise<Share> {
  const value = async (name: string): Promise<number> =>
    (await setup.store.counters(name)).find((counter) => counter.name === name)?.value ?? 0;
  return { part: await value(part), of: await value(of) };
}

async function currentSkills(
  setup: Setup,
  reader: Actor | null,
): Promise<{ readonly total: number; readonly stale: number }> {
  const rated = await rate(setup, await skillsFor(setup, reader?.key ?? null));
  return { total: rated.length, stale: rated.filter(({ health }) => health.stale).length };
}
