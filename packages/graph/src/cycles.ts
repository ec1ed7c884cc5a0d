/** A walk over the transitive relations as they would be after a change. */
export type Prerequisites = (id: string) => readonly string[];

type Frame = { readonly id: string; readonly next: readonly string[]; index: number };

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
  const done = new Set<string>();
  const onPath = new Map<string, number>();
  for (const start of starts) {
    if (done.has(start)) continue;
    const path: Frame[] = [enter(start, prerequisites, onPath, 0)];
    while (path.length > 0) {
      const frame = path[path.length - 1] as Frame;
      const next = frame.next[frame.index];
      frame.index += 1;
      if (next === undefined) {
        onPath.delete(frame.id);
        done.add(frame.id);
        path.pop();
      } else if (onPath.has(next)) {
        cycles.push(closeCycle(path, onPath.get(next) as number));
        if (cycles.length >= limit) return cycles;
      } else if (!done.has(next)) {
        path.push(enter(next, prerequisites, onPath, path.length));
      }
    }
  }
  return cycles;
}

function enter(id: string, prerequisites: Prerequisites, onPath: Map<string, number>, position: number): Frame {
  onPath.set(id, position);
  return { id, next: prerequisites(id), index: 0 };
}

function closeCycle(path: readonly Frame[], from: number): readonly string[] {
  const ids = path.slice(from).map((frame) => frame.id);
  return [...ids, ids[0] as string];
}
