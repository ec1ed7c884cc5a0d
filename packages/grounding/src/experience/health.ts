import { type DepthLevel, foldName, type Primitive } from '@warrant/core';
import { type Experience, type Experiences, experienceKey } from './fold.ts';

export type HealthCode = 'often-blocked' | 'grounded-but-failing' | 'stale' | 'never-exercised';
export type HealthFinding = {
  readonly code: HealthCode;
  readonly concept: string;
  readonly level: DepthLevel;
  readonly experience: Experience | null;
};

/** Fewer acts say nothing about a level. */
const ENOUGH = 3;
/** Two half-lives without use. */
const STALE = 0.25;

/** What use says about a graph: where acts are refused or fail, what was not used for long, and what never. Pure. */
export function graphHealth(primitives: Iterable<Primitive>, experiences: Experiences): readonly HealthFinding[] {
  const findings: HealthFinding[] = [];
  for (const { name, depths } of primitives) {
    for (const { level } of depths) {
      const experience = experiences.get(experienceKey({ concept: foldName(name), level })) ?? null;
      for (const code of codesOf(experience, isUsedDeeper(name, level, experiences)))
        findings.push({ code, concept: name, level, experience });
    }
  }
  return findings;
}

/** What stands on a level stands on those below. */
function isUsedDeeper(name: string, level: DepthLevel, experiences: Experiences): boolean {
  for (let deeper = level + 1; deeper <= 4; deeper += 1) {
    const key = experienceKey({ concept: foldName(name), level: deeper as DepthLevel });
    if (experiences.has(key)) return true;
  }
  return false;
}

function codesOf(experience: Experience | null, usedDeeper: boolean): readonly HealthCode[] {
  if (experience === null) return usedDeeper ? [] : ['never-exercised'];
  const { ok, error, blocked, declined } = experience.acts;
  const refused = blocked + declined;
  return [
    ...(refused >= ENOUGH && refused >= ok + error ? (['often-blocked'] as const) : []),
    ...(error >= ENOUGH && error >= ok ? (['grounded-but-failing'] as const) : []),
    ...(experience.freshness < STALE ? (['stale'] as const) : []),
  ];
}
