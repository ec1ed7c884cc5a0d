/** A walk over the transitive relations as they would be after a change. */
export type Prerequisites = (id: string) => readonly string[];

/** A node that the walk has met: on the path at `position`, or done at -1. */
type Visit = { readonly id: string; position: number; next: readonly string[]; index: number };

const DONE = -1;

/**
 * Cycles that can be reached from `starts`, each as the ids along it, first and last the same; at most `limit`.
 * Every edge is walked once, without recursion: a chain of any length is fine.
 */
export function findCycles(
  starts: Iterable<string>,
  prerequisites: Prerequisites,
  limit: number,
): readonly (readonly string[])[] {
  const cycles: (readonly string[])[] = [];
  const visits = new Map<string, Visit>();
  const path: Visit[] = [];
  const enter = (id: string): void => {
    const visit = { id, position: path.length, next: prerequisites(id), index: 0 };
    visits.set(id, visit);
    path.push(visit);
  };
  for (const start of starts) {
    if (visits.has(start)) continue;
    enter(start);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.next[last.index];
      last.index += 1;
      if (next === undefined) {
        last.position = DONE;
        last.next = [];
        path.pop();
        continue;
      }
      const known = visits.get(next);
      if (known === undefined) enter(next);
      else if (known.position !== DONE && cycles.push(closeCycle(path, known.position)) >= limit) return cycles;
    }
  }
  return cycles;
}

function closeCycle(path: readonly Visit[], from: number): readonly string[] {
  const ids = path.slice(from).map((visit) => visit.id);
  return [...ids, ids[0] as string];
}
