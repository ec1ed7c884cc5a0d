import { canonicalJson, type Depth, type Edge, type GraphChange, type Provenance, type Reason } from '@warrant/core';
import type { Interner } from './interner.ts';
import { GRAPH_LIMITS } from './limits.ts';
import {
  badText,
  createPlace,
  invalid,
  normalizeDepth,
  normalizePrimitive,
  normalizeProvenance,
  type Place,
} from './normalize.ts';
import { boundReasons } from './reasons.ts';
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
  for (let index = 0; index < changes.length && place.reasons.length <= GRAPH_LIMITS.reasons; index += 1) {
    place.at.push(index);
    const change = normalizeChange(changes[index], place);
    if (change !== undefined) normal.push(change);
    place.at.length = 0;
  }
  return { changes: normal, reasons: boundReasons(place.reasons) };
}

function normalizeChange(change: unknown, place: Place): NormalChange | undefined {
  if (typeof change !== 'object' || change === null) return invalid(place, '', 'a change is an object');
  const given = change as GraphChange;
  switch (given.type) {
    case 'put-primitive':
      return putPrimitive(given.primitive, place);
    case 'put-depth':
      return putDepth(given.primitive, given.depth, place);
    case 'put-relatum':
    case 'remove-relatum': {
      const edge = within(place, 'edge', () => normalizeEdge(given.edge, place));
      const provenance = normalizeProvenance(given.provenance, place);
      if (edge === undefined || provenance === undefined) return undefined;
      return { type: given.type, edge, provenance, text: canonicalJson([given.type, edge, provenance]) };
    }
    case 'remove-primitive': {
      const { primitive, dangling } = given;
      if (!isText(primitive, GRAPH_LIMITS.idLength)) return badId(place, 'primitive', primitive);
      if (dangling !== 'refuse' && dangling !== 'remove')
        return invalid(place, 'dangling', "it is 'refuse' or 'remove'");
      return { type: 'remove-primitive', primitive, dangling, text: canonicalJson([given.type, primitive, dangling]) };
    }
    default:
      return invalid(place, 'type', 'not a kind of change');
  }
}

function putPrimitive(given: unknown, place: Place): NormalChange | undefined {
  place.at.push('primitive');
  const primitive = normalizePrimitive(given, place);
  if (primitive === undefined) return undefined;
  const stored = storePrimitive(primitive, place.interner);
  return { type: 'put-primitive', stored, text: stored.digest };
}

function putDepth(primitive: unknown, given: unknown, place: Place): NormalChange | undefined {
  if (!isText(primitive, GRAPH_LIMITS.idLength)) return badId(place, 'primitive', primitive);
  const depth = within(place, 'depth', () => normalizeDepth(given, place));
  if (depth === undefined) return undefined;
  return { type: 'put-depth', primitive, depth, text: canonicalJson(['put-depth', primitive, depth]) };
}

function within<T>(place: Place, key: string, check: () => T): T {
  place.at.push(key);
  const result = check();
  place.at.pop();
  return result;
}

function badId(place: Place, key: string, id: unknown): undefined {
  return badText(place, key, id, GRAPH_LIMITS.idLength);
}

function normalizeEdge(edge: unknown, place: Place): Edge | undefined {
  if (typeof edge !== 'object' || edge === null) return invalid(place, '', 'an edge is an object');
  const { source, sourceDepth, relation, target, targetDepth } = edge as Edge;
  if (!isText(source, GRAPH_LIMITS.idLength)) return badId(place, 'source', source);
  if (!isText(target, GRAPH_LIMITS.idLength)) return badId(place, 'target', target);
  if (!isRelationType(relation)) return invalid(place, 'relation', 'not one of the five relations');
  if (!isDepthLevel(sourceDepth)) return invalid(place, 'sourceDepth', 'a depth is 0, 1, 2, 3 or 4');
  if (!isDepthLevel(targetDepth)) return invalid(place, 'targetDepth', 'a depth is 0, 1, 2, 3 or 4');
  const depths = {
    sourceDepth: sourceDepth === 0 ? 0 : sourceDepth,
    targetDepth: targetDepth === 0 ? 0 : targetDepth,
  } as const;
  return { source, relation, target, ...depths };
}
