import type { ActorKey, Digest, Json, JsonObject, MemoryOrigin, Reason } from '@warrant/core';
import { digest } from '@warrant/core';
import { ALWAYS_PROTECTED, checkKey, isUnder } from './keys.ts';
import { literalPrefix, matchesPattern } from './patterns.ts';

/** What one agent may do, as patterns over keys. */
export type AgentPermissions = {
  readonly canWrite: readonly string[];
  readonly cannotWrite: readonly string[];
  readonly canRead: readonly string[];
  readonly canDelete: readonly string[];
};
/** Who may do what. Without one, a handle reaches its own records under `memory/` and nothing else. */
export type MemoryPermissions = {
  readonly defaultPolicy: 'deny' | 'allow';
  /** Subtrees that only people write, beside those that are always protected. No slash at the end. */
  readonly protectedPrefixes: readonly string[];
  readonly agents: { readonly [key: ActorKey]: AgentPermissions };
};
export type MemoryAction = 'write' | 'read' | 'delete';
export type AccessRequest = {
  readonly action: MemoryAction;
  readonly key: string;
  readonly actor: {
    readonly type: 'agent' | 'provider' | 'human';
    readonly key: ActorKey;
    /** Writes and deletes nothing, whatever is granted. */
    readonly readOnly?: true;
  };
  /** The record that is there: whose, and from where. `null` for a new key. */
  readonly record: { readonly agent: ActorKey; readonly origin: MemoryOrigin } | null;
};
export type AccessVerdict = {
  readonly allowed: boolean;
  /** The pattern or prefix that decided; `null` when a default did. */
  readonly rule: string | null;
  /** Of the permissions that were asked; `null` without any. */
  readonly permissions: Digest | null;
  readonly reasons: readonly Reason[];
};

const digests = new WeakMap<MemoryPermissions, Digest>();

/** The name of a set of permissions in records and verdicts. */
export function permissionsDigest(permissions: MemoryPermissions): Digest {
  const known = digests.get(permissions) ?? digest(permissions as unknown as Json);
  digests.set(permissions, known);
  return known;
}

/** Decides whether somebody may do something with a key, and says which rule decided. Pure. */
export function decideAccess(permissions: MemoryPermissions | null, request: AccessRequest): AccessVerdict {
  const answer = (allowed: boolean, code: string, message: string, rule: string | null = null): AccessVerdict => ({
    allowed,
    rule,
    permissions: permissions === null ? null : permissionsDigest(permissions),
    reasons: [{ code: `memory.${code}`, message, data: dataOf(request, rule) }],
  });
  const prefixes = permissions?.protectedPrefixes ?? [];
  const spelling = checkKey(request.key, prefixes);
  if (spelling.type === 'refused') return { ...answer(false, '', ''), reasons: spelling.reasons };
  if (request.actor.readOnly === true && request.action !== 'read')
    return answer(false, 'read-only', 'this handle only reads');
  if (request.actor.type === 'human') return answer(true, 'human', 'people may');
  const zone = request.action === 'read' ? undefined : protectedBy(request.key, prefixes);
  if (zone !== undefined) return answer(false, 'human-zone', 'only people write here', zone);
  if (request.action === 'delete' && request.record?.origin === 'human-approved')
    return answer(false, 'human-record', 'only people delete what a person approved');
  return permissions === null ? withoutFile(request, answer) : withFile(permissions, request, answer);
}

type Answer = (allowed: boolean, code: string, message: string, rule?: string | null) => AccessVerdict;

function withoutFile(request: AccessRequest, answer: Answer): AccessVerdict {
  if (!request.key.startsWith('memory/'))
    return answer(false, 'no-permission', 'without permissions only keys under memory/ are open', 'memory/');
  if (request.record !== null && request.record.agent !== request.actor.key)
    return answer(false, 'not-own', 'without permissions a handle reaches its own records only');
  return answer(true, 'own', 'a handle may use its own records under memory/', 'memory/');
}

function withFile(permissions: MemoryPermissions, request: AccessRequest, answer: Answer): AccessVerdict {
  const { agents } = permissions;
  const entry = Object.hasOwn(agents, request.actor.key) ? agents[request.actor.key] : undefined;
  const match = (patterns: readonly string[] | undefined): string | undefined =>
    patterns?.find((pattern) => matchesPattern(pattern, request.key));
  if (request.action !== 'read') {
    const denied = match(entry?.cannotWrite);
    if (denied !== undefined) return answer(false, 'explicit-deny', 'cannot_write forbids this key', denied);
  }
  if (request.action === 'delete' && request.record !== null && request.record.agent !== request.actor.key) {
    const granted = match(entry?.canDelete);
    return granted === undefined
      ? answer(false, 'not-own', 'a record of another agent is deleted under can_delete only')
      : answer(true, 'granted', 'can_delete grants this key', granted);
  }
  const lists = { read: ['canRead'], write: ['canWrite'], delete: ['canDelete', 'canWrite'] } as const;
  for (const list of lists[request.action]) {
    const granted = match(entry?.[list]);
    if (granted !== undefined) return answer(true, 'granted', `${WIRE[list]} grants this key`, granted);
  }
  return permissions.defaultPolicy === 'allow'
    ? answer(true, 'default-allow', 'the default policy allows what nothing forbids')
    : answer(false, 'no-permission', 'nothing grants this key');
}

const WIRE = { canRead: 'can_read', canWrite: 'can_write', canDelete: 'can_delete' } as const;

function protectedBy(key: string, more: readonly string[]): string | undefined {
  return [...ALWAYS_PROTECTED, ...more].find((prefix) => isUnder(key, prefix));
}

function dataOf(request: AccessRequest, rule: string | null): JsonObject {
  return { action: request.action, key: request.key, actor: request.actor.key, rule };
}

/** Whether there is no record that the actor may not read. */
export function readsEverything(permissions: MemoryPermissions | null, actor: AccessRequest['actor']): boolean {
  return actor.type === 'human' || permissions?.defaultPolicy === 'allow';
}

/** A name for who may read a key: the same for two keys that the same agents may read. */
export function readersOf(permissions: MemoryPermissions | null, key: string): string {
  if (permissions === null || permissions.defaultPolicy === 'allow') return '';
  const readers = Object.entries(permissions.agents).flatMap(([agent, { canRead }]) =>
    canRead.some((pattern) => matchesPattern(pattern, key)) ? [agent] : [],
  );
  return JSON.stringify(readers);
}

/** Prefixes that hold every key the actor may read; more than that is possible, less never. */
export function readablePrefixes(
  permissions: MemoryPermissions | null,
  actor: AccessRequest['actor'],
): readonly string[] {
  if (readsEverything(permissions, actor)) return [''];
  if (permissions === null) return ['memory/'];
  const entry = Object.hasOwn(permissions.agents, actor.key) ? permissions.agents[actor.key] : undefined;
  return [...new Set((entry?.canRead ?? []).map(literalPrefix))];
}
