import {
  type Cancel,
  type Depth,
  type GraphChange,
  type GraphStore,
  type GraphVersion,
  type Primitive,
  type Provenance,
  type Reason,
  WarrantError,
} from '@warrant/core';
import { reason } from './reasons.ts';

/** What became of taking a proposal back. */
export type UnlearnOutcome =
  | { readonly type: 'unlearned'; readonly version: GraphVersion; readonly changes: readonly GraphChange[] }
  | { readonly type: 'nothing-learned' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

const ATTEMPTS = 16;

/**
 * Takes back what a proposal brought: its concept, levels or relatum, and nothing else. What others built upon it (relata
 * or levels of another origin, relata that lead to its concept) makes it refuse, with names. Twice is a value.
 * @throws GROUNDING_CONFLICT (retryable) when the graph changed under every attempt.
 */
export async function unlearn(graph: GraphStore, proposalId: string, options: Cancel = {}): Promise<UnlearnOutcome> {
  const signal = options.signal === undefined ? {} : { signal: options.signal };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const expected = await graph.version();
    const holders: Primitive[] = [];
    for await (const primitive of graph.primitives({ provenance: 'learned', ...signal })) holders.push(primitive);
    const plan = planUnlearn(holders, proposalId);
    if (plan.reasons.length > 0) return { type: 'refused', reasons: plan.reasons };
    if (plan.changes.length === 0) return { type: 'nothing-learned' };
    const id = `unlearn:${proposalId}@${expected.epoch}/${expected.revision}`;
    const applied = await graph.apply(plan.changes, { id, expected, ...signal });
    if (applied.type === 'refused') return applied;
    if (applied.type === 'applied') return { type: 'unlearned', version: applied.version, changes: plan.changes };
  }
  throw new WarrantError('GROUNDING_CONFLICT', `the graph changed under ${ATTEMPTS} attempts to unlearn`, {
    data: { proposalId, attempts: ATTEMPTS },
    retryable: true,
  });
}

/** What has to change for a proposal to be gone. Pure. */
function planUnlearn(
  primitives: readonly Primitive[],
  proposalId: string,
): { readonly changes: readonly GraphChange[]; readonly reasons: readonly Reason[] } {
  const isOwn = (provenance: Provenance) => provenance.source === 'learned' && provenance.proposalId === proposalId;
  const changes: GraphChange[] = [];
  const reasons: Reason[] = [];
  for (const primitive of primitives) {
    if (isOwn(primitive.provenance)) {
      const foreign = primitive.depths.filter((depth) => !isWhollyOwn(depth, isOwn));
      reasons.push(...foreign.map((depth) => builtUpon(primitive, depth)));
      changes.push({ type: 'remove-primitive', primitive: primitive.id, dangling: 'refuse' });
      continue;
    }
    reasons.push(...mixedLevels(primitive, isOwn).map((depth) => builtUpon(primitive, depth)));
    const depths = primitive.depths
      .filter((depth) => !isOwn(depth.provenance))
      .map((depth) => ({ ...depth, relata: depth.relata.filter((relatum) => !isOwn(relatum.provenance)) }));
    const kept = (levels: readonly Depth[]) => levels.reduce((count, depth) => count + 1 + depth.relata.length, 0);
    if (kept(depths) < kept(primitive.depths)) {
      changes.push({ type: 'put-primitive', primitive: { ...primitive, depths } });
    }
  }
  return { changes, reasons };
}

function isWhollyOwn(depth: Depth, isOwn: (provenance: Provenance) => boolean): boolean {
  return isOwn(depth.provenance) && depth.relata.every((relatum) => isOwn(relatum.provenance));
}

function mixedLevels(primitive: Primitive, isOwn: (provenance: Provenance) => boolean): readonly Depth[] {
  return primitive.depths.filter((depth) => isOwn(depth.provenance) && !isWhollyOwn(depth, isOwn));
}

function builtUpon(primitive: Primitive, depth: Depth): Reason {
  const data = { concept: primitive.name, level: depth.level };
  return reason(
    'learning.built-upon',
    `level ${depth.level} of '${primitive.name}' holds what did not come with this proposal`,
    data,
    { action: 'take-back-first', ...data },
  );
}
