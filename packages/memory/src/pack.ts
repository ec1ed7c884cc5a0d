/** Something that takes room. */
export type Packable = { readonly score: number; readonly tokens: number };

/** Room for exact packing, in table cells; beyond it the best scores go first. */
const MAX_CELLS = 2_000_000;

/**
 * Which items to take so that the sum of scores is greatest within the budget, as sorted indexes. Of equal sums the one
 * with earlier items. At least one item is taken when any fits.
 */
export function pack(items: readonly Packable[], budget: number): readonly number[] {
  const total = items.reduce((sum, item) => sum + item.tokens, 0);
  if (total <= budget) return items.map((_, index) => index);
  const room = Math.max(0, Math.floor(budget));
  return items.length * (room + 1) > MAX_CELLS ? greedy(items, room) : exact(items, room);
}

function greedy(items: readonly Packable[], room: number): readonly number[] {
  let left = room;
  return items.flatMap((item, index) => {
    if (item.tokens > left) return [];
    left -= item.tokens;
    return [index];
  });
}

/** Dynamic programming from the last item to the first, so that ties keep the earlier. */
function exact(items: readonly Packable[], room: number): readonly number[] {
  const width = room + 1;
  const best = new Float64Array((items.length + 1) * width);
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const { score, tokens } = items[index] as Packable;
    // Every item is worth something, also one of score 0.
    const worth = score + 1e-9;
    for (let left = 0; left < width; left += 1) {
      const skip = best[(index + 1) * width + left] as number;
      const take = tokens <= left ? worth + (best[(index + 1) * width + left - tokens] as number) : -1;
      best[index * width + left] = Math.max(skip, take);
    }
  }
  const taken: number[] = [];
  let left = room;
  for (const [index, { score, tokens }] of items.entries()) {
    if (tokens > left) continue;
    const take = score + 1e-9 + (best[(index + 1) * width + left - tokens] as number);
    if (take < (best[index * width + left] as number) - 1e-12) continue;
    taken.push(index);
    left -= tokens;
  }
  return taken;
}
