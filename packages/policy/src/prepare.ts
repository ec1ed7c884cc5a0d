import { type Cancel, foldName, type GraphStore, type JsonObject, type Primitive, WarrantError } from '@warrant/core';
import type { Placement } from './placement.ts';
import { combinePolicies, type PolicySet } from './policy-set.ts';
import type { PolicyRegistry } from './registry.ts';

/** A placement whose edge is not in the graph: a gate that would protect nothing. */
export type OrphanedPlacement = {
  readonly key: string;
  readonly type: 'source-missing' | 'target-missing' | 'edge-missing';
  readonly source: string;
  readonly target: string;
  readonly sourceDepth: number;
};

/** What the check of placements asks of a graph. */
export type PlacementGraph = Pick<GraphStore, 'view'>;

/**
 * The placements whose edge the graph does not hold, in order. An edge at a level that no check reaches today
 * still counts as there.
 */
export async function findOrphans(
  placements: readonly Placement[],
  graph: PlacementGraph,
  options: Cancel = {},
): Promise<readonly OrphanedPlacement[]> {
  if (placements.length === 0) return [];
  const names = [...new Set(placements.flatMap((placement) => [placement.source, placement.target]))];
  const view = await graph.view(names, options);
  const known = new Map(view.snapshot().primitives.map((primitive) => [foldName(primitive.name), primitive]));
  return placements.flatMap((placement) => {
    const type = faultOf(placement, known);
    const { key, source, target, sourceDepth } = placement;
    return type === null ? [] : [{ key, type, source, target, sourceDepth }];
  });
}

function faultOf(placement: Placement, known: ReadonlyMap<string, Primitive>): OrphanedPlacement['type'] | null {
  const source = known.get(foldName(placement.source));
  if (source === undefined) return 'source-missing';
  const target = known.get(foldName(placement.target));
  if (target === undefined) return 'target-missing';
  const holds = source.depths.some(
    (depth) =>
      depth.level === placement.sourceDepth &&
      depth.relata.some((relatum) => relatum.relation === 'applies-to' && relatum.target === target.id),
  );
  return holds ? null : 'edge-missing';
}

export type PreparePoliciesOptions = Cancel & {
  /** Where every placement must have its edge. Without it nothing is validated. */
  readonly graph?: PlacementGraph;
  /** The number of placements that must be there, looked at before anything else. */
  readonly expectPolicies?: number;
};

/**
 * Counts, validates against the graph, then freezes: what is enforced was validated.
 * @throws POLICY_COUNT when the number differs from `expectPolicies`; nothing is frozen.
 * @throws POLICY_ORPHANED when the graph lacks the edge of a placement; nothing is frozen.
 * @throws POLICY_DUPLICATE_KEY when two sources use a key, POLICY_PLACEMENT_INVALID without a list of sources.
 */
export async function preparePolicies(
  sources: readonly (PolicyRegistry | PolicySet)[],
  options: PreparePoliciesOptions = {},
): Promise<PolicySet> {
  const before = placementsOf(sources);
  const { expectPolicies, graph } = options;
  if (expectPolicies !== undefined && before.length !== expectPolicies) {
    const data = { expected: expectPolicies, actual: before.length };
    throw new WarrantError('POLICY_COUNT', `${before.length} policies are registered, not ${expectPolicies}`, { data });
  }
  if (graph !== undefined) {
    const orphans = await findOrphans(before, graph, options);
    if (orphans.length > 0) throw orphaned(orphans);
    // A policy registered while the graph was asked was not validated.
    const after = placementsOf(sources);
    if (after.length !== before.length || after.some((placement, index) => placement !== before[index])) {
      throw new WarrantError('POLICY_COUNT', 'the registered policies changed during validation', {
        data: { expected: before.length, actual: after.length },
        retryable: true,
      });
    }
  }
  return combinePolicies(...sources.map((source) => ('register' in source ? source.freeze() : source)));
}

function placementsOf(sources: readonly (PolicyRegistry | PolicySet)[]): readonly Placement[] {
  if (!Array.isArray(sources)) {
    throw new WarrantError('POLICY_PLACEMENT_INVALID', 'policies are prepared from a list of registries and sets');
  }
  return sources.flatMap((source) => ('register' in source ? source.placements() : source.placements));
}

function orphaned(orphans: readonly OrphanedPlacement[]): WarrantError {
  const first = orphans
    .slice(0, 5)
    .map((orphan) => `${orphan.key} (${orphan.type})`)
    .join(', ');
  const more = orphans.length > 5 ? ` and ${orphans.length - 5} more` : '';
  return new WarrantError('POLICY_ORPHANED', `no such applies-to edge for ${first}${more}`, {
    data: { orphans: orphans as unknown as readonly JsonObject[] },
  });
}
