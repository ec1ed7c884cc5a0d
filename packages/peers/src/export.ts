import {
  type DepthLevel,
  type Digest,
  digest,
  foldName,
  type GraphStore,
  type Json,
  type Primitive,
  type Provenance,
  type Relatum,
  WarrantError,
} from '@warrant/core';
import { isFollowed, prerequisitesOf } from './cycles.ts';
import { BUNDLE_FORMAT, type Bundle, type BundleManifest, type BundlePrimitive } from './format.ts';
import { signManifest } from './keys.ts';
import { type LocalGraph, readLocalGraph } from './local-graph.ts';
import { graphDigest } from './parse-bundle.ts';

export type ExportRequest = {
  /** What is to be published. */
  readonly concepts: readonly string[];
  /** Only these, without what they stand on: the other side has to know that already. @default false */
  readonly only?: boolean;
  /** Levels above are left out. @default 4 */
  readonly maxLevel?: DepthLevel;
  /** How the publisher calls itself. */
  readonly peer: string;
  readonly privateKey: string;
  /** Higher than that of every bundle before. */
  readonly sequence: number;
  /** ISO-8601 UTC. */
  readonly createdAt: string;
};
export type Exported = {
  readonly bundle: Bundle;
  readonly digest: Digest;
  /** Concepts that are named and not in the bundle: the other side has to know them already. */
  readonly needs: readonly string[];
  /** Concepts that something applies to or includes, and that are too far off to come along: these relata stay here. */
  readonly leftOut: readonly string[];
};

/**
 * Publishes what this graph itself knows about some concepts: knowledge of other peers is not passed on, and neither are
 * policies, times and names of people.
 * @throws PEERS_UNKNOWN_CONCEPT, PEERS_GRAPH_CHANGING (retryable), PEERS_KEY_INVALID
 */
export async function exportBundle(graph: GraphStore, request: ExportRequest): Promise<Exported> {
  const local = await readLocalGraph(graph);
  if (local === undefined)
    throw new WarrantError('PEERS_GRAPH_CHANGING', 'the graph kept changing while it was read', { retryable: true });
  const chosen = choose(local, request);
  const inside = new Set(chosen.map(({ id }) => id));
  const leftOut = new Set<string>();
  const keeps = ({ relation, target }: Relatum): boolean => {
    const keep = request.only === true || inside.has(target) || isFollowed(relation);
    if (!keep) leftOut.add(local.byId.get(target)?.name ?? target);
    return keep;
  };
  const own = chosen.map((primitive) => travelling(primitive, local, request.maxLevel ?? 4, keeps));
  const primitives = Object.fromEntries(
    own.map((one) => [digest(one as unknown as Json), one]),
  ) as Bundle['primitives'];
  const digests = (Object.keys(primitives) as Digest[]).sort();
  const manifest: BundleManifest = {
    format: BUNDLE_FORMAT,
    peer: request.peer,
    createdAt: request.createdAt,
    sequence: request.sequence,
    graph: graphDigest(digests),
    primitives: digests,
  };
  const bundle = { manifest, signature: signManifest(manifest, request.privateKey), primitives };
  const names = new Set(own.map(({ name }) => name));
  const named = own.flatMap(({ levels }) => levels.flatMap(({ relata }) => relata.map(({ target }) => target)));
  return {
    bundle,
    digest: digest(manifest as unknown as Json),
    needs: [...new Set(named.filter((name) => !names.has(name)))].sort(),
    leftOut: [...leftOut].sort(),
  };
}

function choose(local: LocalGraph, { concepts, only = false }: ExportRequest): readonly Primitive[] {
  const chosen = new Map<string, Primitive>();
  const open: string[] = [];
  for (const name of concepts) {
    const primitive = local.byKey.get(foldName(name));
    if (primitive === undefined || !isOwn(primitive))
      throw new WarrantError('PEERS_UNKNOWN_CONCEPT', `this graph itself knows no concept of that name`, {
        data: { concept: name },
      });
    open.push(primitive.id);
  }
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const primitive = local.byId.get(id);
    if (primitive === undefined || chosen.has(id) || !isOwn(primitive)) continue;
    chosen.set(id, primitive);
    if (!only) open.push(...prerequisitesOf(ownPart(primitive)));
  }
  return [...chosen.values()];
}

/** What only peers told is theirs to publish. */
function isOwn(primitive: Primitive): boolean {
  return ownPart(primitive).depths.length > 0 || isOurs(primitive.provenance);
}

function ownPart(primitive: Primitive): Primitive {
  const depths = primitive.depths.filter(({ provenance }) => isOurs(provenance));
  return {
    ...primitive,
    depths: depths.map((depth) => ({ ...depth, relata: depth.relata.filter(({ provenance }) => isOurs(provenance)) })),
  };
}

function isOurs({ source }: Provenance): boolean {
  return source !== 'peer';
}

function travelling(
  primitive: Primitive,
  local: LocalGraph,
  maxLevel: DepthLevel,
  keeps: (relatum: Relatum) => boolean,
): BundlePrimitive {
  const levels = ownPart(primitive).depths.filter(({ level }) => level <= maxLevel);
  return {
    name: primitive.name,
    levels: levels.map(({ level, properties, relata }) => ({
      level,
      properties,
      relata: relata.filter(keeps).flatMap(({ relation, target, targetDepth, metadata }) => {
        const name = local.byId.get(target)?.name;
        if (name === undefined) return [];
        return [{ relation, target: name, targetDepth, ...(metadata === undefined ? {} : { metadata }) }];
      }),
    })),
  };
}
