import { foldName, type MemoryRecord } from '@warrant/core';
import { cosine } from '../cosine.ts';
import type { MemoryEvent } from '../events.ts';
import type { Setup } from '../setup.ts';
import { skillsFor } from './find-skills.ts';
import { SKILL_CHANGES, SKILL_PREFIX, type Skill } from './skill.ts';
import { subjectWords } from './subject-words.ts';

/** Skills as they were when something was last changed among them, and the vectors of those that were compared since. @internal */
export type SkillCache = { value: number; skills: readonly Skill[]; vectors: Map<string, Float32Array> };
/** Something that was written, with its vector where there is an embedder. @internal */
type WrittenRecord = { readonly record: MemoryRecord; readonly vector: Float32Array | undefined };
type By = Extract<MemoryEvent, { type: 'skill-review-needed' }>['by'];

/** Cosine from which a record speaks of what a skill does though they share no word. */
const SAME_MEANING = 0.7;

/** Tells of skills that what was written is about: somebody should look whether they still hold. */
export async function skillSignals(setup: Setup, all: readonly WrittenRecord[]): Promise<readonly MemoryEvent[]> {
  const written = all.filter(({ record }) => !record.key.startsWith(SKILL_PREFIX));
  if (written.length === 0 || setup.hub.size() === 0) return [];
  const skills = (await cachedSkills(setup)).map((skill) => ({ skill, words: wordsIn(`${skill.id} ${skill.name}`) }));
  if (skills.length === 0) return [];
  const events: MemoryEvent[] = [];
  for (const { record, vector } of written) {
    const words = wordsIn([record.key, ...record.entities].join(' '));
    const entities = new Set(record.entities.map(foldName));
    for (const one of skills) {
      const by: By | undefined = [...one.words].some((word) => words.has(word))
        ? 'words'
        : one.skill.entities.some((entity) => entities.has(foldName(entity)))
          ? 'entities'
          : (await meansTheSame(setup, one.skill, vector))
            ? 'meaning'
            : undefined;
      if (by !== undefined) events.push(eventOf(one.skill, record, by));
    }
  }
  return events;
}

function eventOf({ id }: Skill, { key, agent, session }: MemoryRecord, by: By): MemoryEvent {
  return { type: 'skill-review-needed', skillId: id, by, key, agent, session };
}

async function meansTheSame(setup: Setup, skill: Skill, vector: Float32Array | undefined): Promise<boolean> {
  const { embedder, skillCache } = setup;
  if (embedder === null || vector === undefined) return false;
  const known =
    skillCache.vectors.get(skill.recordId) ?? (await embedder.embed([`${skill.name}\n${skill.content}`]))[0];
  if (known === undefined) return false;
  skillCache.vectors.set(skill.recordId, known);
  return cosine(known, vector) >= SAME_MEANING;
}

/** The version in force of every skill; read again only after something changed among them. @internal */
export async function cachedSkills(setup: Setup): Promise<readonly Skill[]> {
  const [counter] = await setup.store.counters(SKILL_CHANGES);
  const value = counter?.value ?? 0;
  if (setup.skillCache.value !== value) {
    setup.skillCache.skills = value === 0 ? [] : await skillsFor(setup, null);
    setup.skillCache.value = value;
    setup.skillCache.vectors.clear();
  }
  return setup.skillCache.skills;
}

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(subjectWords(text.split(/[\s/_.-]+/)));
}
