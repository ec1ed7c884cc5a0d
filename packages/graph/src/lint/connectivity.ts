import type { Primitive } from '@warrant/core';
import { isTransitive } from '../relations.ts';

/** A concept that alone holds groups together which only lean on it. */
export type SharedPrerequisite = { readonly prerequisite: string; readonly groups: readonly (readonly string[])[] };

type Vertex = { readonly name: string; readonly neighbours: Set<number>; readonly dependants: Set<number> };

/**
 * Concepts without which their dependants fall apart into groups that have nothing to do with each other. A check of
 * two concepts from two such groups counts as connected all the same. Looked for among what names nothing itself.
 */
export function sharedPrerequisites(all: readonly Primitive[]): readonly SharedPrerequisite[] {
  const vertices = readVertices(all);
  const found: SharedPrerequisite[] = [];
  const cuts = cutVertices(vertices);
  vertices.forEach((vertex, index) => {
    const leansOnNothing = [...vertex.neighbours].every((other) => vertex.dependants.has(other));
    if (!leansOnNothing || vertex.dependants.size < 2 || !cuts.has(index)) return;
    found.push({ prerequisite: vertex.name, groups: groupsWithout(index, vertices) });
  });
  return found;
}

function readVertices(all: readonly Primitive[]): readonly Vertex[] {
  const indexes = new Map(all.map(({ id }, index) => [id, index]));
  const vertices = all.map(({ name }): Vertex => ({ name, neighbours: new Set(), dependants: new Set() }));
  all.forEach((primitive, index) => {
    for (const { target, relation } of primitive.depths.flatMap((depth) => depth.relata)) {
      const other = indexes.get(target);
      if (other === undefined || other === index) continue;
      vertices[index]?.neighbours.add(other);
      vertices[other]?.neighbours.add(index);
      if (isTransitive(relation)) vertices[other]?.dependants.add(index);
    }
  });
  return vertices;
}

function groupsWithout(removed: number, vertices: readonly Vertex[]): readonly (readonly string[])[] {
  const seen = new Set([removed]);
  const groups: string[][] = [];
  for (const start of vertices[removed]?.neighbours ?? []) {
    if (seen.has(start)) continue;
    const group: string[] = [];
    const open = [start];
    seen.add(start);
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      group.push(vertices[next]?.name ?? '');
      for (const other of vertices[next]?.neighbours ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        open.push(other);
      }
    }
    groups.push(group.sort());
  }
  return groups.sort((left, right) => right.length - left.length || ((left[0] ?? '') < (right[0] ?? '') ? -1 : 1));
}

type Frame = { readonly at: number; readonly parent: number; readonly rest: Iterator<number>; children: number };

/** Vertices whose removal splits their component (Hopcroft and Tarjan), without recursion. */
function cutVertices(vertices: readonly Vertex[]): ReadonlySet<number> {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const cuts = new Set<number>();
  for (let root = 0; root < vertices.length; root += 1) {
    if (order.has(root)) continue;
    const path: Frame[] = [open(root, -1)];
    for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
      const next = frame.rest.next();
      if (next.done === true) {
        path.pop();
        leave(frame, path.at(-1));
      } else if (!order.has(next.value)) {
        frame.children += 1;
        path.push(open(next.value, frame.at));
      } else if (next.value !== frame.parent) {
        low.set(frame.at, Math.min(low.get(frame.at) as number, order.get(next.value) as number));
      }
    }
  }
  return cuts;

  function open(at: number, parent: number): Frame {
    order.set(at, order.size);
    low.set(at, order.size - 1);
    return { at, parent, rest: (vertices[at] as Vertex).neighbours.values(), children: 0 };
  }
  function leave({ at, parent, children }: Frame, above: Frame | undefined): void {
    // The root of a walk splits its component when the walk had to start from it more than once.
    if (above === undefined) {
      if (children > 1) cuts.add(at);
      return;
    }
    low.set(parent, Math.min(low.get(parent) as number, low.get(at) as number));
    if (above.parent >= 0 && (low.get(at) as number) >= (order.get(parent) as number)) cuts.add(parent);
  }
}
