/** The largest number up to `most` that fits, found by halving; 0 where none does. What fits less fits too. */
export function mostThatFit(most: number, fits: (count: number) => boolean): number {
  let known = 0;
  let over = most + 1;
  while (over - known > 1) {
    const middle = (known + over) >> 1;
    if (fits(middle)) known = middle;
    else over = middle;
  }
  return known;
}
