import type { ArtifactChange, JsonObject, Proposal, Reason } from '@warrant/core';
import { isMapping, member } from './faults.ts';
import { isSafeId } from './ids.ts';
import { CLAIM_TYPES } from './kinds.ts';
import { isBlank } from './text.ts';

/** Words that vouch knows for the `type` of entities and relations; page types are open. */
export const ENTITY_TYPES: readonly string[] =
  'person project repo company concept decision workflow file api incident source agent tool team system'.split(' ');
export const RELATION_TYPES: readonly string[] =
  'uses depends_on contradicts supersedes supports caused_by owned_by derived_from similar_to blocks implements references mentions relates_to'.split(
    ' ',
  );

/** Kinds that are stored as artifacts of a knowledge base. */
export const ARTIFACT_KINDS: readonly string[] = ['claim', 'page', 'entity', 'relation'];

/** Members that only the gate may set. */
const OWN_TO_GATE: readonly string[] = [
  'status',
  'auto_approved',
  'approved_by',
  'proposed_by',
  'superseded_by',
  'created_at',
  'updated_at',
  'last_confirmed_at',
];

type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, { readonly required?: true; readonly fits: Check; readonly expected: string }>>;

const text: Check = (value) => typeof value === 'string' && !isBlank(value);
const anyText: Check = (value) => typeof value === 'string';
const textOrNull: Check = (value) => value === null || typeof value === 'string';
const texts: Check = (value) =>
  value === null || (Array.isArray(value) && value.every((entry) => typeof entry === 'string'));
const confidence: Check = (value) => value === null || (typeof value === 'number' && value >= 0 && value <= 1);
const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    value === null || words.some((word) => word === value);
const field = (fits: Check, expected: string): Fields[string] => ({ fits, expected });
const needed = (fits: Check, expected: string): Fields[string] => ({ required: true, fits, expected });

const ID = needed(isSafeId, 'an id that can name a file');
const LIST = field(texts, 'a list of texts');
const SCOPE = field((value) => value === null || typeof value === 'string' || isMapping(value), 'a word or a mapping');

const FIELDS: Readonly<Record<string, Fields>> = {
  claim: {
    id: ID,
    text: needed(text, 'a text that is not blank'),
    type: field(oneOf(CLAIM_TYPES), CLAIM_TYPES.join(', ')),
    confidence: field(confidence, 'a number from 0 to 1'),
    evidence: LIST,
    entities: LIST,
    tags: LIST,
    supersedes: LIST,
    contradicts: LIST,
    scope: SCOPE,
  },
  page: {
    id: ID,
    title: needed(text, 'a text that is not blank'),
    body: field(anyText, 'a text'),
    type: field(text, 'a text that is not blank'),
    claims: LIST,
    entities: LIST,
    sources: LIST,
    tags: LIST,
    metadata: field((value) => value === null || isMapping(value), 'a mapping'),
    scope: SCOPE,
    replaces: field(isSafeId, 'the id of the page to overwrite'),
  },
  entity: {
    id: ID,
    name: needed(text, 'a text that is not blank'),
    type: needed(oneOf(ENTITY_TYPES), ENTITY_TYPES.join(', ')),
    aliases: LIST,
    description: field(textOrNull, 'a text'),
    page: field(textOrNull, 'an id'),
  },
  relation: {
    id: ID,
    source: needed(isSafeId, 'an id'),
    relation: needed(oneOf(RELATION_TYPES), RELATION_TYPES.join(', ')),
    target: needed(isSafeId, 'an id'),
    confidence: field(confidence, 'a number from 0 to 1'),
    evidence: LIST,
  },
  delete: {
    target_kind: needed((value) => ARTIFACT_KINDS.some((kind) => kind === value), ARTIFACT_KINDS.join(', ')),
    id: ID,
    snapshot: field((value) => value === null || isMapping(value), 'a mapping'),
  },
};

/** What keeps a payload from becoming an artifact of its kind; empty when nothing does. */
export function checkKnowledge(kind: string, payload: JsonObject): readonly Reason[] {
  const fields = FIELDS[kind] ?? {};
  const reasons: Reason[] = [];
  for (const [name, rule] of Object.entries(fields)) {
    const value = member(payload, name);
    if (value === undefined ? rule.required !== true : rule.fits(value)) continue;
    reasons.push(invalid(`/payload/${name}`, `expected ${rule.expected}`));
  }
  for (const name of Object.keys(payload)) {
    if (Object.hasOwn(fields, name)) continue;
    if (kind !== 'delete' && OWN_TO_GATE.includes(name)) {
      reasons.push(invalid(`/payload/${name}`, 'only the gate sets this'));
    }
  }
  if (kind === 'page' && Object.hasOwn(payload, 'replaces') && payload['replaces'] !== payload['id']) {
    reasons.push(invalid('/payload/replaces', 'expected the id of this page'));
  }
  return reasons;
}

function invalid(path: string, message: string): Reason {
  return { code: 'review.payload-invalid', message: `${path}: ${message}`, data: { path } };
}

/** Who approved what is being applied, and when. */
export type Approved = { readonly by: string; readonly at: string; readonly auto: boolean };

/** The artifacts as they are now; changes are worked out from them. */
export type Reader = (kind: string, id: string) => Promise<JsonObject | undefined>;

/** The changes that land a proposal of a knowledge kind, or why it cannot land. */
export type Planned =
  | { readonly type: 'changes'; readonly changes: readonly ArtifactChange[]; readonly artifactId: string }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** Works out what approving the proposal changes. Nothing is written. */
export async function planKnowledge(proposal: Proposal, approved: Approved, read: Reader): Promise<Planned> {
  const reasons = checkKnowledge(proposal.kind, proposal.payload);
  if (reasons.length > 0) return { type: 'refused', reasons };
  const id = proposal.payload['id'] as string;
  switch (proposal.kind) {
    case 'claim':
      return planClaim(proposal, approved, read);
    case 'page':
      return planPage(proposal, approved, read);
    case 'delete':
      return {
        type: 'changes',
        artifactId: id,
        changes: [{ type: 'delete', kind: proposal.payload['target_kind'] as string, id }],
      };
    default:
      return planNew(
        proposal.kind,
        id,
        proposal.kind === 'entity' ? entity(proposal, approved) : relation(proposal, approved),
        read,
      );
  }
}

async function planNew(kind: string, id: string, body: JsonObject, read: Reader): Promise<Planned> {
  if ((await read(kind, id)) !== undefined) return exists(kind, id);
  return { type: 'changes', artifactId: id, changes: [{ type: 'create', kind, id, body }] };
}

async function planClaim(proposal: Proposal, approved: Approved, read: Reader): Promise<Planned> {
  const id = proposal.payload['id'] as string;
  const superseded = listOf(proposal.payload, 'supersedes');
  const planned = await planNew('claim', id, claim(proposal, approved), read);
  if (planned.type === 'refused' || superseded.length === 0) return planned;
  const changes: ArtifactChange[] = [...planned.changes];
  for (const old of new Set(superseded)) {
    const body = isSafeId(old) && old !== id ? await read('claim', old) : undefined;
    if (body === undefined) {
      const message = 'a superseded claim is not there';
      return { type: 'refused', reasons: [{ code: 'review.supersedes-unknown', message, data: { id: old } }] };
    }
    const replaced = { ...body, status: 'superseded', superseded_by: id, updated_at: approved.at };
    changes.push({ type: 'replace', kind: 'claim', id: old, body: replaced });
  }
  return { ...planned, changes };
}

async function planPage(proposal: Proposal, approved: Approved, read: Reader): Promise<Planned> {
  const id = proposal.payload['id'] as string;
  const existing = await read('page', id);
  if (existing === undefined) {
    return {
      type: 'changes',
      artifactId: id,
      changes: [{ type: 'create', kind: 'page', id, body: page(proposal, approved) }],
    };
  }
  if (proposal.payload['replaces'] !== id) return exists('page', id);
  const created = typeof existing['created_at'] === 'string' ? existing['created_at'] : approved.at;
  const body = { ...page(proposal, approved), created_at: created };
  return { type: 'changes', artifactId: id, changes: [{ type: 'replace', kind: 'page', id, body }] };
}

function exists(kind: string, id: string): Planned {
  const remedy = kind === 'page' ? { set: '/payload/replaces' } : { change: '/payload/id' };
  const message = `there is a ${kind} of that id already`;
  return { type: 'refused', reasons: [{ code: 'review.artifact-exists', message, data: { kind, id }, remedy }] };
}

function listOf(payload: JsonObject, key: string): readonly string[] {
  const value = member(payload, key);
  return Array.isArray(value) ? (value as readonly string[]) : [];
}

function scopeOf(payload: JsonObject): JsonObject {
  const scope = member(payload, 'scope');
  const base = { visibility: 'project', project: null, agent: null };
  if (typeof scope === 'string') return { ...base, visibility: scope };
  return isMapping(scope) ? { ...base, ...(scope as JsonObject) } : base;
}

function claim(proposal: Proposal, approved: Approved): JsonObject {
  const { payload } = proposal;
  return {
    id: payload['id'] ?? null,
    text: payload['text'] ?? null,
    type: payload['type'] ?? 'observation',
    status: 'working',
    confidence: payload['confidence'] ?? 0.7,
    evidence: listOf(payload, 'evidence'),
    entities: listOf(payload, 'entities'),
    supersedes: listOf(payload, 'supersedes'),
    superseded_by: null,
    contradicts: listOf(payload, 'contradicts'),
    scope: scopeOf(payload),
    tags: listOf(payload, 'tags'),
    created_at: approved.at,
    updated_at: approved.at,
    last_confirmed_at: null,
    approved_by: approved.by,
    proposed_by: proposal.proposedBy,
    auto_approved: approved.auto || approved.by === proposal.proposedBy,
  };
}

function page(proposal: Proposal, approved: Approved): JsonObject {
  const { payload } = proposal;
  const metadata = member(payload, 'metadata');
  return {
    id: payload['id'] ?? null,
    title: payload['title'] ?? null,
    type: payload['type'] ?? 'concept',
    status: 'draft',
    claims: listOf(payload, 'claims'),
    entities: listOf(payload, 'entities'),
    sources: listOf(payload, 'sources'),
    scope: scopeOf(payload),
    tags: listOf(payload, 'tags'),
    metadata: isMapping(metadata) ? (metadata as JsonObject) : {},
    created_at: approved.at,
    updated_at: approved.at,
    body: payload['body'] ?? '',
  };
}

function entity(proposal: Proposal, approved: Approved): JsonObject {
  const { payload } = proposal;
  return {
    id: payload['id'] ?? null,
    name: payload['name'] ?? null,
    type: payload['type'] ?? null,
    aliases: listOf(payload, 'aliases'),
    description: payload['description'] ?? null,
    page: payload['page'] ?? null,
    created_at: approved.at,
    updated_at: approved.at,
  };
}

function relation(proposal: Proposal, approved: Approved): JsonObject {
  const { payload } = proposal;
  return {
    id: payload['id'] ?? null,
    source: payload['source'] ?? null,
    relation: payload['relation'] ?? null,
    target: payload['target'] ?? null,
    confidence: payload['confidence'] ?? 0.7,
    evidence: listOf(payload, 'evidence'),
    created_at: approved.at,
    updated_at: approved.at,
  };
}
