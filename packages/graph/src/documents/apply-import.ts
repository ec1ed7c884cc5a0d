import type { Cancel, GraphApplied } from '@warrant/core';
import type { LocalGraphStore } from '../metrics.ts';
import type { ImportPlan } from './plan.ts';

/**
 * Does what a plan says, all or nothing, at most once. `conflict`: the graph has changed since the plan was made;
 * plan again.
 */
export async function applyImport(
  store: LocalGraphStore,
  plan: ImportPlan,
  options: Cancel = {},
): Promise<GraphApplied> {
  if (plan.changes.length === 0) return { type: 'applied', version: await store.version() };
  return store.apply(plan.changes, { id: plan.id, expected: plan.version, ...options });
}
