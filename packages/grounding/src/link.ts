import { type Edge, foldName, type GraphView, type Primitive, type ViewSnapshot } from '@warrant/core';
import { type CompiledPrimitive, compilePrimitive } from './compile.ts';

/** Some edges of every node in compressed form: those of node n lie from `start[n]` to `start[n + 1]`. */
export type EdgeTable = {
  readonly start: Int32Array;
  /** Number of the target's node; the number of nodes when the view does not hold it, which no walk ever marks. */
  readonly target: Int32Array;
  readonly edge: readonly Edge[];
};

/** A view with integers for ids, and the scratch memory of the walks over it. */
export type LinkedView = {
  readonly nodes: readonly CompiledPrimitive[];
  readonly requires: Omit<EdgeTable, 'edge'>;
  readonly visible: EdgeTable;
  /** Where the visible edges of a node begin whose targets may lie outside the closure. */
  readonly loose: Int32Array;
  readonly gated: EdgeTable;
  /** 1 for a node with gated edges or with a visible edge whose target is not deep enough. */
  readonly suspect: Uint8Array;
  /** Contiguous depth of every node; -1 without level 0. */
  readonly contiguous: Int8Array;
  /** Nodes by the spelling of their names. */
  readonly spelled: ReadonlyMap<string, number>;
  /** The node of a name in any spelling, or undefined when the view does not know it. */
  readonly find: (name: string) => number | undefined;
  /** Nodes in the order in which the last walk met them. */
  readonly order: Int32Array;
  /** `mark[n] === round`: node n is in the closure. `reach` likewise, for the frontier. */
  readonly mark: Int32Array;
  readonly reach: Int32Array;
  /** Position of the root from which a node was first met. */
  readonly label: Int32Array;
  /**
   * Primitives as results show them. Those of node n begin at `formStart[n]`, one for each set of dropped loose edges;
   * nodes with many of them share an empty place at the end.
   */
  readonly forms: (Primitive | undefined)[];
  readonly formStart: Int32Array;
  round: number;
};

/** Up to this many loose edges every form of a node has its own place. */
export const FORM_EDGES = 4;
/** The bits that tell such a form. */
export const FORM_BITS = (1 << FORM_EDGES) - 1;

const linked = new WeakMap<ViewSnapshot, LinkedView>();

/**
 * Links a view; once for each frozen snapshot.
 * @throws GROUNDING_VIEW_INVALID when a primitive is not what a store can hold.
 */
export function linkView(view: GraphView): LinkedView {
  const snapshot = view.snapshot();
  const known = linked.get(snapshot);
  if (known !== undefined) return known;
  const built = link(snapshot);
  const fixed = Object.isFrozen(snapshot) && Object.isFrozen(snapshot.primitives);
  if (fixed && built.nodes.every((node, index) => node.primitive === snapshot.primitives[index])) {
    linked.set(snapshot, built);
  }
  return built;
}

function link(snapshot: ViewSnapshot): LinkedView {
  const nodes = snapshot.primitives.map(compilePrimitive);
  const count = nodes.length;
  const numbers = new Map<string, number>();
  for (let index = 0; index < count; index += 1) numbers.set((nodes[index] as CompiledPrimitive).primitive.id, index);
  const visible = edgeTable(nodes, numbers, (node) => node.visible);
  const gated = edgeTable(nodes, numbers, (node) => node.gated);
  const loose = looseStarts(nodes, visible);
  return {
    nodes,
    requires: requiresTable(nodes, numbers),
    visible,
    loose,
    gated,
    suspect: suspects(nodes, visible, gated),
    contiguous: Int8Array.from(nodes, (node) => node.contiguous),
    ...nameIndex(nodes),
    order: new Int32Array(count),
    mark: new Int32Array(count + 1),
    reach: new Int32Array(count + 1),
    label: new Int32Array(count + 1),
    ...formTable(nodes, visible, loose),
    round: 0,
  };
}

function edgeTable(
  nodes: readonly CompiledPrimitive[],
  numbers: ReadonlyMap<string, number>,
  edgesOf: (node: CompiledPrimitive) => readonly Edge[],
): EdgeTable {
  const start = new Int32Array(nodes.length + 1);
  const edge: Edge[] = [];
  for (const [index, node] of nodes.entries()) {
    for (const own of edgesOf(node)) edge.push(own);
    start[index + 1] = edge.length;
  }
  const target = new Int32Array(edge.length);
  for (let at = 0; at < edge.length; at += 1) target[at] = numbers.get((edge[at] as Edge).target) ?? nodes.length;
  return { start, target, edge };
}

function requiresTable(
  nodes: readonly CompiledPrimitive[],
  numbers: ReadonlyMap<string, number>,
): LinkedView['requires'] {
  const start = new Int32Array(nodes.length + 1);
  const target: number[] = [];
  for (const [index, node] of nodes.entries()) {
    for (const id of node.requires) {
      const number = numbers.get(id);
      if (number !== undefined) target.push(number);
    }
    start[index + 1] = target.length;
  }
  return { start, target: Int32Array.from(target) };
}

/** Targets of transitive edges are never outside the closure, unless the view lacks them. */
function looseStarts(nodes: readonly CompiledPrimitive[], { start, target }: EdgeTable): Int32Array {
  const loose = new Int32Array(nodes.length);
  for (let node = 0; node < nodes.length; node += 1) {
    const first = start[node] as number;
    const tied = first + (nodes[node] as CompiledPrimitive).tied;
    loose[node] = target.subarray(first, tied).includes(nodes.length) ? first : tied;
  }
  return loose;
}

function formTable(
  nodes: readonly CompiledPrimitive[],
  { start }: EdgeTable,
  loose: Int32Array,
): Pick<LinkedView, 'forms' | 'formStart'> {
  const formStart = new Int32Array(nodes.length).fill(NO_FORMS);
  const forms: (Primitive | undefined)[] = [];
  for (let node = 0; node < nodes.length; node += 1) {
    const edges = (start[node + 1] as number) - (loose[node] as number);
    if (edges > FORM_EDGES) continue;
    formStart[node] = forms.length;
    forms.push((nodes[node] as CompiledPrimitive).capped);
    for (let form = 1; form < 1 << edges; form += 1) forms.push(undefined);
  }
  const shared = forms.length;
  for (let form = 0; form <= FORM_BITS; form += 1) forms.push(undefined);
  return { forms, formStart: formStart.map((own) => (own === NO_FORMS ? shared : own)) };
}

const NO_FORMS = -1;

function suspects(nodes: readonly CompiledPrimitive[], visible: EdgeTable, gated: EdgeTable): Uint8Array {
  const suspect = new Uint8Array(nodes.length);
  for (let node = 0; node < nodes.length; node += 1) {
    if ((gated.start[node] as number) < (gated.start[node + 1] as number)) suspect[node] = 1;
    for (let at = visible.start[node] as number; at < (visible.start[node + 1] as number); at += 1) {
      const target = nodes[visible.target[at] as number];
      if (target !== undefined && target.contiguous < (visible.edge[at] as Edge).targetDepth) suspect[node] = 1;
    }
  }
  return suspect;
}

/** The spelling of a stored name finds it at once; other spellings are folded, over an index made when first needed. */
function nameIndex(nodes: readonly CompiledPrimitive[]): Pick<LinkedView, 'spelled' | 'find'> {
  const spelled = new Map<string, number>();
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    spelled.set((nodes[index] as CompiledPrimitive).primitive.name, index);
  }
  let folded: Map<string, number> | undefined;
  const find = (name: string) => {
    folded ??= new Map([...spelled].map(([spelling, index]) => [foldName(spelling), index]));
    return folded.get(foldName(name));
  };
  return { spelled, find };
}
