import type { ActorKey, JsonObject, Proposal, ProposalKind, Reason, Reviewer } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { checkKey } from '../keys.ts';
import { decideAccess } from '../permissions.ts';
import { approvedActor, selfApproval } from '../propose.ts';
import type { Setup } from '../setup.ts';
import { createSkill, type SkillInput, type SkillResult, updateSkill } from './change-skill.ts';
import { skillById } from './find-skills.ts';
import { SKILL_PREFIX, type Skill } from './skill.ts';

/** Kind of the proposals by which agents ask for a new skill or another version of one. */
export const SKILL_PROPOSAL_KIND = 'memory.skill';

/** A skill as an agent would have it. */
export type SkillDraft = Omit<SkillInput, 'version'> & {
  /** The skill that is to change, or the id of the new one. @default made from the name */
  readonly id?: string;
  /** What it is about; drafts for the same words are not made by themselves twice. @default [] */
  readonly words?: readonly string[];
  /** Keys of the records that it was made from. @default [] */
  readonly from?: readonly string[];
};
export type DraftResult =
  /** `rivals`: other drafts that wait for the same skill. */
  | {
      readonly type: 'proposed';
      readonly proposalId: string;
      readonly skillId: string;
      readonly rivals: readonly string[];
    }
  /** The same draft waits already. */
  | { readonly type: 'known'; readonly proposalId: string; readonly skillId: string }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

export type PendingDraft = { readonly proposalId: string; readonly proposedBy: ActorKey; readonly draft: DraftPayload };
export type DraftPayload = {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly scope: readonly ActorKey[];
  readonly entities: readonly string[];
  readonly files: readonly string[];
  readonly words: readonly string[];
  readonly from: readonly string[];
  /** Record of the version that the draft is to replace; `null` for a new skill. */
  readonly base: string | null;
};

/** Files a draft for review, after it was held against the skill it is for and the drafts that wait. Nothing of it is a skill until somebody else approves it. */
export async function proposeSkill(setup: Setup, actor: Actor, draft: SkillDraft): Promise<DraftResult> {
  const { reviewer } = setup;
  if (reviewer === null) return refused('memory.no-reviewer', 'without a reviewer nobody could approve the draft', {});
  const proposalId = setup.ids.next();
  const id = draft.id ?? idFrom(draft.name, proposalId);
  const denied = denial(setup, actor, id);
  if (denied !== undefined) {
    const data = { action: 'propose', skill: id, codes: denied.reasons.map(({ code }) => code) };
    await setup.store.commit([], { expected: {}, audit: [auditEntry(setup.ids, actor, 'memory.refused', data)] });
    return denied;
  }
  const target = await skillById(setup, id);
  if (target !== undefined && isSame(target, draft))
    return refused('skill.no-change', 'the skill says this already', { id });
  const payload = payloadOf(id, draft, target);
  const waiting = (await pendingDrafts(reviewer)).filter((one) => one.draft.id === id);
  const same = waiting.find((one) => sameText(one.draft, payload));
  if (same !== undefined) return { type: 'known', proposalId: same.proposalId, skillId: id };
  return file(setup, reviewer, actor, { proposalId, payload, rivals: waiting.map((one) => one.proposalId) });
}

async function file(
  setup: Setup,
  reviewer: Reviewer,
  actor: Actor,
  made: { readonly proposalId: string; readonly payload: DraftPayload; readonly rivals: readonly string[] },
): Promise<DraftResult> {
  const { proposalId, payload, rivals } = made;
  const proposal: Proposal = {
    id: proposalId,
    kind: SKILL_PROPOSAL_KIND,
    proposedBy: actor.key,
    proposedAt: setup.now(),
    payload: payload as unknown as JsonObject,
  };
  const decision = await reviewer.file(proposal);
  const data = { skill: payload.id, proposal: proposalId, digest: decision.proposal, decision: decision.type };
  const audit = auditEntry(setup.ids, actor, 'memory.proposed', data);
  await setup.store.commit([], { expected: {}, audit: [audit] });
  if (decision.type !== 'queued' && decision.type !== 'approved') return { type: 'refused', reasons: decision.reasons };
  setup.hub.tell([
    { type: 'skill-draft-proposed', proposalId, skillId: payload.id, name: payload.name, agent: actor.key },
  ]);
  return { type: 'proposed', proposalId, skillId: payload.id, rivals };
}

/** Drafts that wait for a decision. */
export async function pendingDrafts(reviewer: Reviewer): Promise<readonly PendingDraft[]> {
  const pending: PendingDraft[] = [];
  for await (const { proposal } of reviewer.list({ type: 'queued', kind: SKILL_PROPOSAL_KIND }))
    if (proposal.kind === SKILL_PROPOSAL_KIND)
      pending.push({
        proposalId: proposal.id,
        proposedBy: proposal.proposedBy,
        draft: proposal.payload as unknown as DraftPayload,
      });
  return pending;
}

/** How an approved draft becomes a skill: exactly the text that was approved, on the version it was written for. */
export function skillProposalKind(setup: Setup): ProposalKind {
  return {
    kind: SKILL_PROPOSAL_KIND,
    check: async (payload) => payloadFaults(payload),
    evidence: () => null,
    confidence: () => null,
    apply: async (proposal, approval) => {
      if ((await setup.store.records([proposal.id])).length > 0) return { type: 'applied', reasons: [] };
      const self = selfApproval(proposal, approval);
      if (self !== undefined) return { type: 'refused', reasons: [self] };
      const faults = payloadFaults(proposal.payload);
      if (faults.length > 0) return { type: 'refused', reasons: faults };
      const result = await applied(setup, approvedActor(proposal, approval), proposal);
      return result.type === 'refused' ? result : { type: 'applied', reasons: [] };
    },
  };
}

async function applied(setup: Setup, actor: Actor, proposal: Proposal): Promise<SkillResult> {
  const { id, base, name, content, scope, entities, files } = proposal.payload as unknown as DraftPayload;
  const input = { name, content, scope, entities, files };
  if (base === null) return createSkill(setup, actor, id, input, proposal.id);
  return updateSkill(setup, actor, id, input, { recordId: proposal.id, base });
}

function payloadFaults(payload: JsonObject): readonly Reason[] {
  const fine =
    ['id', 'name', 'content'].every((field) => typeof payload[field] === 'string') &&
    ['scope', 'entities', 'files'].every((field) => isTexts(payload[field])) &&
    (payload['base'] === null || typeof payload['base'] === 'string');
  return fine ? [] : [{ code: 'memory.proposal-malformed', message: 'the draft is not complete', data: {} }];
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string' && text !== '');
}

/** An agent may ask for any skill, unless its permissions forbid proposals. */
function denial(setup: Setup, actor: Actor, id: string): Extract<DraftResult, { type: 'refused' }> | undefined {
  const spelled = checkKey(`${SKILL_PREFIX}${id}`);
  if (spelled.type === 'refused') return spelled;
  const asked = decideAccess(setup.permissions, { action: 'write', key: `proposal/${id}`, actor, record: null });
  return asked.reasons.some(({ code }) => code === 'memory.explicit-deny')
    ? { type: 'refused', reasons: asked.reasons }
    : undefined;
}

function payloadOf(id: string, draft: SkillDraft, target: Skill | undefined): DraftPayload {
  return {
    id,
    name: draft.name,
    content: draft.content,
    scope: draft.scope ?? target?.scope ?? [],
    entities: draft.entities ?? target?.entities ?? [],
    files: draft.files ?? target?.files.map(({ path }) => path) ?? [],
    words: [...new Set(draft.words ?? [])].sort(),
    from: draft.from ?? [],
    base: target?.recordId ?? null,
  };
}

function isSame(skill: Skill, draft: SkillDraft): boolean {
  return (
    skill.content === draft.content &&
    skill.name === draft.name &&
    (draft.scope === undefined || sameSet(skill.scope, draft.scope))
  );
}

function sameText(a: DraftPayload, b: DraftPayload): boolean {
  return a.name === b.name && a.content === b.content && sameSet(a.scope, b.scope) && a.base === b.base;
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return [...new Set(a)].sort().join('\n') === [...new Set(b)].sort().join('\n');
}

/** Letters, digits and single dashes; a name without any gets an id of its own. */
function idFrom(name: string, proposalId: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return plain === '' ? `draft-${proposalId.toLowerCase()}` : plain.slice(0, 64);
}

function refused(code: string, message: string, data: JsonObject): Extract<DraftResult, { type: 'refused' }> {
  return { type: 'refused', reasons: [{ code, message, data }] };
}
