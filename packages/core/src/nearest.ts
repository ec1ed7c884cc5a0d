/** Nobody mistypes a longer word, and comparing it would cost. */
const LONGEST = 80;
/** Looked at among more: the first so many. */
const MOST_CANDIDATES = 20_000;

/**
 * The candidate that a mistyped word most likely means: at most a third of its letters differ, capitals apart. The first
 * of several that are as near. Undefined for words beyond 80 characters.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  const mistyped = word.toLowerCase();
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    seen += 1;
    if (seen > MOST_CANDIDATES) break;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(mistyped, candidate.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    best = candidate;
  }
  return best;
}

/** Optimal string alignment: insertions, deletions, changes and swaps of neighbours count one each. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(changed, (row[j] as number) + 1, (next[j - 1] as number) + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return row[b.length] as number;
}
