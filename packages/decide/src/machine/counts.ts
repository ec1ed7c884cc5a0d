/** How often something happened, by decide state: any text may be the name of one. */
export type Counts = Readonly<Record<string, number>>;

export function countOf(counts: Counts, name: string): number {
  return Object.hasOwn(counts, name) ? (counts[name] as number) : 0;
}

export function addTo(counts: Counts, name: string, count: number): Counts {
  return { ...counts, [name]: countOf(counts, name) + count };
}
