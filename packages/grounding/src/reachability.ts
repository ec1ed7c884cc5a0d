import { partOf } from './parts.ts';
import type { LinkedView } from './tables.ts';
import type { Walk } from './walk.ts';

/**
 * The roots outside the largest connected part of what was reached (edges taken both ways; on a tie the part of the
 * first root in query order wins), and the roots inside it.
 */
export function strayRoots(
  { order, round }: LinkedView,
  roots: readonly number[],
  { count, met, parts }: Walk,
): { readonly stray: readonly number[]; readonly anchored: readonly number[] } {
  const sizes = new Int32Array(roots.length);
  for (let index = 0; index < count; index += 1) {
    const part = partOf(parts, (met[order[index] as number] as number) - round);
    sizes[part] = (sizes[part] as number) + 1;
  }
  // A part is named by its first root, so the first of the largest is also the first in query order.
  const anchor = sizes.indexOf(sizes.reduce((most, size) => Math.max(most, size), 0));
  const isAnchored = (_: number, index: number) => partOf(parts, index) === anchor;
  return { stray: roots.filter((root, index) => !isAnchored(root, index)), anchored: roots.filter(isAnchored) };
}
