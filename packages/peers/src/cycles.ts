import type { Primitive } from '@warrant/core';

const FOLLOWED: ReadonlySet<string> = new Set(['requires', 'depends-on', 'constrained-by']);

/** True for a relation that every check follows. */
export function isFollowed(relation: string): boolean {
  return FOLLOWED.has(relation);
}

/** Ids of the concepts that a check of this one follows to. */
export function prerequisitesOf(primitive: Primitive): readonly string[] {
  const targets = new Set<string>();
  for (const { relata } of primitive.depths)
    for (const { relation, target } of relata) if (isFollowed(relation)) targets.add(target);
  return [...targets];
}

type Step = { readonly id: string; readonly targets: readonly string[]; next: number };

/** Ids along a cycle that one of the starts reaches, first and last the same; null when there is none. */
export function findCycle(
  starts: Iterable<string>,
  primitiveOf: (id: string) => Primitive | undefined,
): readonly string[] | null {
  const done = new Set<string>();
  const stepOf = (id: string): Step => {
    const primitive = primitiveOf(id);
    return { id, targets: primitive === undefined ? [] : prerequisitesOf(primitive), next: 0 };
  };
  for (const start of starts) {
    if (done.has(start)) continue;
    const path = [stepOf(start)];
    const onPath = new Set([start]);
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const target = step.targets[step.next];
      step.next += 1;
      if (target === undefined) {
        path.pop();
        onPath.delete(step.id);
        done.add(step.id);
      } else if (onPath.has(target)) {
        const ids = path.map(({ id }) => id);
        return [...ids.slice(ids.indexOf(target)), target];
      } else if (!done.has(target)) {
        path.push(stepOf(target));
        onPath.add(target);
      }
    }
  }
  return null;
}
