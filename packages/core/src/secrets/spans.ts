/** Where a secret stands in a text, in UTF-16 units, the end excluded. */
export type Span = { readonly start: number; readonly end: number };

/** In order, and without overlaps: what overlaps is one secret, so that nothing of either remains. */
export function mergeSpans(spans: readonly Span[], length: number): readonly Span[] {
  const merged: { start: number; end: number }[] = [];
  const inside = spans
    .map(({ start, end }) => ({ start: Math.max(0, start), end: Math.min(length, end) }))
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  for (const span of inside) {
    const last = merged.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else merged.push({ ...span });
  }
  return merged;
}
