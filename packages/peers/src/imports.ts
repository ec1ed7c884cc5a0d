import {
  type ActorKey,
  type Cancel,
  type Clock,
  createIdSource,
  type Digest,
  type GraphStore,
  type IdSource,
  isoTime,
  type JsonObject,
  type Proposal,
  type ProposalKind,
  type Reason,
  type ReviewDecision,
  type Reviewer,
  systemClock,
} from '@warrant/core';
import { fingerprint } from './keys.ts';
import { readLocalGraph } from './local-graph.ts';
import { type ParsedBundle, parseBundle } from './parse-bundle.ts';
import { admitBundle, type Pin, pinDigest } from './pins.ts';
import { type PeerPlan, planPeerImport } from './plan.ts';
import { reason } from './reasons.ts';
import type { PeerStateStore } from './state-store.ts';

/** The kind under which imports stand in the review queue. */
export const PEER_IMPORT_KIND = 'peer-import';

/** Where the texts of bundles lie between planning and approval, by digest. */
export interface BundleStore {
  put(bundle: Digest, text: string): Promise<void>;
  get(bundle: Digest): Promise<string | undefined>;
}

export type PeerImportParts = {
  readonly graph: GraphStore;
  /** The pins in force, asked for at every use. */
  readonly pins: () => Promise<readonly Pin[]>;
  readonly states: PeerStateStore;
  readonly bundles: BundleStore;
  readonly clock?: Clock;
  readonly ids?: IdSource;
};

export type PlannedBundle =
  | PeerPlan
  | { readonly type: 'duplicate'; readonly peer: string; readonly bundle: Digest }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** What the text of a bundle would do here, now. Nothing is changed. */
export async function planBundle(parts: PeerImportParts, text: string, cancel: Cancel = {}): Promise<PlannedBundle> {
  return planParsed(parts, parseBundle(text), cancel);
}

async function planParsed(parts: PeerImportParts, parsed: ParsedBundle, cancel: Cancel): Promise<PlannedBundle> {
  if (parsed.type === 'refused') return parsed;
  const admitted = admitBundle(parsed.bundle, parsed.digest, await parts.pins(), await parts.states.read());
  if (admitted.type === 'refused') return admitted;
  if (admitted.type === 'duplicate') return { type: 'duplicate', peer: admitted.pin.name, bundle: parsed.digest };
  const graph = await readLocalGraph(parts.graph, cancel);
  if (graph === undefined) return { type: 'refused', reasons: [changing()] };
  return planPeerImport({ bundle: parsed.bundle, digest: parsed.digest, pin: admitted.pin, graph });
}

function changing(): Reason {
  return reason('peers.graph-changing', 'the graph kept changing while it was read', {}, { action: 'try-again' });
}

export type ProposedImport =
  | PlannedBundle
  | { readonly type: 'filed'; readonly decision: ReviewDecision; readonly plan: PeerPlan };

/** Plans a bundle and files the plan for review; the reviewer must know {@link peerImportKind}. */
export async function proposePeerImport(
  reviewer: Reviewer,
  parts: PeerImportParts,
  text: string,
  options: { readonly proposedBy: ActorKey } & Cancel,
): Promise<ProposedImport> {
  const { proposedBy, ...cancel } = options;
  const plan = await planBundle(parts, text, cancel);
  if (plan.type !== 'plan') return plan;
  await parts.bundles.put(plan.bundle, text);
  const clock = parts.clock ?? systemClock;
  const proposal: Proposal = {
    id: (parts.ids ?? createIdSource({ clock })).next(),
    kind: PEER_IMPORT_KIND,
    proposedBy,
    proposedAt: isoTime(clock),
    payload: payloadOf(plan),
    rationale: `bundle ${plan.sequence} of ${plan.peer}`,
  };
  return { type: 'filed', decision: await reviewer.file(proposal, cancel), plan };
}

function payloadOf({ peer, bundle, sequence, mode, plan, counts }: PeerPlan): JsonObject {
  return { peer, bundle, sequence, mode, plan, counts };
}

const ATTEMPTS = 16;

/** How reviewers handle imports: applied once approved, and only if planning again gives the very plan that was approved. */
export function peerImportKind(parts: PeerImportParts): ProposalKind {
  return {
    kind: PEER_IMPORT_KIND,
    check: async (payload, cancel = {}) => {
      const plan = await planAgain(parts, payload, cancel);
      return plan.type === 'refused' ? plan.reasons : [];
    },
    evidence: ({ bundle }) => (typeof bundle === 'string' ? [bundle] : null),
    confidence: () => null,
    apply: ({ payload }) => parts.states.exclusively(() => applyPlan(parts, payload)),
  };
}

async function applyPlan(parts: PeerImportParts, payload: JsonObject): Promise<Applied> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = await planAgain(parts, payload, {});
    if (plan.type === 'refused') return plan;
    if (plan.type === 'duplicate') return { type: 'applied', reasons: [] };
    const done = await apply(parts, plan);
    if (done !== 'conflict') return done;
  }
  return { type: 'refused', reasons: [changing()] };
}

type Applied = { readonly type: 'applied' | 'refused'; readonly reasons: readonly Reason[] };

async function planAgain(parts: PeerImportParts, payload: JsonObject, cancel: Cancel): Promise<PlannedBundle> {
  const { bundle, plan } = payload;
  const text = typeof bundle === 'string' ? await parts.bundles.get(bundle as Digest) : undefined;
  if (text === undefined) {
    const data = { bundle: bundle ?? null };
    return {
      type: 'refused',
      reasons: [reason('peers.missing-bundle', 'the bundle of this proposal is not here', data)],
    };
  }
  const parsed = parseBundle(text);
  if (parsed.type === 'bundle' && parsed.digest !== bundle) {
    const message = 'the kept bundle is another one than this proposal names';
    return { type: 'refused', reasons: [reason('peers.digest-mismatch', message, { bundle: bundle ?? null })] };
  }
  const planned = await planParsed(parts, parsed, cancel);
  if (planned.type !== 'plan' || planned.plan === plan) return planned;
  const message = 'graph or pin changed in what this import touches: it would do something else than was proposed';
  const data = { proposed: plan ?? null, now: planned.plan };
  return { type: 'refused', reasons: [reason('peers.plan-changed', message, data, { action: 'propose-again' })] };
}

async function apply(parts: PeerImportParts, plan: PeerPlan): Promise<'conflict' | Applied> {
  const at = isoTime(parts.clock ?? systemClock);
  const changes = plan.changesAt(at);
  if (changes.length > 0) {
    const { epoch, revision } = plan.version;
    const id = `peer:${plan.plan}@${epoch}/${revision}/${at}`;
    const applied = await parts.graph.apply(changes, { id, expected: plan.version });
    if (applied.type === 'conflict') return 'conflict';
    if (applied.type === 'refused') return applied;
  }
  await remember(parts, plan, at);
  return { type: 'applied', reasons: [] };
}

/** After the graph: a crash in between makes the next try find nothing left to change, and come here. */
async function remember(parts: PeerImportParts, plan: PeerPlan, at: string): Promise<void> {
  const pin = (await parts.pins()).find(({ name }) => name === plan.peer);
  if (pin === undefined) return;
  const { peer, sequence, bundle } = plan;
  const state = { peer, sequence, bundle, pin: pinDigest(pin), importedAt: at, revokedAt: null };
  await parts.states.write(fingerprint(pin.publicKey), state);
}
