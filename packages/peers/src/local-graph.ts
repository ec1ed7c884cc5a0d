import { type Cancel, foldName, type GraphStore, type GraphVersion, type Primitive } from '@warrant/core';

/** The whole graph as of one version: an import looks at every name, and at every edge that could close a cycle. */
export type LocalGraph = {
  readonly version: GraphVersion;
  readonly byId: ReadonlyMap<string, Primitive>;
  readonly byKey: ReadonlyMap<string, Primitive>;
};

export function localGraph(version: GraphVersion, primitives: Iterable<Primitive>): LocalGraph {
  const byId = new Map<string, Primitive>();
  const byKey = new Map<string, Primitive>();
  for (const primitive of primitives) {
    byId.set(primitive.id, primitive);
    byKey.set(foldName(primitive.name), primitive);
  }
  return { version, byId, byKey };
}

/** Reads until what was read belongs to one version; undefined when the graph kept changing. */
export async function readLocalGraph(graph: GraphStore, cancel: Cancel = {}): Promise<LocalGraph | undefined> {
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const before = await graph.version();
    const primitives: Primitive[] = [];
    for await (const primitive of graph.primitives(cancel)) primitives.push(primitive);
    const after = await graph.version();
    if (before.epoch === after.epoch && before.revision === after.revision) return localGraph(after, primitives);
  }
  return undefined;
}
