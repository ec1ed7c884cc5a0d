import { nodeHash } from './merkle.ts';

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Whether the path shows that a leaf with this hash is at `index` of the tree with this root (RFC 9162, 2.1.3.2). */
export function isIncluded(proof: {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly path: readonly Uint8Array[];
  readonly root: Uint8Array;
}): boolean {
  if (!isSize(proof.index) || !isSize(proof.size) || proof.index >= proof.size) return false;
  if (proof.leaf.length !== 32 || proof.root.length !== 32) return false;
  let node = proof.index;
  let last = proof.size - 1;
  let hash = proof.leaf;
  for (const step of proof.path) {
    if (last === 0 || step.length !== 32) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(step, hash);
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2);
        last = Math.floor(last / 2);
      }
    } else {
      hash = nodeHash(hash, step);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && isSame(hash, proof.root);
}

/** Whether the path shows that the larger tree begins with the smaller one (RFC 9162, 2.1.4.2). About the empty tree, nothing is shown. */
export function isConsistent(proof: {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly path: readonly Uint8Array[];
}): boolean {
  const { from, to, fromRoot, toRoot, path } = proof;
  if (!isSize(from) || !isSize(to) || from < 1 || from > to) return false;
  if (from === to) return path.length === 0 && fromRoot.length > 0 && isSame(fromRoot, toRoot);
  if ([fromRoot, toRoot, ...path].some((step) => step.length !== 32)) return false;
  const steps = isPowerOfTwo(from) ? [fromRoot, ...path] : [...path];
  return walkConsistency(steps, { node: from - 1, last: to - 1, fromRoot, toRoot });
}

function walkConsistency(
  steps: readonly Uint8Array[],
  goal: { readonly node: number; readonly last: number; readonly fromRoot: Uint8Array; readonly toRoot: Uint8Array },
): boolean {
  let { node, last } = goal;
  while (node % 2 === 1) {
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  const [first, ...rest] = steps;
  if (first === undefined) return false;
  let small = first;
  let large = first;
  for (const step of rest) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      small = nodeHash(step, small);
      large = nodeHash(step, large);
      while (node % 2 === 0 && node !== 0) {
        node = Math.floor(node / 2);
        last = Math.floor(last / 2);
      }
    } else {
      large = nodeHash(large, step);
    }
    node = Math.floor(node / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && isSame(small, goal.fromRoot) && isSame(large, goal.toRoot);
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}
