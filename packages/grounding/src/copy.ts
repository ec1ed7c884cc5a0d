import { MAX_JSON_DEPTH, type Primitive, setOwn, WarrantError } from '@warrant/core';
import { isDeepFrozen } from './freeze.ts';

/**
 * A frozen copy of a primitive; one that is frozen all the way down already is taken as it is.
 * @throws GROUNDING_VIEW_INVALID for what is nested deeper than JSON may be
 */
export function frozenCopy(primitive: Primitive): Primitive {
  // Most parts have the provenance of the whole.
  const { provenance } = primitive;
  const isFixed = isDeepFrozen(provenance) && isDeepFrozen(primitive, provenance);
  return isFixed ? primitive : (copy(primitive, 0) as Primitive);
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_JSON_DEPTH) {
    throw new WarrantError('GROUNDING_VIEW_INVALID', `a primitive is nested deeper than ${MAX_JSON_DEPTH} levels`, {
      data: { path: '', problem: 'is nested too deep' },
    });
  }
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1)));
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    setOwn(copied, key, copy((value as Record<string, unknown>)[key], depth + 1));
  }
  return Object.freeze(copied);
}
