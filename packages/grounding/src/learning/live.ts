import { foldName, type GraphView, type JsonObject, type Primitive } from '@warrant/core';
import { type CompiledPrimitive, compilePrimitive } from '../compile.ts';

/** The stored concept of this name in any spelling, compiled; undefined when the view does not know it. */
export function findConcept(view: GraphView, name: string): CompiledPrimitive | undefined {
  const key = foldName(name);
  const found = view.snapshot().primitives.find((primitive: Primitive) => foldName(primitive.name) === key);
  return found === undefined ? undefined : compilePrimitive(found);
}

/** True when a proposed level says anything; a null value is a statement too. */
export function hasContent(level: { readonly properties: JsonObject }): boolean {
  return Object.keys(level.properties).length > 0;
}
