const MAX_CANDIDATES = 20_000;

/** The candidate that differs least from a mistyped word, or null when none is near. */
export function suggest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > 80) return null;
  let best: string | null = null;
  let least = Math.max(1, Math.floor(word.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    seen += 1;
    if (seen > MAX_CANDIDATES) return best;
    if (Math.abs(candidate.length - word.length) >= least) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours between two words. */
function editDistance(left: string, right: string): number {
  let older: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const options = [(last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same];
      if (swapped) options.push((older[j - 2] as number) + 1);
      row.push(Math.min(...options));
    }
    older = last;
    last = row;
  }
  return last[right.length] as number;
}
