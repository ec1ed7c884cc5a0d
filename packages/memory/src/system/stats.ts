import type { MemoryRecord } from '@warrant/core';
import { isLive } from '../current.ts';
import type { Setup } from '../setup.ts';
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
  /** Share of outcomes of 0.5 and more; `null` before ten were recorded. */
  readonly outcomePositiveRate: number | null;
  /** How often records were handed out, those of the past included. */
  readonly retrievalCount: number;
  /** Share of the texts of others that disagreed with memory; `null` before one was compared. */
  readonly externalConflictRate: number | null;
  /** Skills, each once whatever its versions. */
  readonly totalSkills: number;
  /** Skills whose health is under 0.6 now. */
  readonly staleSkillCount: number;
};

const LOW = 0.5;
/** Outcomes before which a rate would say nothing. */
const ENOUGH = 10;

/** Counted when asked, from what is stored. */
export async function statsOf(setup: Setup): Promise<MemoryStats> {
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
  for await (const record of setup.store.scan()) add(record);
  let pending = 0;
  for await (const _conflict of setup.store.conflicts({ state: 'open' })) pending += 1;
  const skills = await currentSkills(setup);
  const outcomes = await share(setup, 'outcomes/positive', 'outcomes/all');
  return {
    totalMemories: sum.current,
    averageConfidence: sum.current === 0 ? null : sum.confidence / sum.current,
    lowConfidenceCount: sum.low,
    archivedCount: sum.archived,
    conflictPendingCount: pending,
    outcomePositiveRate: outcomes.of < ENOUGH ? null : outcomes.part / outcomes.of,
    retrievalCount: sum.retrievals,
    ...externalOf(await share(setup, 'external/disagreed', 'external/asked')),
    totalSkills: skills.total,
    staleSkillCount: skills.stale,
  };
}

function externalOf({ part, of }: { readonly part: number; readonly of: number }): {
  readonly externalConflictRate: number | null;
} {
  return { externalConflictRate: of === 0 ? null : part / of };
}

async function share(setup: Setup, part: string, of: string): Promise<{ readonly part: number; readonly of: number }> {
  const value = async (name: string): Promise<number> =>
    (await setup.store.counters(name)).find((counter) => counter.name === name)?.value ?? 0;
  return { part: await value(part), of: await value(of) };
}

async function currentSkills(setup: Setup): Promise<{ readonly total: number; readonly stale: number }> {
  const rated = await rate(setup, await skillsFor(setup, null));
  return { total: rated.length, stale: rated.filter(({ health }) => health.stale).length };
}
