import {
  type Clock,
  type Digest,
  digest,
  type GraphChange,
  type GraphStore,
  type GraphVersion,
  isoTime,
  type Json,
  type Primitive,
  type Reason,
  systemClock,
} from '@warrant/core';
import { prerequisitesOf } from './cycles.ts';
import { fingerprint } from './keys.ts';
import { type LocalGraph, readLocalGraph } from './local-graph.ts';
import type { Pin } from './pins.ts';
import { reason } from './reasons.ts';
import type { PeerStateStore } from './state-store.ts';
import { withdraw } from './withdraw.ts';

/** Whether a concept is grounded by itself, given the primitives that its closure may hold. */
export type JudgeConcept = (concept: string, primitives: readonly Primitive[]) => boolean;

/** What revoking a peer would do. */
export type RevocationPlan = {
  readonly peer: string;
  readonly version: GraphVersion;
  /** Concepts that go. */
  readonly removed: readonly string[];
  /** Concepts that lose some of what is known about them. */
  readonly changed: readonly string[];
  /** Concepts of the peer that others name: they stay, without its levels. */
  readonly kept: readonly string[];
  readonly losesGround: readonly string[];
  /** Only by losing a demand that the peer itself had made. */
  readonly gainsGround: readonly string[];
  readonly changes: readonly GraphChange[];
};

/** What would change and lose ground without a peer. Pure. */
export function planRevocation(graph: LocalGraph, peer: string, judge: JudgeConcept): RevocationPlan {
  const withdrawn = withdraw(graph, peer);
  const after = new Map<string, Primitive>();
  for (const [id, primitive] of graph.byId) {
    const rest = withdrawn.get(id);
    if (rest !== null) after.set(id, rest ?? primitive);
  }
  const nameOf = (id: string): string => graph.byId.get(id)?.name ?? id;
  const changes = [...withdrawn].flatMap(([id, rest]): readonly GraphChange[] => {
    if (rest === null) return [{ type: 'remove-primitive', primitive: id, dangling: 'refuse' }];
    return rest === graph.byId.get(id) ? [] : [{ type: 'put-primitive', primitive: rest }];
  });
  const touched = dependantsOf(withdrawn.keys(), graph);
  const verdicts = touched.map((id) => ({
    name: nameOf(id),
    before: judge(nameOf(id), closureOf(id, graph.byId)),
    after: after.has(id) && judge(nameOf(id), closureOf(id, after)),
  }));
  const ids = [...withdrawn];
  return {
    peer,
    version: graph.version,
    removed: ids
      .filter(([, rest]) => rest === null)
      .map(([id]) => nameOf(id))
      .sort(),
    changed: ids
      .filter(([, rest]) => rest !== null && rest.depths.length > 0)
      .map(([id]) => nameOf(id))
      .sort(),
    kept: ids
      .filter(([, rest]) => rest !== null && rest.depths.length === 0)
      .map(([id]) => nameOf(id))
      .sort(),
    losesGround: verdicts
      .filter((one) => one.before && !one.after)
      .map(({ name }) => name)
      .sort(),
    gainsGround: verdicts
      .filter((one) => !one.before && one.after)
      .map(({ name }) => name)
      .sort(),
    changes,
  };
}

/** Ids of these concepts and of all that stand on them. */
function dependantsOf(ids: Iterable<string>, graph: LocalGraph): readonly string[] {
  const incoming = new Map<string, string[]>();
  for (const primitive of graph.byId.values()) {
    for (const target of prerequisitesOf(primitive)) {
      const sources = incoming.get(target) ?? [];
      incoming.set(target, sources);
      sources.push(primitive.id);
    }
  }
  const found = new Set(ids);
  for (const id of found) for (const source of incoming.get(id) ?? []) found.add(source);
  return [...found];
}

function closureOf(id: string, graph: ReadonlyMap<string, Primitive>): readonly Primitive[] {
  const found = new Map<string, Primitive>();
  const open = [id];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const primitive = graph.get(next);
    if (primitive === undefined || found.has(next)) continue;
    found.set(next, primitive);
    open.push(...prerequisitesOf(primitive));
  }
  return [...found.values()];
}

export type Revoked =
  | { readonly type: 'revoked' | 'nothing-known'; readonly plan: RevocationPlan }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

export type RevokeParts = {
  readonly graph: GraphStore;
  readonly states: PeerStateStore;
  readonly judge: JudgeConcept;
  readonly clock?: Clock;
};

const ATTEMPTS = 16;

/**
 * Takes back everything that a peer brought, and refuses it until it is pinned anew. First the refusal is remembered, then
 * the graph changes: a crash in between leaves knowledge behind that a second call takes away, and lets no bundle in.
 */
export function revokePeer(
  parts: RevokeParts,
  pin: Pick<Pin, 'name' | 'publicKey'>,
  options: { readonly dryRun?: boolean } = {},
): Promise<Revoked> {
  return parts.states.exclusively(() => revoke(parts, pin, options));
}

async function revoke(
  parts: RevokeParts,
  pin: Pick<Pin, 'name' | 'publicKey'>,
  options: { readonly dryRun?: boolean },
): Promise<Revoked> {
  const at = isoTime(parts.clock ?? systemClock);
  if (options.dryRun !== true) await rememberRevocation(parts.states, pin, at);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const graph = await readLocalGraph(parts.graph);
    if (graph === undefined) break;
    const plan = planRevocation(graph, pin.name, parts.judge);
    if (plan.changes.length === 0) return { type: 'nothing-known', plan };
    if (options.dryRun === true) return { type: 'revoked', plan };
    const id = `peer-revoke:${digest([pin.name, plan.version, plan.changes as unknown as Json])}`;
    const applied = await parts.graph.apply(plan.changes, { id, expected: plan.version });
    if (applied.type === 'refused') return applied;
    if (applied.type !== 'conflict') return { type: 'revoked', plan };
  }
  const message = 'the graph kept changing; the peer is refused from now on, and its knowledge is still there';
  return { type: 'refused', reasons: [reason('peers.graph-changing', message, {}, { action: 'try-again' })] };
}

const NO_BUNDLE = `sha256:${'0'.repeat(64)}` as Digest;

async function rememberRevocation(
  states: PeerStateStore,
  { name, publicKey }: Pick<Pin, 'name' | 'publicKey'>,
  at: string,
): Promise<void> {
  const none = { peer: name, sequence: 0, bundle: NO_BUNDLE, pin: NO_BUNDLE, importedAt: at };
  const key = fingerprint(publicKey);
  const all = await states.read();
  const before = Object.hasOwn(all, key) ? all[key] : undefined;
  await states.write(key, { ...(before ?? none), revokedAt: at });
}
