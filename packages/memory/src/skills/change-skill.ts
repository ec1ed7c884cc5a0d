import type { ActorKey, Digest, JsonObject, MemoryChange, MemoryRecord, Reason } from '@warrant/core';
import { type Actor, labelOf } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { fault } from '../errors.ts';
import { checkKey } from '../keys.ts';
import { frozen, type Setup } from '../setup.ts';
import { confidence } from '../write-request.ts';
import { activeVersions, bodyOf, SKILL_CHANGES, SKILL_PREFIX, type Skill, type SkillBody, skillOf } from './skill.ts';

/** What a skill is to say. */
export type SkillInput = {
  readonly name: string;
  readonly content: string;
  /** Agents that get it; `*` for all. @default [] */
  readonly scope?: readonly ActorKey[];
  /** @default [] */
  readonly entities?: readonly string[];
  /** Paths of files that it speaks of. @default [] */
  readonly files?: readonly string[];
  /** Name of the version. @default 1.0.0, then the number of the next */
  readonly version?: string;
};
export type SkillResult =
  | { readonly type: 'stored'; readonly skill: Skill }
  | { readonly type: 'archived'; readonly current: Skill | null }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

type Plan =
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] }
  | { readonly type: 'put'; readonly body: SkillBody; readonly entities: readonly string[]; readonly did: string }
  | {
      readonly type: 'move';
      readonly changes: readonly MemoryChange[];
      readonly current: Skill | null;
      readonly version: string;
    };

const MAX_ATTEMPTS = 50;
const MAX_CONTENT = 256 * 1024;

/** Writes a skill's first version. */
export async function createSkill(
  setup: Setup,
  actor: Actor,
  id: string,
  input: SkillInput,
  recordId?: string,
): Promise<SkillResult> {
  const files = await linksTo(setup, input.files ?? []);
  return change(setup, actor, { id, ...(recordId === undefined ? {} : { recordId }) }, (rows, now) => {
    if (rows.some((row) => skillOf(row) !== undefined))
      return refused('skill.exists', 'there is a skill of this id', { id });
    const { name, content, scope = [], entities = [], version = '1.0.0' } = checked(input);
    return {
      type: 'put',
      did: 'created',
      entities,
      body: { version, name, content, scope, files, validation: null, updatedAt: now },
    };
  });
}

/** Writes a new version; what is not given stays as it was. The version before stays, to go back to. */
export async function updateSkill(
  setup: Setup,
  actor: Actor,
  id: string,
  input: Partial<SkillInput>,
  bound: { readonly recordId?: string; readonly base?: string } = {},
): Promise<SkillResult> {
  const files = input.files === undefined ? undefined : await linksTo(setup, input.files);
  return change(
    setup,
    actor,
    { id, ...(bound.recordId === undefined ? {} : { recordId: bound.recordId }) },
    (rows, now) => {
      const before = activeVersions(rows).at(-1);
      if (before === undefined) return unknown(id);
      if (bound.base !== undefined && bound.base !== before.recordId)
        return refused('skill.target-moved', 'the skill was changed since the draft was made', {
          id,
          base: bound.base,
        });
      const known = new Set(rows.flatMap((row) => skillOf(row)?.version ?? []));
      const version = input.version ?? String(known.size + 1);
      if (known.has(version))
        return refused('skill.version-exists', 'the skill has a version of this name', { id, version });
      const { name, content, scope, entities } = checked({ ...before, files: [], ...input });
      const relinked = files ?? before.files;
      return {
        type: 'put',
        did: 'updated',
        entities: entities ?? before.entities,
        body: { version, name, content, scope: scope ?? [], files: relinked, validation: null, updatedAt: now },
      };
    },
  );
}

/** Notes how well the version in force did, 0 to 1. @throws MEMORY_INVALID_ARGUMENT */
export async function validateSkill(setup: Setup, actor: Actor, id: string, score: number): Promise<SkillResult> {
  confidence(score, 'score');
  return change(setup, actor, { id }, (rows) => {
    const before = activeVersions(rows).at(-1);
    if (before === undefined) return unknown(id);
    return { type: 'put', did: 'validated', entities: before.entities, body: { ...before, validation: score } };
  });
}

/** Takes one version away: the newest that is left is in force again. */
export async function archiveSkill(setup: Setup, actor: Actor, id: string, version: string): Promise<SkillResult> {
  return change(setup, actor, { id }, (rows, now) => {
    const gone = rows.filter((row) => !row.archived && skillOf(row)?.version === version);
    if (gone.length === 0) return refused('skill.unknown-version', 'the skill has no such version', { id, version });
    return withdrawal(rows, gone, version, now);
  });
}

/** Goes back to an earlier version: every later one is archived. */
export async function rollbackSkill(setup: Setup, actor: Actor, id: string, version: string): Promise<SkillResult> {
  return change(setup, actor, { id }, (rows, now) => {
    const versions = activeVersions(rows);
    const at = versions.findIndex((skill) => skill.version === version);
    if (at === -1) return refused('skill.unknown-version', 'the skill has no such version', { id, version });
    const later = new Set(versions.slice(at + 1).map((skill) => skill.version));
    const gone = rows.filter((row) => !row.archived && later.has(skillOf(row)?.version ?? ''));
    return withdrawal(rows, gone, version, now);
  });
}

function withdrawal(rows: readonly MemoryRecord[], gone: readonly MemoryRecord[], version: string, now: string): Plan {
  const left = activeVersions(rows.filter((row) => !gone.includes(row))).at(-1);
  const changes = gone.map(({ id }): MemoryChange => ({ type: 'archive', id, at: now }));
  const row = rows.find(({ id }) => id === left?.recordId);
  const reopened: readonly MemoryChange[] =
    row === undefined || row.closedAt === null ? [] : [{ type: 'restore', id: row.id, at: now }];
  return { type: 'move', changes: [...changes, ...reopened], current: left ?? null, version };
}

async function change(
  setup: Setup,
  actor: Actor,
  target: { readonly id: string; readonly recordId?: string },
  plan: (rows: readonly MemoryRecord[], now: string) => Plan,
): Promise<SkillResult> {
  const key = `${SKILL_PREFIX}${target.id}`;
  const check = checkKey(key);
  if (check.type === 'refused') return check;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const [head] = await setup.store.heads([key]);
    const all = head?.records ?? [];
    const other = all.find((row) => row.key !== key);
    if (other !== undefined)
      return refused('memory.key-spelling', 'a stored key differs from this one in spelling only', {
        key,
        stored: other.key,
      });
    const now = setup.now();
    const planned = plan(all, now);
    if (planned.type === 'refused') return planned;
    const entryId = setup.ids.next();
    const done = carriedOut(setup, actor, { key, entryId, ...target }, { rows: all, planned, now });
    const count: MemoryChange = { type: 'count', name: SKILL_CHANGES, by: 1, at: now };
    const committed = await setup.store.commit([...done.changes, count], {
      expected: { [key]: head?.revision ?? 0 },
      audit: [{ ...auditEntry(setup.ids, actor, 'memory.skill-changed', done.audit), id: entryId }],
    });
    if (committed.type !== 'stale') return done.result;
  }
  throw fault('MEMORY_BUSY', 'other writers kept changing the skill', { attempts: MAX_ATTEMPTS });
}

type Target = { readonly key: string; readonly entryId: string; readonly recordId?: string };
type Done = { readonly changes: readonly MemoryChange[]; readonly audit: JsonObject; readonly result: SkillResult };

function carriedOut(
  setup: Setup,
  actor: Actor,
  target: Target & { readonly id: string },
  made: {
    readonly rows: readonly MemoryRecord[];
    readonly planned: Exclude<Plan, { type: 'refused' }>;
    readonly now: string;
  },
): Done {
  const { planned, rows, now } = made;
  if (planned.type === 'move') {
    const { current, version, changes } = planned;
    const audit = { skill: target.id, did: 'archived', version, current: current?.version ?? null };
    return { changes, audit, result: { type: 'archived', current } };
  }
  const record = recordOf(setup, actor, target, { rows, planned, now });
  const closed = rows
    .filter((row) => row.closedAt === null)
    .map(({ id }): MemoryChange => ({ type: 'close', id, at: now }));
  const { version } = planned.body;
  return {
    changes: [...closed, { type: 'put', record }],
    audit: { skill: target.id, did: planned.did, version, record: record.id },
    result: { type: 'stored', skill: skillOf(record) as Skill },
  };
}

function recordOf(
  setup: Setup,
  actor: Actor,
  target: Target,
  made: {
    readonly rows: readonly MemoryRecord[];
    readonly planned: Extract<Plan, { type: 'put' }>;
    readonly now: string;
  },
): MemoryRecord {
  const { planned, rows, now } = made;
  return frozen({
    id: target.recordId ?? setup.ids.next(),
    key: target.key,
    value: bodyOf(planned.body),
    origin: 'human-approved',
    label: labelOf(actor),
    confidence: 1,
    tier: 'org',
    entities: planned.entities,
    subject: null,
    validFrom: now,
    validTo: null,
    recordedAt: now,
    closedAt: null,
    expiresAt: null,
    inferred: false,
    sources: [],
    agent: actor.onBehalfOf ?? actor.key,
    user: null,
    session: null,
    speaker: null,
    sequence: null,
    version: Math.max(0, ...rows.map((row) => row.version)) + 1,
    conflicts: [],
    auditEntry: target.entryId,
    archived: false,
    consolidated: false,
    directories: [],
    retrievals: 0,
    lastRetrievedAt: null,
  });
}

/** @throws MEMORY_INVALID_ARGUMENT */
function checked<T extends Partial<SkillInput>>(input: T): T {
  const bad = (field: string, message: string): Error => fault('MEMORY_INVALID_ARGUMENT', message, { field });
  if (typeof input.name !== 'string' || input.name.length > 512)
    throw bad('name', 'a skill has a name of at most 512 characters');
  if (typeof input.content !== 'string' || input.content.length > MAX_CONTENT)
    throw bad('content', `a skill's content is a text of at most ${MAX_CONTENT} characters`);
  for (const list of ['scope', 'entities', 'files'] as const) {
    const texts: unknown = input[list] ?? [];
    if (!Array.isArray(texts) || texts.length > 256 || texts.some((text) => typeof text !== 'string' || text === ''))
      throw bad(list, `${list} is a list of at most 256 texts`);
  }
  if (input.version !== undefined && (typeof input.version !== 'string' || !/^[\w.+-]{1,64}$/.test(input.version)))
    throw bad('version', 'a version is named by letters, digits and . _ + -');
  return input;
}

async function linksTo(setup: Setup, paths: readonly string[]): Promise<Skill['files']> {
  const links: { readonly path: string; readonly digest: Digest | null }[] = [];
  for (const path of new Set(paths))
    links.push({ path, digest: setup.fileDigest === null ? null : await setup.fileDigest(path) });
  return links;
}

function refused(code: string, message: string, data: JsonObject): Extract<Plan, { type: 'refused' }> {
  return { type: 'refused', reasons: [{ code, message, data }] };
}

function unknown(id: string): Plan {
  return refused('skill.unknown', 'there is no such skill', { id });
}
