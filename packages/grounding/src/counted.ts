import type { Depth, InformedPart, Primitive, Provenance } from '@warrant/core';

/** What of a primitive counts when a check is decided, and what peers only told. */
export type CountedParts = {
  readonly depths: readonly Depth[];
  /** Bit n: level n is there only because something that counts stands on it; it is no knowledge. */
  readonly hollow: number;
  readonly informed: readonly InformedPart[];
};

const NOTHING: readonly InformedPart[] = [];

/**
 * Takes away the levels and relata of peers whose knowledge only informs. What others put on such a level stays, on a
 * level that counts as not reached: leaving out what a peer said never makes anything grounded that stands on it.
 */
export function countedParts(primitive: Primitive): CountedParts {
  if (!holdsInforming(primitive)) return { depths: primitive.depths, hollow: 0, informed: NOTHING };
  const informed: InformedPart[] = [];
  const depths: Depth[] = [];
  let hollow = 0;
  for (const depth of primitive.depths) {
    const relata = depth.relata.filter(({ provenance }) => !isInforming(provenance));
    note(informed, primitive, depth);
    if (!isInforming(depth.provenance)) depths.push({ ...depth, relata });
    else if (relata.length > 0) {
      depths.push({ ...depth, properties: {}, relata });
      hollow |= 1 << depth.level;
    }
  }
  return { depths, hollow, informed };
}

function holdsInforming({ depths }: Primitive): boolean {
  for (const { provenance, relata } of depths) {
    if (isInforming(provenance)) return true;
    for (const relatum of relata) if (isInforming(relatum.provenance)) return true;
  }
  return false;
}

/** True for what a peer told that does not count. */
export function isInforming({ source, peer }: Provenance): boolean {
  return source === 'peer' && peer?.mode === 'informs';
}

function note(informed: InformedPart[], { name }: Primitive, { level, provenance, relata }: Depth): void {
  const add = ({ peer }: Provenance, relatum: InformedPart['relatum']): void => {
    if (peer?.mode !== 'informs') return;
    informed.push({ concept: name, level, relatum, peer: peer.name, bundle: peer.bundle });
  };
  add(provenance, null);
  for (const { relation, target, targetDepth, provenance: own } of relata) add(own, { relation, target, targetDepth });
}
