import type { Edge, Primitive } from '@warrant/core';
import type { CompiledPrimitive } from './compile.ts';

/** Links of every node in compressed form: those of node n lie from `start[n]` to `end[n]`. */
export type Links = {
  start: Int32Array;
  end: Int32Array;
  /** Number of the target's node. */
  target: Int32Array;
  /** How much of `target` is used. */
  size: number;
};

/** The same with the edges themselves. */
export type EdgeTable = Links & { readonly edge: Edge[] };

/** Primitives with integers for ids, and the scratch memory of the walks over them. */
export type LinkedView = {
  /** A hole for a node that is only pointed at; no walk ever marks it. */
  readonly nodes: (CompiledPrimitive | undefined)[];
  readonly requires: Links;
  readonly visible: EdgeTable;
  /** Where the visible edges of a node begin whose targets may lie outside the closure. */
  loose: Int32Array;
  readonly gated: EdgeTable;
  /** 1 for a node with gated edges or with a visible edge whose target is not deep enough. */
  suspect: Uint8Array;
  /** Contiguous depth of every node; -1 without level 0. */
  contiguous: Int8Array;
  /** The node of a name in any spelling, or undefined when the view does not know it. */
  find: (name: string) => number | undefined;
  /** Nodes in the order in which the last walk met them. */
  order: Int32Array;
  /**
   * `mark[n] >= round`: node n is in the closure, first met from the root at position `mark[n] - round`. `reach` likewise,
   * for the frontier.
   */
  mark: Int32Array;
  reach: Int32Array;
  /**
   * Primitives as results show them. Those of node n begin at `formStart[n]`, one for each set of dropped loose edges;
   * nodes with many of them share an empty place at the beginning.
   */
  readonly forms: (Primitive | undefined)[];
  formStart: Int32Array;
  /** True once any node holds what a peer told without counting. */
  informs: boolean;
  /** The mark of the first root in the walk at hand. */
  round: number;
  /** The first mark that no walk has given yet. */
  nextRound: number;
};

/** Up to this many loose edges every form of a node has its own place. */
export const FORM_EDGES = 4;
/** The bits that tell such a form. */
export const FORM_BITS = (1 << FORM_EDGES) - 1;

/** Tables with room for so many nodes, and none in them. */
export function createTables(room: number): LinkedView {
  return {
    nodes: [],
    requires: createLinks(room),
    visible: { ...createLinks(room), edge: [] },
    loose: new Int32Array(room),
    gated: { ...createLinks(room), edge: [] },
    suspect: new Uint8Array(room),
    contiguous: new Int8Array(room),
    find: () => undefined,
    order: new Int32Array(room),
    mark: new Int32Array(room),
    reach: new Int32Array(room),
    forms: Array.from({ length: FORM_BITS + 1 }, () => undefined),
    formStart: new Int32Array(room),
    informs: false,
    round: 1,
    nextRound: 1,
  };
}

/** Makes room for so many nodes. */
export function growTables(tables: LinkedView, room: number): void {
  if (room <= tables.mark.length) return;
  const size = Math.max(room, tables.mark.length * 2);
  for (const links of [tables.requires, tables.visible, tables.gated]) {
    links.start = grown(links.start, size);
    links.end = grown(links.end, size);
  }
  for (const key of ['loose', 'order', 'mark', 'reach', 'formStart'] as const) {
    tables[key] = grown(tables[key], size);
  }
  tables.suspect = copied(tables.suspect, new Uint8Array(size));
  tables.contiguous = copied(tables.contiguous, new Int8Array(size));
}

/** Puts a link behind the last one. */
export function pushLink(links: Links, target: number): void {
  if (links.size === links.target.length) links.target = grown(links.target, links.size * 2);
  links.target[links.size] = target;
  links.size += 1;
}

function createLinks(room: number): Links {
  const links = Math.max(room, 8);
  return { start: new Int32Array(room), end: new Int32Array(room), target: new Int32Array(links), size: 0 };
}

function grown(array: Int32Array, size: number): Int32Array {
  return copied(array, new Int32Array(size));
}

function copied<A extends Int32Array | Int8Array | Uint8Array>(from: A, to: A): A {
  to.set(from);
  return to;
}
