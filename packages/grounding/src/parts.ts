/** Which roots hang together, while edges are still being met: a union-find over the positions of the roots. */
export type Parts = {
  readonly leader: number[];
  /** How many joins are left until all hang together. */
  apart: number;
};

export function createParts(roots: number): Parts {
  const leader: number[] = [];
  for (let index = 0; index < roots; index += 1) leader.push(index);
  return { leader, apart: Math.max(0, roots - 1) };
}

/** Notes that an edge leads from what root `a` reached to what root `b` reached. */
export function joinParts(parts: Parts, a: number, b: number): void {
  const left = partOf(parts, a);
  const right = partOf(parts, b);
  if (left === right) return;
  parts.leader[Math.max(left, right)] = Math.min(left, right);
  parts.apart -= 1;
}

export function partOf(parts: Parts, index: number): number {
  const { leader } = parts;
  let at = index;
  while (leader[at] !== at) {
    leader[at] = leader[leader[at] as number] as number;
    at = leader[at] as number;
  }
  return at;
}
