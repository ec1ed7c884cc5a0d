import { foldName, type MemoryRecord } from '@warrant/core';
import type { MemoryEvent } from '../events.ts';
import type { Setup } from '../setup.ts';
import { skillsFor } from './find-skills.ts';
import { SKILL_CHANGES, SKILL_PREFIX, type Skill } from './skill.ts';
import { subjectWords } from './subject-words.ts';

/** Skills as they were when something was last changed among them. @internal */
export type SkillCache = { value: number; skills: readonly Skill[] };

/** Tells of skills that what was written is about: somebody should look whether they still hold. */
export async function skillSignals(setup: Setup, records: readonly MemoryRecord[]): Promise<readonly MemoryEvent[]> {
  const written = records.filter((record) => !record.key.startsWith(SKILL_PREFIX));
  if (written.length === 0 || setup.hub.size() === 0) return [];
  const skills = (await cachedSkills(setup)).map((skill) => ({ skill, words: wordsIn(`${skill.id} ${skill.name}`) }));
  if (skills.length === 0) return [];
  return written.flatMap((record) => {
    const words = wordsIn([record.key, ...record.entities].join(' '));
    const entities = new Set(record.entities.map(foldName));
    return skills
      .filter(
        (one) =>
          [...one.words].some((word) => words.has(word)) ||
          one.skill.entities.some((entity) => entities.has(foldName(entity))),
      )
      .map(
        ({ skill }): MemoryEvent => ({
          type: 'skill-review-needed',
          skillId: skill.id,
          key: record.key,
          agent: record.agent,
          session: record.session,
        }),
      );
  });
}

/** The version in force of every skill; read again only after something changed among them. @internal */
export async function cachedSkills(setup: Setup): Promise<readonly Skill[]> {
  const [counter] = await setup.store.counters(SKILL_CHANGES);
  const value = counter?.value ?? 0;
  if (setup.skillCache.value !== value) {
    setup.skillCache.skills = value === 0 ? [] : await skillsFor(setup, null);
    setup.skillCache.value = value;
  }
  return setup.skillCache.skills;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(subjectWords(text.split(/[\s/_.-]+/)));
}
