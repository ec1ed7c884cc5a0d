import {
  canonicalJson,
  type DepthLevel,
  foldName,
  type Json,
  type Primitive,
  type RelationType,
  type Relatum,
} from '@warrant/core';

/** What differs between two states of one concept; provenance and order do not count. Concepts stand as names. */
export type Difference =
  | { readonly type: 'renamed'; readonly from: string; readonly to: string }
  | { readonly type: 'level-added' | 'level-removed' | 'properties-changed'; readonly level: DepthLevel }
  | {
      readonly type: 'relatum-added' | 'relatum-removed' | 'metadata-changed';
      readonly level: DepthLevel;
      readonly relation: RelationType;
      readonly target: string;
      readonly targetDepth: DepthLevel;
    };

/** The name of the primitive with an id. */
export type NameOf = (id: string) => string;

/** Everything that differs, by level; both sides may have ids of their own. */
export function diffPrimitives(
  left: { readonly primitive: Primitive; readonly nameOf: NameOf },
  right: { readonly primitive: Primitive; readonly nameOf: NameOf },
): readonly Difference[] {
  const differences: Difference[] = [];
  const [from, to] = [left.primitive.name, right.primitive.name];
  if (from !== to) differences.push({ type: 'renamed', from, to });
  for (const level of [0, 1, 2, 3, 4] as const) {
    const before = left.primitive.depths.find((depth) => depth.level === level);
    const after = right.primitive.depths.find((depth) => depth.level === level);
    if (before === undefined && after !== undefined) differences.push({ type: 'level-added', level });
    if (before !== undefined && after === undefined) differences.push({ type: 'level-removed', level });
    if (before !== undefined && after !== undefined && !isSame(before.properties, after.properties)) {
      differences.push({ type: 'properties-changed', level });
    }
    const old = relataByKey(before?.relata ?? [], left.nameOf);
    const now = relataByKey(after?.relata ?? [], right.nameOf);
    for (const [key, one] of old)
      if (!now.has(key)) differences.push(ofRelatum('relatum-removed', level, one, left.nameOf));
    for (const [key, one] of now) {
      const known = old.get(key);
      if (known === undefined) differences.push(ofRelatum('relatum-added', level, one, right.nameOf));
      else if (!isSame(known.metadata ?? {}, one.metadata ?? {})) {
        differences.push(ofRelatum('metadata-changed', level, one, right.nameOf));
      }
    }
  }
  return differences;
}

function isSame(left: Json, right: Json): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right);
}

function relataByKey(relata: readonly Relatum[], nameOf: NameOf): ReadonlyMap<string, Relatum> {
  return new Map(relata.map((one) => [`${one.relation} ${one.targetDepth} ${foldName(nameOf(one.target))}`, one]));
}

function ofRelatum(
  type: 'relatum-added' | 'relatum-removed' | 'metadata-changed',
  level: DepthLevel,
  { relation, target, targetDepth }: Relatum,
  nameOf: NameOf,
): Difference {
  return { type, level, relation, target: nameOf(target), targetDepth };
}

/** Two graphs held against each other, by the fold keys of names; sorted by name. */
export type GraphDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly { readonly name: string; readonly differences: readonly Difference[] }[];
};

/** What has to be done to the left graph to get the right one. Ids and provenance do not count. */
export async function diffGraphs(
  left: AsyncIterable<Primitive> | Iterable<Primitive>,
  right: AsyncIterable<Primitive> | Iterable<Primitive>,
): Promise<GraphDifference> {
  const [old, now] = [await index(left), await index(right)];
  const changed: { name: string; differences: readonly Difference[] }[] = [];
  for (const [key, primitive] of old.byKey) {
    const other = now.byKey.get(key);
    if (other === undefined) continue;
    const differences = diffPrimitives({ primitive, nameOf: old.nameOf }, { primitive: other, nameOf: now.nameOf });
    if (differences.length > 0) changed.push({ name: other.name, differences });
  }
  const missing = (from: typeof old, to: typeof old): readonly string[] =>
    [...from.byKey]
      .filter(([key]) => !to.byKey.has(key))
      .map(([, primitive]) => primitive.name)
      .sort();
  changed.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { added: missing(now, old), removed: missing(old, now), changed };
}

async function index(
  primitives: AsyncIterable<Primitive> | Iterable<Primitive>,
): Promise<{ readonly byKey: ReadonlyMap<string, Primitive>; readonly nameOf: NameOf }> {
  const byKey = new Map<string, Primitive>();
  const names = new Map<string, string>();
  for await (const primitive of primitives) {
    byKey.set(foldName(primitive.name), primitive);
    names.set(primitive.id, primitive.name);
  }
  return { byKey, nameOf: (id) => names.get(id) ?? id };
}
