import { foldName, type GraphView, type ViewSnapshot, WarrantError } from '@warrant/core';
import { type CompiledPrimitive, compilePrimitive } from './compile.ts';
import { fillNode, NOWHERE } from './fill.ts';
import { createTables, type LinkedView } from './tables.ts';

const linked = new WeakMap<ViewSnapshot, LinkedView>();

/**
 * Links a view; once for each frozen snapshot.
 * @throws GROUNDING_VIEW_INVALID when a primitive is not what a store can hold.
 */
export function linkView(view: GraphView): LinkedView {
  const snapshot = snapshotOf(view);
  const known = linked.get(snapshot);
  if (known !== undefined) return known;
  const nodes = snapshot.primitives.map(compilePrimitive);
  const built = linkNodes(nodes);
  const fixed = Object.isFrozen(snapshot) && Object.isFrozen(snapshot.primitives);
  if (fixed && nodes.every((node, index) => node.primitive === snapshot.primitives[index])) {
    linked.set(snapshot, built);
  }
  return built;
}

/** What a view holds. @throws GROUNDING_VIEW_INVALID for what is no snapshot at all */
export function snapshotOf(view: GraphView): ViewSnapshot {
  const snapshot: ViewSnapshot | null | undefined = view.snapshot();
  if (Array.isArray(snapshot?.names) && Array.isArray(snapshot.primitives)) return snapshot;
  throw new WarrantError('GROUNDING_VIEW_INVALID', 'a view gave no lists of names and primitives', {
    data: { path: '', problem: 'is no snapshot' },
  });
}

/** Tables of exactly these nodes; of two with one id the last counts. */
function linkNodes(nodes: readonly CompiledPrimitive[]): LinkedView {
  const tables = createTables(nodes.length + 1);
  const numbers = new Map<string, number>();
  tables.nodes.push(undefined);
  for (const node of nodes) tables.nodes.push(node);
  for (let node = 1; node <= nodes.length; node += 1) {
    numbers.set((tables.nodes[node] as CompiledPrimitive).primitive.id, node);
  }
  const numberOf = (id: string) => numbers.get(id) ?? NOWHERE;
  for (let node = 1; node <= nodes.length; node += 1) fillNode(tables, node, numberOf);
  tables.find = nameIndex(nodes);
  return tables;
}

/** The spelling of a stored name finds it at once; other spellings are folded, over an index made when first needed. */
function nameIndex(nodes: readonly CompiledPrimitive[]): LinkedView['find'] {
  const spelled = new Map<string, number>();
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    spelled.set((nodes[index] as CompiledPrimitive).primitive.name, index + 1);
  }
  let folded: Map<string, number> | undefined;
  return (name) => {
    const known = spelled.get(name);
    if (known !== undefined) return known;
    folded ??= new Map([...spelled].map(([spelling, node]) => [foldName(spelling), node]));
    return folded.get(foldName(name));
  };
}
