import type { Primitive, Provenance } from '@warrant/core';

/** True when the primitive, one of its levels or one of its relata has that source. */
export function hasProvenance(primitive: Primitive, source: Provenance['source']): boolean {
  return (
    primitive.provenance.source === source ||
    primitive.depths.some(
      (depth) =>
        depth.provenance.source === source || depth.relata.some((relatum) => relatum.provenance.source === source),
    )
  );
}
