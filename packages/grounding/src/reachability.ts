import type { LinkedView } from './link.ts';

/**
 * The roots outside the largest connected part of what was reached (edges taken both ways; on a tie the part of the
 * first root in query order wins), and the roots inside it.
 */
export function strayRoots(
  view: LinkedView,
  roots: readonly number[],
): { readonly stray: readonly number[]; readonly anchored: readonly number[] } {
  const { part, sizes } = parts(view, roots);
  let anchor = 0;
  for (let index = 1; index < roots.length; index += 1) {
    if ((sizes[part[index] as number] as number) > (sizes[part[anchor] as number] as number)) anchor = index;
  }
  const isAnchored = (_: number, index: number) => part[index] === part[anchor];
  return { stray: roots.filter((root, index) => !isAnchored(root, index)), anchored: roots.filter(isAnchored) };
}

/** For each root the number of its part, and for each part the number of its nodes. */
function parts(view: LinkedView, roots: readonly number[]): { part: Int32Array; sizes: Int32Array } {
  const { visible, mark, round } = view;
  const owner = new Map<number, number>();
  const leader = Int32Array.from(roots.keys());
  const owned = new Int32Array(roots.length);
  let apart = roots.length - 1;
  for (let index = 0; index < roots.length && apart > 0; index += 1) {
    const open = [roots[index] as number];
    if (owner.has(open[0] as number)) {
      apart -= join(leader, index, owner.get(open[0] as number) as number);
      continue;
    }
    owner.set(open[0] as number, index);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      owned[index] = (owned[index] as number) + 1;
      for (let at = visible.start[node] as number; at < (visible.start[node + 1] as number); at += 1) {
        const to = visible.target[at] as number;
        if (mark[to] !== round) continue;
        const other = owner.get(to);
        if (other === undefined) {
          owner.set(to, index);
          open.push(to);
        } else if (other !== index) apart -= join(leader, index, other);
      }
    }
  }
  const part = leader.map((_, index) => find(leader, index));
  const sizes = new Int32Array(roots.length);
  for (let index = 0; index < roots.length; index += 1) {
    const to = part[index] as number;
    sizes[to] = (sizes[to] as number) + (owned[index] as number);
  }
  return { part, sizes };
}

function find(leader: Int32Array, index: number): number {
  let at = index;
  while (leader[at] !== at) {
    leader[at] = leader[leader[at] as number] as number;
    at = leader[at] as number;
  }
  return at;
}

/** 1 when two parts became one. */
function join(leader: Int32Array, a: number, b: number): 0 | 1 {
  const left = find(leader, a);
  const right = find(leader, b);
  if (left === right) return 0;
  leader[Math.max(left, right)] = Math.min(left, right);
  return 1;
}
