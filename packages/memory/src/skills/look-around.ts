import { type Digest, foldName, type MemoryRecord } from '@warrant/core';
import type { Setup } from '../setup.ts';
import { type SkillHealth, type SkillSurroundings, skillHealth } from './health.ts';
import type { Skill } from './skill.ts';

/** A skill with how far it can be relied on. */
export type RatedSkill = { readonly skill: Skill; readonly health: SkillHealth };

/** Records about a skill's entities that are looked at. */
const LOOKED_AT = 500;

/** The health of each skill, with what stands around it as of now. */
export async function rate(setup: Setup, skills: readonly Skill[]): Promise<readonly RatedSkill[]> {
  const now = setup.now();
  const around = await lookAround(setup, skills, now);
  return skills.map((skill, index) => ({
    skill,
    health: skillHealth(skill, around[index] as SkillSurroundings, now),
  }));
}

async function lookAround(setup: Setup, skills: readonly Skill[], now: string): Promise<readonly SkillSurroundings[]> {
  const entities = [...new Set(skills.flatMap((skill) => skill.entities))];
  const records = entities.length === 0 ? [] : await about(setup, entities, now);
  const ids = [...records.map(({ id }) => id), ...skills.map(({ recordId }) => recordId)];
  const open: { readonly id: string; readonly records: readonly string[] }[] = [];
  for await (const conflict of setup.store.conflicts({ state: 'open', records: ids })) open.push(conflict);
  const digests = await digestsOf(setup, skills);
  return skills.map((skill): SkillSurroundings => {
    const mine = new Set(skill.entities.map(foldName));
    const near = records.filter((record) => record.entities.some((entity) => mine.has(foldName(entity))));
    const nearIds = new Set([...near.map(({ id }) => id), skill.recordId]);
    const changed = near.filter((record) => record.version > 1 && record.recordedAt > skill.updatedAt);
    return {
      conflicts: open.filter((conflict) => conflict.records.some((id) => nearIds.has(id))).map(({ id }) => id),
      files: skill.files
        .filter(({ path, digest }) => digest !== null && digests.has(path) && digests.get(path) !== digest)
        .map(({ path }) => path),
      entities: skill.entities.filter((entity) =>
        changed.some((record) => record.entities.some((one) => foldName(one) === foldName(entity))),
      ),
    };
  });
}

async function about(setup: Setup, entities: readonly string[], now: string): Promise<readonly MemoryRecord[]> {
  const query = { words: [], entities, readable: [''], validAt: now, knownAt: now, limit: LOOKED_AT };
  const records: MemoryRecord[] = [];
  for await (const { record } of setup.store.search(query)) if (!record.key.startsWith('skills/')) records.push(record);
  return records;
}

/** Of files that can be looked at; without a way to look none has drifted. */
async function digestsOf(setup: Setup, skills: readonly Skill[]): Promise<ReadonlyMap<string, Digest | null>> {
  const digests = new Map<string, Digest | null>();
  if (setup.fileDigest === null) return digests;
  for (const { path, digest } of skills.flatMap((skill) => skill.files))
    if (digest !== null && !digests.has(path)) digests.set(path, await setup.fileDigest(path));
  return digests;
}
