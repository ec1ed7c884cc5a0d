import type { Actor } from '../actor.ts';
import type { Setup } from '../setup.ts';
import { proposeFromCluster } from './auto-draft.ts';
import {
  archiveSkill,
  createSkill,
  rollbackSkill,
  type SkillInput,
  type SkillResult,
  updateSkill,
  validateSkill,
} from './change-skill.ts';
import { type DraftResult, proposeSkill, type SkillDraft } from './draft.ts';
import { allVersions, searchSkills, skillsFor } from './find-skills.ts';
import { type RatedSkill, rate } from './look-around.ts';
import type { Skill } from './skill.ts';
import { tellStale } from './tell-stale.ts';

/** What every handle sees of skills: an agent those in whose scope it is, a person all. */
export type SkillReader = {
  /** The version in force of each, with its health. A skill that became stale is told of once. */
  readonly list: () => Promise<readonly RatedSkill[]>;
  readonly get: (id: string) => Promise<RatedSkill | undefined>;
  readonly search: (query: string) => Promise<readonly RatedSkill[]>;
};
export type AgentSkills = SkillReader & {
  /** Asks people for a new skill, or for another version of one. */
  readonly propose: (draft: SkillDraft) => Promise<DraftResult>;
  /** Asks for a skill about records that belong together; `none` when nothing names their subject or a draft on it waits. */
  readonly proposeFromCluster: (cluster: {
    readonly words: readonly string[];
    readonly keys: readonly string[];
  }) => Promise<DraftResult | { readonly type: 'none' }>;
};
export type HumanSkills = SkillReader & {
  readonly create: (id: string, input: SkillInput) => Promise<SkillResult>;
  /** A new version; the earlier stay, to go back to. */
  readonly update: (id: string, input: Partial<SkillInput>) => Promise<SkillResult>;
  readonly archive: (id: string, version: string) => Promise<SkillResult>;
  readonly rollback: (id: string, version: string) => Promise<SkillResult>;
  /** How well the version in force did when it was tried, 0 to 1. */
  readonly validate: (id: string, score: number) => Promise<SkillResult>;
  /** Versions that were not archived, oldest first. */
  readonly versions: (id: string) => Promise<readonly Skill[]>;
};

/** @internal */
function createSkillReader(setup: Setup, actor: Actor): SkillReader {
  const mine = (): Promise<readonly Skill[]> => skillsFor(setup, actor.type === 'human' ? null : actor.key);
  const shown = async (skills: readonly Skill[]): Promise<readonly RatedSkill[]> => {
    const rated = await rate(setup, skills);
    await tellStale(setup, rated);
    return rated;
  };
  return {
    list: async () => shown(await mine()),
    get: async (id) => (await shown((await mine()).filter((skill) => skill.id === id)))[0],
    search: async (query) => shown(searchSkills(await mine(), query)),
  };
}

/** @internal */
export function createAgentSkills(setup: Setup, actor: Actor): AgentSkills {
  return {
    ...createSkillReader(setup, actor),
    propose: (draft) => proposeSkill(setup, actor, draft),
    proposeFromCluster: (cluster) => proposeFromCluster(setup, actor, cluster),
  };
}

/** @internal */
export function createHumanSkills(setup: Setup, actor: Actor): HumanSkills {
  return {
    ...createSkillReader(setup, actor),
    create: (id, input) => createSkill(setup, actor, id, input),
    update: (id, input) => updateSkill(setup, actor, id, input),
    archive: (id, version) => archiveSkill(setup, actor, id, version),
    rollback: (id, version) => rollbackSkill(setup, actor, id, version),
    validate: (id, score) => validateSkill(setup, actor, id, score),
    versions: async (id) => (await allVersions(setup)).get(id) ?? [],
  };
}
