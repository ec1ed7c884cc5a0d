import { canonicalJson, type Depth, type Edge, type GraphChange, type Provenance, type Reason } from '@warrant/core';
import type { Interner } from './interner.ts';
import { GRAPH_LIMITS } from './limits.ts';
import { createPlace, normalizeDepth, normalizePrimitive, normalizeProvenance, type Place } from './normalize.ts';
import { boundReasons, graphReason } from './reasons.ts';
import { isDepthLevel, isRelationType } from './relations.ts';
import { type StoredPrimitive, storePrimitive } from './stored.ts';
import { isText } from './text.ts';

/** A change whose parts are in normal form; `text` names it by its content. */
export type NormalChange = { readonly text: string } & (
  | { readonly type: 'put-primitive'; readonly stored: StoredPrimitive }
  | { readonly type: 'put-depth'; readonly primitive: string; readonly depth: Depth }
  | { readonly type: 'put-relatum' | 'remove-relatum'; readonly edge: Edge; readonly provenance: Provenance }
  | { readonly type: 'remove-primitive'; readonly primitive: string; readonly dangling: 'refuse' | 'remove' }
);

/** Checks and copies a batch from outside; a fault anywhere refuses all of it. */
export function normalizeChanges(
  changes: readonly GraphChange[],
  interner: Interner,
): { readonly changes: readonly NormalChange[]; readonly reasons: readonly Reason[] } {
  const place = createPlace(interner);
  const normal: NormalChange[] = [];
  for (let index = 0; index < changes.length; index += 1) {
    const change = normalizeChange(changes[index], `/${index}`, place);
    if (change !== undefined) normal.push(change);
    if (place.reasons.length > GRAPH_LIMITS.reasons) break;
  }
  return { changes: normal, reasons: boundReasons(place.reasons) };
}

function normalizeChange(change: unknown, path: string, place: Place): NormalChange | undefined {
  if (typeof change !== 'object' || change === null) return invalid(place, path, 'a change is an object');
  const given = change as GraphChange;
  switch (given.type) {
    case 'put-primitive':
      return putPrimitive(given.primitive, `${path}/primitive`, place);
    case 'put-depth': {
      if (!isText(given.primitive, GRAPH_LIMITS.idLength)) return invalid(place, `${path}/primitive`, 'not an id');
      const depth = normalizeDepth(given.depth, `${path}/depth`, place);
      if (depth === undefined) return undefined;
      return {
        type: 'put-depth',
        primitive: given.primitive,
        depth,
        text: canonicalJson([given.type, given.primitive, depth]),
      };
    }
    case 'put-relatum':
    case 'remove-relatum': {
      const edge = normalizeEdge(given.edge, `${path}/edge`, place);
      const provenance = normalizeProvenance(given.provenance, `${path}/provenance`, place);
      if (edge === undefined || provenance === undefined) return undefined;
      return { type: given.type, edge, provenance, text: canonicalJson([given.type, edge, provenance]) };
    }
    case 'remove-primitive': {
      const { primitive, dangling } = given;
      if (!isText(primitive, GRAPH_LIMITS.idLength)) return invalid(place, `${path}/primitive`, 'not an id');
      if (dangling !== 'refuse' && dangling !== 'remove') {
        return invalid(place, `${path}/dangling`, "dangling is 'refuse' or 'remove'");
      }
      return { type: 'remove-primitive', primitive, dangling, text: canonicalJson([given.type, primitive, dangling]) };
    }
    default:
      return invalid(place, `${path}/type`, 'not a kind of change');
  }
}

function putPrimitive(given: unknown, path: string, place: Place): NormalChange | undefined {
  const primitive = normalizePrimitive(given, path, place);
  if (primitive === undefined) return undefined;
  const stored = storePrimitive(primitive, place.interner);
  return { type: 'put-primitive', stored, text: stored.digest };
}

function normalizeEdge(edge: unknown, path: string, place: Place): Edge | undefined {
  if (typeof edge !== 'object' || edge === null) return invalid(place, path, 'an edge is an object');
  const { source, sourceDepth, relation, target, targetDepth } = edge as Edge;
  for (const [key, id] of [
    ['source', source],
    ['target', target],
  ] as const) {
    if (!isText(id, GRAPH_LIMITS.idLength)) return invalid(place, `${path}/${key}`, 'not an id');
  }
  if (!isRelationType(relation)) return invalid(place, `${path}/relation`, 'not one of the five relations');
  if (!isDepthLevel(sourceDepth)) return invalid(place, `${path}/sourceDepth`, 'a depth is 0, 1, 2, 3 or 4');
  if (!isDepthLevel(targetDepth)) return invalid(place, `${path}/targetDepth`, 'a depth is 0, 1, 2, 3 or 4');
  // Adding 0 turns -0 into 0.
  const depths = {
    sourceDepth: (sourceDepth + 0) as Edge['sourceDepth'],
    targetDepth: (targetDepth + 0) as Edge['targetDepth'],
  };
  return Object.freeze({ source, relation, target, ...depths });
}

function invalid(place: Place, path: string, problem: string): undefined {
  place.reasons.push(graphReason('graph.invalid', `${problem} (at ${path})`, { path, problem }));
  return undefined;
}
