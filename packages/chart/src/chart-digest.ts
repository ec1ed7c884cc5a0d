import { type Digest, digest, type Json } from '@warrant/core';
import type { ChartIr } from './ir.ts';

/** The chart's name by content: equal for equal charts, whichever surface they came from. Order of states and transitions counts, places and comments do not. */
export function chartDigest(ir: ChartIr): Digest {
  return digest(withoutAbsent(ir as unknown as Json));
}

/** An absent member, an empty list of extensions and an undefined one are the same. */
function withoutAbsent(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutAbsent);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(
    ([key, member]) => member !== undefined && !(key === 'extensions' && (member as readonly Json[]).length === 0),
  );
  return Object.fromEntries(members.map(([key, member]) => [key, withoutAbsent(member)]));
}
