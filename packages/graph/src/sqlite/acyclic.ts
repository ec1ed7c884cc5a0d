/** Who leads where, by position: those of `index` stand from `starts[index]` on; a negative target is of no concern. */
export type Links = { readonly starts: number[]; readonly targets: number[] };

/** True when nothing leads back to itself. */
export function isAcyclic({ starts, targets }: Links): boolean {
  const count = starts.length;
  const endOf = (index: number): number => starts[index + 1] ?? targets.length;
  if (isOrdered(starts, targets)) return true;
  // Takes away, again and again, what nothing leads to; what is left then lies on a cycle or behind one.
  const incoming = new Int32Array(count);
  for (const target of targets) if (target >= 0) incoming[target] = (incoming[target] as number) + 1;
  const open: number[] = [];
  for (let index = 0; index < count; index += 1) if (incoming[index] === 0) open.push(index);
  let taken = 0;
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    taken += 1;
    for (let position = starts[index] as number; position < endOf(index); position += 1) {
      const target = targets[position] as number;
      if (target < 0) continue;
      incoming[target] = (incoming[target] as number) - 1;
      if (incoming[target] === 0) open.push(target);
    }
  }
  return taken === count;
}

/** Nothing leads to itself or to what comes later, which is how generated graphs often come. */
function isOrdered(starts: readonly number[], targets: readonly number[]): boolean {
  let position = 0;
  for (let index = 0; index < starts.length; index += 1) {
    const end = starts[index + 1] ?? targets.length;
    for (; position < end; position += 1) if ((targets[position] as number) >= index) return false;
  }
  return true;
}
