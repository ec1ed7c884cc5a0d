/** Items by key, keys in the order of their first item. @internal */
export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Neighbours with the same key, in their order. @internal */
export function runsOf<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[][] {
  const runs: Item[][] = [];
  let key: string | undefined;
  for (const item of items) {
    const next = keyOf(item);
    if (next === key) (runs[runs.length - 1] as Item[]).push(item);
    else runs.push([item]);
    key = next;
  }
  return runs;
}
