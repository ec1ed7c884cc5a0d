import type { JsonObject, MemoryConflict, MemoryRecord } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { rankOf } from './current.ts';
import { disagreements } from './disagreement.ts';
import { fault } from './errors.ts';
import type { Setup } from './setup.ts';
import { mayRead } from './shown.ts';
import { rate } from './skills/look-around.ts';
import { cachedSkills } from './skills/review-signal.ts';
import { isInScope } from './skills/skill.ts';
import { tellStale } from './skills/tell-stale.ts';
import { valueText } from './words.ts';

/** A more trusted record that stands over what somebody else wrote under the same key. */
export type Override = {
  readonly key: string;
  readonly conflict: string;
  /** The record that stands. */
  readonly standing: string;
  readonly over: string;
  readonly text: string;
};
/** An instruction that can hardly be relied on any more. */
export type SkillWarning = {
  readonly skillId: string;
  readonly version: string;
  readonly health: number;
  readonly codes: readonly string[];
  readonly text: string;
};
/** Something the caller knows from elsewhere. */
export type ExternalContext = { readonly content: string; readonly source: string };
/** A remembered statement and one from elsewhere that cannot both be so. */
export type ExternalDisagreement = {
  readonly source: string;
  readonly record: string;
  readonly key: string;
  readonly by: 'negation' | 'number' | 'opposite' | 'value';
  readonly remembered: string;
  readonly external: string;
};

/** Authority conflicts that the records are part of, where the other side may be seen too. */
export async function overridesOf(
  setup: Setup,
  actor: Actor,
  records: readonly MemoryRecord[],
): Promise<readonly Override[]> {
  const ids = records.filter((record) => record.conflicts.length > 0).map(({ id }) => id);
  if (ids.length === 0) return [];
  const conflicts: MemoryConflict[] = [];
  for await (const conflict of setup.store.conflicts({ records: ids }))
    if (conflict.type === 'authority') conflicts.push(conflict);
  const both = await setup.store.records(conflicts.flatMap((conflict) => conflict.records));
  const byId = new Map(both.map((record) => [record.id, record]));
  return conflicts.flatMap((conflict) => {
    const sides = conflict.records.flatMap((id) => byId.get(id) ?? []).sort((a, b) => rankOf(b) - rankOf(a));
    const [standing, over] = sides;
    if (standing === undefined || over === undefined || !sides.every((side) => mayRead(setup, actor, side))) return [];
    const who = standing.origin === 'human-approved' ? 'a person approved' : 'an agent wrote';
    const text = `what ${who} under ${standing.key} stands over a less trusted record`;
    return [{ key: standing.key, conflict: conflict.id, standing: standing.id, over: over.id, text }];
  });
}

/** Stale skills that an agent gets. People see the health of each in their lists. */
export async function skillWarningsFor(setup: Setup, actor: Actor): Promise<readonly SkillWarning[]> {
  if (actor.type !== 'agent') return [];
  const mine = (await cachedSkills(setup)).filter((skill) => isInScope(skill, actor.key));
  if (mine.length === 0) return [];
  const rated = (await rate(setup, mine)).filter(({ health }) => health.stale);
  if (actor.readOnly !== true) await tellStale(setup, rated);
  return rated.map(({ skill, health }) => ({
    skillId: skill.id,
    version: skill.version,
    health: health.score,
    codes: health.reasons.map(({ code }) => code),
    text: `skill ${skill.id} is stale (health ${health.score.toFixed(2)}): ${health.reasons.map(({ message }) => message).join('; ')}`,
  }));
}

const MAX_EXTERNAL = 20;

/** Holds what is given from elsewhere against what is remembered; counted and audited by source, never by content. */
export async function compareExternal(
  setup: Setup,
  actor: Actor,
  external: readonly ExternalContext[],
  records: readonly MemoryRecord[],
): Promise<readonly ExternalDisagreement[]> {
  if (external.length === 0) return [];
  if (
    external.length > MAX_EXTERNAL ||
    external.some((one) => typeof one.content !== 'string' || typeof one.source !== 'string')
  )
    throw fault(
      'MEMORY_INVALID_ARGUMENT',
      `externalContext is a list of at most ${MAX_EXTERNAL} texts with their sources`,
      {
        field: 'externalContext',
      },
    );
  const found = records.flatMap((record) =>
    external.flatMap(({ content, source }) =>
      disagreements(valueText(record.value), content).map(
        ({ left, right, by }): ExternalDisagreement => ({
          source,
          record: record.id,
          key: record.key,
          by,
          remembered: left,
          external: right,
        }),
      ),
    ),
  );
  if (actor.readOnly === true) return found;
  const at = setup.now();
  const count = (name: string) => ({ type: 'count', name: `external/${name}`, by: 1, at }) as const;
  const data: JsonObject = {
    sources: external.map(({ source }) => source),
    disagree: found.map(({ source, record, by }) => ({ source, record, by })),
  };
  await setup.store.commit([count('asked'), ...(found.length > 0 ? [count('disagreed')] : [])], {
    expected: {},
    audit: [auditEntry(setup.ids, actor, 'memory.external-compared', data)],
  });
  return found;
}
