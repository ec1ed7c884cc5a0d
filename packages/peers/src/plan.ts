import {
  type Digest,
  digest,
  foldName,
  type GraphChange,
  type GraphVersion,
  type Json,
  nameLook,
  type Primitive,
  type Provenance,
  type Reason,
} from '@warrant/core';
import { findCycle } from './cycles.ts';
import type { Bundle, BundlePrimitive } from './format.ts';
import { type LocalGraph, localGraph } from './local-graph.ts';
import { type Contradiction, mergeConcept } from './merge.ts';
import { type Pin, pinDigest } from './pins.ts';
import { quote, reason } from './reasons.ts';
import { isOf, withdraw } from './withdraw.ts';

/** How much an import would do. */
export type PlanCounts = {
  readonly primitives: number;
  readonly added: number;
  readonly changed: number;
  readonly levels: number;
  readonly relata: number;
  readonly contradictions: number;
  readonly withdrawn: number;
};
/** What an import would do. Nothing has happened yet. */
export type PeerPlan = {
  readonly type: 'plan';
  readonly peer: string;
  readonly bundle: Digest;
  readonly sequence: number;
  readonly mode: Pin['mode'];
  /** Names the plan by everything it would change; the time of the import does not count. */
  readonly plan: Digest;
  readonly version: GraphVersion;
  readonly counts: PlanCounts;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Concepts of an earlier bundle of this peer that the new one does not hold. */
  readonly withdrawn: readonly string[];
  readonly contradictions: readonly Contradiction[];
  /** The changes with the time of the import put in. */
  readonly changesAt: (at: string) => readonly GraphChange[];
};
export type PlannedPeerImport = PeerPlan | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

export type PlanInput = {
  readonly bundle: Bundle;
  readonly digest: Digest;
  readonly pin: Pin;
  readonly graph: LocalGraph;
};

/** Stands for the time of the import while it is planned. */
const LATER = '1970-01-01T00:00:00.000Z';
const RESERVED: ReadonlySet<string> = new Set(['unknown-command']);

/**
 * What taking in an admitted bundle would change. The peer's earlier knowledge gives way to the new; what others know
 * stays as it is. Pure: the same graph, pin and bundle give the same plan.
 */
export function planPeerImport(input: PlanInput): PlannedPeerImport {
  const { bundle, graph, pin } = input;
  const concepts = Object.values(bundle.primitives).sort((a, b) => (a.name < b.name ? -1 : 1));
  const withdrawn = withdraw(graph, pin.name);
  const base = new Map<string, Primitive>();
  // A concept that the new bundle speaks of again keeps its id.
  const spoken = new Set(concepts.map(({ name }) => foldName(name)));
  for (const [id, primitive] of graph.byId) {
    const rest = withdrawn.get(id);
    if (rest === null && spoken.has(foldName(primitive.name))) base.set(id, { ...primitive, depths: [] });
    else if (rest !== null) base.set(id, rest ?? primitive);
  }
  const local = localGraph(graph.version, base.values());
  const stamp = stampOf(input, LATER);
  const ids = idsOf(concepts, local);
  const reasons = [...nameReasons(concepts, local), ...targetReasons(concepts, ids, local)];
  if (reasons.length > 0) return { type: 'refused', reasons };
  const idOf = (name: string): string => ids.get(foldName(name)) ?? (local.byKey.get(foldName(name))?.id as string);
  const merged = concepts.map((concept) => {
    const id = idOf(concept.name);
    return mergeConcept(restamped(local.byId.get(id), pin.name, stamp), concept, id, { stamp, idOf });
  });
  const final = new Map(base);
  for (const { primitive } of merged) final.set(primitive.id, primitive);
  const cycle = findCycle(
    merged.map(({ primitive }) => primitive.id),
    (id) => final.get(id),
  );
  if (cycle !== null) return { type: 'refused', reasons: [cycleReason(cycle, final)] };
  return planOf(input, final, merged);
}

/** A concept that only this peer knows belongs to its newest bundle. */
function restamped(stored: Primitive | undefined, peer: string, stamp: Provenance): Primitive | undefined {
  return stored !== undefined && isOf(stored.provenance, peer) ? { ...stored, provenance: stamp } : stored;
}

function stampOf({ bundle, digest: own, pin }: PlanInput, at: string): Provenance {
  const { sequence } = bundle.manifest;
  return { source: 'peer', at, peer: { name: pin.name, bundle: own, sequence, mode: pin.mode } };
}

/** Ids of the bundle's concepts by fold key: that of the same name here, else one made from the name. */
function idsOf(concepts: readonly BundlePrimitive[], local: LocalGraph): ReadonlyMap<string, string> {
  return new Map(
    concepts.map(({ name }) => {
      const key = foldName(name);
      return [key, local.byKey.get(key)?.id ?? freeId(key, local)];
    }),
  );
}

function freeId(key: string, local: LocalGraph): string {
  for (let attempt = 0; ; attempt += 1) {
    const id = `peer-${digest([key, attempt]).slice('sha256:'.length, 'sha256:'.length + 32)}`;
    if (!local.byId.has(id)) return id;
  }
}

/** Digits that pass for letters count as those here: a hostile name is worth a false alarm. */
function lookOf(name: string): string {
  return nameLook(name).replaceAll('0', 'o').replaceAll('1', 'l');
}

/** A new name that looks like another would have people, and models, believe the peer is speaking of that one. */
function nameReasons(concepts: readonly BundlePrimitive[], local: LocalGraph): readonly Reason[] {
  const reasons: Reason[] = [];
  const looks = new Map<string, string>();
  for (const { name } of local.byId.values()) looks.set(lookOf(name), name);
  for (const { name } of concepts) {
    if (RESERVED.has(foldName(name)))
      reasons.push(reason('peers.reserved-name', `nobody may define ${quote(name)}`, { concept: name }));
    const like = looks.get(lookOf(name));
    if (like !== undefined && foldName(like) !== foldName(name) && !local.byKey.has(foldName(name))) {
      const message = `${quote(name)} is easily taken for ${quote(like)}`;
      reasons.push(reason('peers.confusable-name', message, { concept: name, like }));
    }
    looks.set(lookOf(name), like ?? name);
  }
  return reasons;
}

function targetReasons(
  concepts: readonly BundlePrimitive[],
  ids: ReadonlyMap<string, string>,
  local: LocalGraph,
): readonly Reason[] {
  const missing = new Map<string, Reason>();
  for (const { name, levels } of concepts) {
    for (const { target } of levels.flatMap(({ relata }) => relata)) {
      const key = foldName(target);
      if (ids.has(key) || local.byKey.has(key) || missing.has(key)) continue;
      const message = `${quote(name)} names ${quote(target)}, which neither the bundle nor the graph has`;
      const remedy = { action: 'add-concept', concept: target };
      missing.set(key, reason('peers.unknown-target', message, { concept: name, target }, remedy));
    }
  }
  return [...missing.values()];
}

function cycleReason(cycle: readonly string[], final: ReadonlyMap<string, Primitive>): Reason {
  const path = cycle.map((id) => final.get(id)?.name ?? id);
  return reason('peers.cycle', `the import would close a cycle: ${path.map(quote).join(' -> ')}`, { path });
}

function planOf(
  input: PlanInput,
  final: ReadonlyMap<string, Primitive>,
  merged: readonly ReturnType<typeof mergeConcept>[],
): PeerPlan {
  const { graph, bundle, pin, digest: own } = input;
  const changes: GraphChange[] = [];
  const [added, changed, withdrawn]: [string[], string[], string[]] = [[], [], []];
  const spoken = new Set(merged.map(({ primitive }) => primitive.id));
  for (const [id, primitive] of final) {
    const before = graph.byId.get(id);
    if (before !== undefined && isSame(before, primitive)) continue;
    changes.push({ type: 'put-primitive', primitive });
    if (before === undefined) added.push(primitive.name);
    else (spoken.has(id) ? changed : withdrawn).push(primitive.name);
  }
  for (const [id, primitive] of graph.byId) {
    if (final.has(id)) continue;
    withdrawn.push(primitive.name);
    changes.push({ type: 'remove-primitive', primitive: id, dangling: 'refuse' });
  }
  const sum = (key: 'levels' | 'relata'): number => merged.reduce((total, one) => total + one[key], 0);
  const contradictions = merged.flatMap((one) => one.contradictions);
  return {
    type: 'plan',
    peer: pin.name,
    bundle: own,
    sequence: bundle.manifest.sequence,
    mode: pin.mode,
    plan: digest([own, pinDigest(pin), changes as unknown as Json]),
    version: graph.version,
    counts: {
      primitives: merged.length,
      added: added.length,
      changed: changed.length,
      levels: sum('levels'),
      relata: sum('relata'),
      contradictions: contradictions.length,
      withdrawn: withdrawn.length,
    },
    added: added.sort(),
    changed: changed.sort(),
    withdrawn: withdrawn.sort(),
    contradictions,
    changesAt: (at) => changes.map((change) => dated(change, stampOf(input, at))),
  };
}

/** What is the same but for the time of an import that brought it before is no change. */
function isSame(before: Primitive, after: Primitive): boolean {
  return before === after || digest(timeless(before)) === digest(timeless(after));
}

function timeless(primitive: Primitive): Json {
  return JSON.parse(
    JSON.stringify(primitive, (key, value: unknown) =>
      key === 'provenance' && (value as Provenance).source === 'peer' ? { ...(value as Provenance), at: LATER } : value,
    ),
  ) as Json;
}

function dated(change: GraphChange, stamp: Provenance): GraphChange {
  if (change.type !== 'put-primitive') return change;
  const date = (own: Provenance): Provenance => (own.at === LATER && own.source === 'peer' ? stamp : own);
  const { primitive } = change;
  return {
    type: 'put-primitive',
    primitive: {
      ...primitive,
      provenance: date(primitive.provenance),
      depths: primitive.depths.map((depth) => ({
        ...depth,
        provenance: date(depth.provenance),
        relata: depth.relata.map((relatum) => ({ ...relatum, provenance: date(relatum.provenance) })),
      })),
    },
  };
}
