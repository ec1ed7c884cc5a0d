import {
  createVirtualClock,
  type Depth,
  type DepthLevel,
  type Digest,
  digest,
  type Json,
  type Primitive,
  type Provenance,
} from '@warrant/core';
import { createMemoryGraphStore } from '@warrant/graph';
import { ground, viewOf } from '@warrant/grounding';
import {
  type Bundle,
  type BundlePrimitive,
  createMemoryPeerStates,
  exportBundle,
  formatBundle,
  generatePeerKeys,
  type JudgeConcept,
  type PeerImportParts,
  type Pin,
  peerImportKind,
  planBundle,
  signManifest,
} from '../src/index.ts';
import { graphDigest } from '../src/parse-bundle.ts';

export const authored: Provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' };
export const learned: Provenance = { source: 'learned', at: '2026-01-01T00:00:00.000Z', proposalId: 'p' };

type Edge = readonly [relation: Depth['relata'][number]['relation'], target: string, targetDepth: DepthLevel];

/** A level with a text and edges, all of one origin. */
export function level(at: DepthLevel, text: string, edges: readonly Edge[] = [], provenance = authored): Depth {
  const relata = edges.map(([relation, target, targetDepth]) => ({ relation, target, targetDepth, provenance }));
  return { level: at, properties: { text }, relata, provenance };
}

export function concept(name: string, ...depths: readonly Depth[]): Primitive {
  return { id: name, name, depths, provenance: depths[0]?.provenance ?? authored };
}

export async function graphOf(...primitives: readonly Primitive[]) {
  const graph = createMemoryGraphStore({ clock: createVirtualClock() });
  await put(graph, ...primitives);
  return graph;
}

export async function put(graph: Awaited<ReturnType<typeof graphOf>>, ...primitives: readonly Primitive[]) {
  const changes = primitives.map((primitive) => ({ type: 'put-primitive' as const, primitive }));
  const applied = await graph.apply(changes, { id: digest(changes as unknown as Json), expected: 'any' });
  if (applied.type !== 'applied') throw new Error(JSON.stringify(applied));
}

export async function primitivesOf(graph: Awaited<ReturnType<typeof graphOf>>): Promise<Map<string, Primitive>> {
  const found = new Map<string, Primitive>();
  for await (const one of graph.primitives()) found.set(one.name, one);
  return found;
}

export const judge: JudgeConcept = (name, primitives) =>
  ground(viewOf({ names: [name], primitives }), { concepts: [name] }).grounded;

export async function isGrounded(graph: Awaited<ReturnType<typeof graphOf>>, ...concepts: readonly string[]) {
  return ground(await graph.view(concepts), { concepts }).grounded;
}

export const keys = generatePeerKeys();
export const strangers = generatePeerKeys();

export function pin(change: Partial<Pin> = {}): Pin {
  return {
    name: 'acme',
    publicKey: keys.publicKey,
    concepts: ['*'],
    maxLevel: 4,
    maxPrimitives: 10_000,
    mode: 'grounds',
    pinnedAt: null,
    ...change,
  };
}

/** Signs whatever is given, as a hostile publisher would. */
export function bundleOf(
  primitives: readonly BundlePrimitive[],
  change: { readonly peer?: string; readonly sequence?: number; readonly privateKey?: string } = {},
): Bundle {
  const byDigest = Object.fromEntries(primitives.map((one) => [digest(one as unknown as Json), one]));
  const digests = (Object.keys(byDigest) as Digest[]).sort();
  const manifest = {
    format: 'warrant.bundle/1' as const,
    peer: change.peer ?? 'acme',
    createdAt: '2026-02-01T00:00:00.000Z',
    sequence: change.sequence ?? 1,
    graph: graphDigest(digests),
    primitives: digests,
  };
  return { manifest, signature: signManifest(manifest, change.privateKey ?? keys.privateKey), primitives: byDigest };
}

/** A concept as it travels. */
export function told(name: string, ...levels: readonly (readonly [DepthLevel, string, ...Edge[]])[]): BundlePrimitive {
  return {
    name,
    levels: levels.map(([at, text, ...edges]) => ({
      level: at,
      properties: { text },
      relata: edges.map(([relation, target, targetDepth]) => ({ relation, target, targetDepth })),
    })),
  };
}

export type Desk = PeerImportParts & { current: readonly Pin[] };

export function deskOf(graph: PeerImportParts['graph'], ...pins: readonly Pin[]): Desk {
  const texts = new Map<string, string>();
  const desk: Desk = {
    graph,
    current: pins,
    pins: async () => desk.current,
    states: createMemoryPeerStates(),
    bundles: {
      put: async (bundle, text) => void texts.set(bundle, text),
      get: async (bundle) => texts.get(bundle),
    },
    clock: createVirtualClock('2026-03-01T00:00:00.000Z'),
  };
  return desk;
}

/** Plans, and applies as a reviewer does once people have agreed. */
export async function take(desk: Desk, bundle: Bundle | string) {
  const text = typeof bundle === 'string' ? bundle : formatBundle(bundle);
  const plan = await planBundle(desk, text);
  if (plan.type !== 'plan') return plan;
  await desk.bundles.put(plan.bundle, text);
  const proposal = {
    id: 'p1',
    kind: 'peer-import',
    proposedBy: 'me',
    proposedAt: '2026-03-01T00:00:00.000Z',
    payload: { bundle: plan.bundle, plan: plan.plan },
  };
  return { ...(await peerImportKind(desk).apply(proposal)), plan };
}

export async function publish(
  graph: PeerImportParts['graph'],
  concepts: readonly string[],
  sequence = 1,
  only = false,
) {
  return exportBundle(graph, {
    concepts,
    only,
    peer: 'acme',
    privateKey: keys.privateKey,
    sequence,
    createdAt: '2026-02-01T00:00:00.000Z',
  });
}
