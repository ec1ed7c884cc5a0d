import { type ActorKey, foldName, type MemoryRecord } from '@warrant/core';
import { text } from '../read.ts';
import type { Setup } from '../setup.ts';
import { termOf, wordsOf } from '../words.ts';
import { activeVersions, isInScope, SKILL_PREFIX, type Skill } from './skill.ts';

/** Every active version of every skill, by id. */
export async function allVersions(setup: Setup): Promise<ReadonlyMap<string, readonly Skill[]>> {
  const rows = new Map<string, MemoryRecord[]>();
  for await (const row of setup.store.scan({ prefix: SKILL_PREFIX })) {
    const known = rows.get(row.key);
    if (known === undefined) rows.set(row.key, [row]);
    else known.push(row);
  }
  const all = [...rows.values()].map(activeVersions).filter((versions) => versions.length > 0);
  return new Map(all.map((versions) => [(versions[0] as Skill).id, versions]));
}

/** The version in force of each skill that an agent gets; of every skill for `null`. By id. */
export async function skillsFor(setup: Setup, agent: ActorKey | null): Promise<readonly Skill[]> {
  const current = [...(await allVersions(setup)).values()].flatMap((versions) => versions.at(-1) ?? []);
  return current.filter((skill) => agent === null || isInScope(skill, agent)).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** The version in force of one skill. */
export async function skillById(setup: Setup, id: string): Promise<Skill | undefined> {
  const key = `${SKILL_PREFIX}${id}`;
  const [head] = await setup.store.heads([key]);
  return activeVersions((head?.records ?? []).filter((row) => row.key === key)).at(-1);
}

/** Skills that share words with a query, most first; text that holds the query as it is goes before all. */
export function searchSkills(skills: readonly Skill[], query: string): readonly Skill[] {
  const terms = new Set(wordsOf(text('query', query)).map(termOf));
  const plain = foldName(query);
  const found = skills.map((skill) => {
    const said = `${skill.id} ${skill.name}\n${skill.content}\n${skill.entities.join(' ')}`;
    const shared = new Set(
      wordsOf(said)
        .map(termOf)
        .filter((term) => terms.has(term)),
    ).size;
    const whole = plain !== '' && foldName(said).includes(plain);
    return { skill, score: shared + (whole ? 1000 : 0) };
  });
  return found
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.skill.id < b.skill.id ? -1 : 1))
    .map(({ skill }) => skill);
}
