/** Numbers of [0, 1] that no rule tells apart, and one of them. */
export type NumberClass = { readonly value: number };

/** The classes that the bounds cut [0, 1] into, ascending: below, at, and between bounds. Without bounds there is one. */
export function numberClasses(bounds: readonly (number | null)[]): readonly NumberClass[] {
  // Adding 0 turns -0 into 0: they are the same bound.
  const sorted = [...new Set(bounds.filter((bound) => bound !== null).map((bound) => bound + 0))].sort((a, b) => a - b);
  if (sorted.length === 0) return [{ value: 0.5 }];
  const classes: NumberClass[] = [];
  const first = sorted[0] as number;
  if (first > 0) classes.push({ value: 0 });
  sorted.forEach((bound, index) => {
    classes.push({ value: bound });
    const next = sorted[index + 1];
    const between = next === undefined ? (bound < 1 ? 1 : null) : shortBetween(bound, next);
    if (between !== null) classes.push({ value: between });
  });
  return classes;
}

/** The number with fewest digits strictly between two; `null` when there is none. */
function shortBetween(low: number, high: number): number | null {
  const middle = low + (high - low) / 2;
  if (middle <= low || middle >= high) return null;
  for (let digits = 1; digits <= 20; digits += 1) {
    const rounded = Number(middle.toFixed(digits));
    if (rounded > low && rounded < high) return rounded;
  }
  return middle;
}
