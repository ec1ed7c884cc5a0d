import type { ActorKey, Digest, Json, JsonObject, Label, MemoryRecord } from '@warrant/core';

/** Where skills lie; only people write here. */
export const SKILL_PREFIX = 'skills/';
/** Counter that moves with every change of a skill, so that what was read of them can be kept. */
export const SKILL_CHANGES = 'skills/changes';
/** In a scope: every agent. */
export const EVERYBODY = '*';

/** A file that a skill speaks of, as it was when the skill was written; `null` when nobody looked. */
export type SkillLink = { readonly path: string; readonly digest: Digest | null };
/** One version of a governed instruction. */
export type Skill = {
  readonly id: string;
  readonly version: string;
  readonly name: string;
  readonly content: string;
  /** Agents that get it; `*` for all. */
  readonly scope: readonly ActorKey[];
  /** What it speaks of: when a record about one of these changes, the skill has drifted. */
  readonly entities: readonly string[];
  readonly files: readonly SkillLink[];
  /** How well it did when it was tried, 0 to 1; `null` when nobody tried. */
  readonly validation: number | null;
  /** Who wrote the text; an agent when it was a draft that a person approved. */
  readonly authoredBy: ActorKey;
  /** When this version's text was written, ISO-8601. */
  readonly updatedAt: string;
  readonly label: Label;
  /** The record that holds it. */
  readonly recordId: string;
};

/** What a skill's record says, as stored. */
export type SkillBody = Pick<Skill, 'version' | 'name' | 'content' | 'scope' | 'files' | 'validation' | 'updatedAt'>;

export function bodyOf(skill: SkillBody): JsonObject {
  const { version, name, content, scope, files, validation, updatedAt } = skill;
  const links = files.map(({ path, digest }): JsonObject => ({ path, digest }));
  return { type: 'skill', version, name, content, scope, files: links, validation, updatedAt };
}

/** The skill that a record holds; `undefined` for records under `skills/` that are none. */
export function skillOf(record: MemoryRecord): Skill | undefined {
  const { value } = record;
  if (!record.key.startsWith(SKILL_PREFIX) || !isObject(value) || value['type'] !== 'skill') return undefined;
  return {
    ...(value as unknown as SkillBody),
    id: record.key.slice(SKILL_PREFIX.length),
    entities: record.entities,
    authoredBy: record.agent,
    label: record.label,
    recordId: record.id,
  };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Versions of one skill that were not archived, each as it was written last, oldest version first. @param rows of one key, in their order */
export function activeVersions(rows: readonly MemoryRecord[]): readonly Skill[] {
  const byVersion = new Map<string, Skill>();
  for (const row of rows) {
    const skill = row.archived ? undefined : skillOf(row);
    if (skill !== undefined) byVersion.set(skill.version, skill);
  }
  return [...byVersion.values()];
}

/** Whether an agent gets a skill. */
export function isInScope(skill: Pick<Skill, 'scope'>, agent: ActorKey): boolean {
  return skill.scope.includes(EVERYBODY) || skill.scope.includes(agent);
}
