import { foldName, isoTime, type Primitive, systemClock } from '@warrant/core';
import type { LocalGraphStore } from '../metrics.ts';
import { hasProvenance } from '../provenance.ts';
import type { GraphDocument } from './format.ts';
import { isOwn, type Merge, withoutOwn } from './merge.ts';
import type { Entry, ImportOptions, Removal } from './plan-types.ts';

/** Finds what the documents brought in before and no longer hold. Reads the whole graph. */
export async function planRemovals(
  store: LocalGraphStore,
  entries: readonly Entry[],
  documents: readonly GraphDocument[],
  options: ImportOptions,
): Promise<readonly Removal[]> {
  const held = new Set(entries.map((entry) => entry.id));
  const named = new Set((options.removeLearned ?? []).map(foldName));
  const at = isoTime(options.clock ?? systemClock);
  const found: Omit<Removal, 'dependants'>[] = [];
  const naming = new Map<string, string[]>();
  for await (const stored of store.primitives()) {
    const document = documents.find(({ name }) => hasPartOf(stored, name));
    if (!held.has(stored.id) && document !== undefined) {
      const merge: Merge = {
        stamp: { source: 'authored', at, document: document.name },
        prune: true,
        idOf: (key) => key,
      };
      found.push({ stored, document, ...judge(stored, merge, named) });
    } else if (!held.has(stored.id)) noteTargets(stored, naming);
  }
  for (const { rest } of found) if (rest !== null) noteTargets(rest, naming);
  return found.map((removal) => ({ ...removal, dependants: naming.get(removal.stored.id) ?? [] }));
}

function judge(stored: Primitive, merge: Merge, named: ReadonlySet<string>): Pick<Removal, 'rest' | 'reason'> {
  const rest = withoutOwn(stored, merge);
  const isLearned = hasProvenance(stored, 'learned') || hasProvenance(stored, 'peer');
  if (isLearned && !named.has(foldName(stored.name))) return { rest, reason: 'learned' };
  const isAllOwn =
    isOwn(stored.provenance, merge) && rest.depths.every((depth) => depth.provenance.source !== 'authored');
  return isAllOwn ? { rest: null, reason: null } : { rest, reason: 'other-document' };
}

function hasPartOf(stored: Primitive, document: string): boolean {
  return (
    stored.provenance.document === document ||
    stored.depths.some(
      (depth) =>
        depth.provenance.document === document || depth.relata.some((one) => one.provenance.document === document),
    )
  );
}

function noteTargets(primitive: Primitive, naming: Map<string, string[]>): void {
  for (const target of new Set(primitive.depths.flatMap((depth) => depth.relata.map((one) => one.target)))) {
    const list = naming.get(target);
    if (list === undefined) naming.set(target, [primitive.name]);
    else list.push(primitive.name);
  }
}
