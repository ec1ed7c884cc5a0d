import type { Primitive } from '@warrant/core';

/** Freezes JSON data all the way down, without recursion, so that deep data cannot overflow the stack. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  const open: object[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    Object.freeze(next);
    for (const key in next) {
      const member = (next as Record<string, unknown>)[key];
      if (typeof member === 'object' && member !== null && !Object.isFrozen(member)) open.push(member);
    }
  }
  return value;
}

/** The same for a primitive in normal form, whose shape is known: views freeze what they load. */
export function freezePrimitive(primitive: Primitive): Primitive {
  if (Object.isFrozen(primitive)) return primitive;
  // Most parts have the provenance of the whole: asking each time costs more than freezing the part.
  const whole = deepFreeze(primitive.provenance);
  for (const depth of primitive.depths) {
    for (const relatum of depth.relata) {
      if (relatum.provenance !== whole) deepFreeze(relatum.provenance);
      if (relatum.metadata !== undefined) deepFreeze(relatum.metadata);
      Object.freeze(relatum);
    }
    Object.freeze(depth.relata);
    deepFreeze(depth.properties);
    if (depth.provenance !== whole) deepFreeze(depth.provenance);
    Object.freeze(depth);
  }
  Object.freeze(primitive.depths);
  return Object.freeze(primitive);
}
