import type { Gap, Primitive } from '@warrant/core';
import { foldName } from '@warrant/core';

type PlainEdge = { readonly from: string; readonly level: number; readonly to: string; readonly need: number };
export type PlainGap = { readonly type: Gap['type']; readonly concept: string };

/** Grounding written down as plainly as its definition, to hold seeds against something that is not the product. */
export function groundPlainly(
  all: readonly Primitive[],
  concepts: readonly string[],
  minDepth = 0,
): readonly PlainGap[] {
  const byKey = new Map(all.map((one) => [foldName(one.name), one]));
  const byId = new Map(all.map((one) => [one.id, one]));
  const roots = [...new Set(concepts.map(foldName))];
  const known = roots.map((key) => byKey.get(key)).filter((one) => one !== undefined);
  const inside = closureOf(known, byId);
  const edges = [...inside].flatMap((one) => edgesOf(one, inside, byId));
  const frontier = reach(
    known.map((one) => one.id),
    edges.filter((edge) => isVisible(edge, byId)),
  );
  const counted = edges.filter((edge) => frontier.has(edge.from));
  const visible = counted.filter((edge) => isVisible(edge, byId));
  const name = (id: string): string => byId.get(id)?.name ?? id;
  const gaps: PlainGap[] = roots.filter((key) => !byKey.has(key)).map((key) => ({ type: 'existence', concept: key }));
  for (const id of frontier) {
    const gated = counted.filter((edge) => edge.from === id && !isVisible(edge, byId)).map((edge) => edge.level);
    const floor = known.some((one) => one.id === id) ? minDepth : 0;
    if (Math.max(floor, ...gated) > depthOf(byId.get(id))) gaps.push({ type: 'depth', concept: name(id) });
  }
  const short = visible.filter((edge) => depthOf(byId.get(edge.to)) < edge.need);
  for (const edge of short) gaps.push({ type: 'relational', concept: name(edge.to) });
  if (known.length < 2) return gaps;
  const parts = known.map((one) =>
    reach([one.id], [...visible, ...visible.map((edge) => ({ ...edge, from: edge.to, to: edge.from }))]),
  );
  const anchor = parts.reduce((best, part) => (part.size > best.size ? part : best));
  return [
    ...gaps,
    ...known.filter((one) => !anchor.has(one.id)).map((one) => ({ type: 'reachability' as const, concept: one.name })),
  ];
}

/** The highest level that is there without a hole below, -1 without level 0. */
function depthOf(primitive: Primitive | undefined): number {
  let depth = -1;
  for (const level of primitive?.depths ?? []) {
    const hasContent = level.level === 0 || Object.keys(level.properties).length > 0 || level.relata.length > 0;
    if (level.level !== depth + 1 || !hasContent) break;
    depth = level.level;
  }
  return depth;
}

function closureOf(known: readonly Primitive[], byId: ReadonlyMap<string, Primitive>): ReadonlySet<Primitive> {
  const found = new Set(known);
  for (const one of found) {
    for (const { relation, target } of one.depths.flatMap((level) => level.relata)) {
      if (relation !== 'applies-to' && relation !== 'includes') found.add(byId.get(target) as Primitive);
    }
  }
  return found;
}

function edgesOf(
  one: Primitive,
  inside: ReadonlySet<Primitive>,
  byId: ReadonlyMap<string, Primitive>,
): readonly PlainEdge[] {
  return one.depths.flatMap(({ level, relata }) =>
    relata
      .filter(({ target }) => inside.has(byId.get(target) as Primitive))
      .map(({ target, targetDepth }) => ({ from: one.id, level, to: target, need: targetDepth })),
  );
}

function isVisible(edge: PlainEdge, byId: ReadonlyMap<string, Primitive>): boolean {
  return depthOf(byId.get(edge.from)) >= edge.level;
}

function reach(from: readonly string[], edges: readonly PlainEdge[]): ReadonlySet<string> {
  const found = new Set(from);
  for (const id of found) for (const edge of edges) if (edge.from === id) found.add(edge.to);
  return found;
}
