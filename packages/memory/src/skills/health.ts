import type { JsonObject, Reason } from '@warrant/core';
import { DAY_MS } from '../times.ts';
import type { Skill } from './skill.ts';

/** Below this a skill is stale: it is warned of before its text is shown. */
export const STALE_BELOW = 0.6;

/** Whole days for which a text counts as fresh. */
const FRESH_DAYS = 30;
const LOSS_PER_DAY = 0.03;
const LEAST_BY_AGE = 0.1;
const VALIDATION_SHARE = 0.4;
const LOSS_PER_CONFLICT = 0.1;
const LOSS_PER_DRIFT = 0.15;
/** Most that conflicts, and most that drift, can take away. */
const MOST_BY_CONFLICT = 0.3;
const MOST_BY_DRIFT = 0.45;

/** What was found around a skill. */
export type SkillSurroundings = {
  /** Open conflicts among records about what the skill speaks of. */
  readonly conflicts: readonly string[];
  /** Linked files that are not what they were. */
  readonly files: readonly string[];
  /** Entities about which something else is remembered since. */
  readonly entities: readonly string[];
};
export type SkillHealth = {
  /** 0 to 1. */
  readonly score: number;
  readonly stale: boolean;
  /** Why it is not 1, one by one. */
  readonly reasons: readonly Reason[];
};

/** How far a skill can be relied on. Pure, and the only health there is: warnings, lists and counts all ask here. */
export function skillHealth(
  skill: Pick<Skill, 'updatedAt' | 'validation'>,
  around: SkillSurroundings,
  now: string,
): SkillHealth {
  const reasons: Reason[] = [];
  const because = (code: string, message: string, data: JsonObject): void =>
    void reasons.push({ code: `skill.${code}`, message, data });
  const days = Math.floor((Date.parse(now) - Date.parse(skill.updatedAt)) / DAY_MS);
  const byAge = days <= FRESH_DAYS ? 1 : Math.max(LEAST_BY_AGE, 1 - LOSS_PER_DAY * (days - FRESH_DAYS));
  if (days > FRESH_DAYS) because('staleness', `its text is ${days} days old`, { days });
  const { validation } = skill;
  const blended = validation === null ? byAge : VALIDATION_SHARE * validation + (1 - VALIDATION_SHARE) * byAge;
  if (validation !== null) because('validation', 'it was tried', { score: validation });
  if (around.conflicts.length > 0)
    because('conflicts', 'what it speaks of is disputed', { conflicts: around.conflicts });
  const drifted = around.files.length + around.entities.length;
  if (drifted > 0)
    because('drift', 'what it speaks of has changed since', { files: around.files, entities: around.entities });
  const lost =
    Math.min(MOST_BY_CONFLICT, LOSS_PER_CONFLICT * around.conflicts.length) +
    Math.min(MOST_BY_DRIFT, LOSS_PER_DRIFT * drifted);
  const score = Math.round(Math.min(1, Math.max(0, blended - lost)) * 1e10) / 1e10;
  return { score, stale: score < STALE_BELOW, reasons };
}
