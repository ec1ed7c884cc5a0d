import {
  type Edge,
  foldName,
  type GraphChange,
  type GraphView,
  type JsonObject,
  type Primitive,
  type Provenance,
} from '@warrant/core';
import { type CompiledPrimitive, compilePrimitive } from '../compile.ts';
import { isInforming } from '../counted.ts';

/** The stored concept of this name in any spelling, compiled; undefined when the view does not know it. */
export function findConcept(view: GraphView, name: string): CompiledPrimitive | undefined {
  const found = findStored(view, name);
  return found === undefined ? undefined : compilePrimitive(found);
}

/** The same as it is stored, with what peers told that does not count. */
export function findStored(view: GraphView, name: string): Primitive | undefined {
  const key = foldName(name);
  return view.snapshot().primitives.find((primitive) => foldName(primitive.name) === key);
}

/** Puts a relatum; one that a peer only told makes way for it, since of equal relata the first stays. */
export function putRelatum(stored: Primitive | undefined, edge: Edge, provenance: Provenance): readonly GraphChange[] {
  const level = stored?.depths.find((depth) => depth.level === edge.sourceDepth);
  const told = level?.relata.find(
    (one) => one.relation === edge.relation && one.target === edge.target && one.targetDepth === edge.targetDepth,
  );
  const put: GraphChange = { type: 'put-relatum', edge, provenance };
  if (told === undefined || !isInforming(told.provenance)) return [put];
  return [{ type: 'remove-relatum', edge, provenance }, put];
}

/** True when a proposed level says anything; a null value is a statement too. */
export function hasContent(level: { readonly properties: JsonObject }): boolean {
  return Object.keys(level.properties).length > 0;
}
