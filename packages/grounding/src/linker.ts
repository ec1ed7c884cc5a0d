import { foldName, type GraphView, type Primitive, type ViewSnapshot } from '@warrant/core';
import { compilePrimitive } from './compile.ts';
import { fillNode, judgeNode } from './fill.ts';
import { linkView, snapshotOf } from './link.ts';
import { createTables, growTables, type LinkedView } from './tables.ts';

/** Beyond this many nodes, also such as are only pointed at, the tables start anew. */
const MOST_NODES = 50_000;

/** Links the views of one store, one after another. What a link gave is good until the next. */
export type Linker = (view: GraphView) => LinkedView;

/** Everything linked so far. A name or an id that changes its primitive ends its life. */
type Known = {
  readonly tables: LinkedView;
  readonly numbers: Map<string, number>;
  readonly keys: Map<string, number>;
  /** Nodes with an edge to a node that has no content yet. */
  readonly waiting: Map<number, number[]>;
  /** `member[n] === turn`: the view at hand holds node n. */
  member: Int32Array;
  turn: number;
};

/**
 * A linker that keeps what it linked: views of one graph share most primitives, and a store gives the same frozen object
 * for as long as nothing changed in it. What is not so, or lacks a part of its closure, is linked by itself.
 */
export function createLinker(): Linker {
  let known = createKnown();
  const entering = (primitives: readonly Primitive[]): readonly number[] | undefined => {
    let entered: readonly number[] | undefined;
    try {
      entered = enter(known, primitives);
    } finally {
      // Nodes that were begun hold no levels and no edges, and would pass for concepts that lack nothing.
      if (entered === undefined) known = createKnown();
    }
    return entered;
  };
  return (view) => {
    const snapshot = snapshotOf(view);
    if (isRetraced(known, snapshot)) return known.tables;
    const { primitives } = snapshot;
    if (known.tables.nodes.length > MOST_NODES) known = createKnown();
    const entered = entering(primitives) ?? entering(primitives);
    return entered !== undefined && isClosed(known, entered) ? known.tables : linkView(view);
  };
}

function createKnown(): Known {
  const room = 256;
  const tables = createTables(room);
  const known: Known = {
    tables,
    numbers: new Map(),
    keys: new Map(),
    waiting: new Map(),
    member: new Int32Array(room),
    turn: 0,
  };
  // The place of what a view lacks: here it stays empty.
  tables.nodes.push(undefined);
  tables.find = (name) => {
    const node = known.keys.get(foldName(name));
    return node !== undefined && known.member[node] === known.turn ? node : undefined;
  };
  return known;
}

/**
 * True when the view is just what a walk over the tables meets, in the order in which stores give it: looking every
 * primitive up by its id costs several times more, and most views hold nothing new.
 */
function isRetraced(known: Known, { names, primitives }: ViewSnapshot): boolean {
  const { tables, keys, member } = known;
  const { order } = tables;
  const { start, end, target } = tables.requires;
  known.turn += 1;
  let count = 0;
  for (const name of names) {
    const node = keys.get(foldName(name));
    if (node === undefined) return false;
    if (member[node] === known.turn) continue;
    if (!isAt(known, node, primitives[count])) return false;
    order[count++] = node;
  }
  for (let head = 0; head < count; head += 1) {
    const node = order[head] as number;
    const last = end[node] as number;
    for (let at = start[node] as number; at < last; at += 1) {
      const to = target[at] as number;
      if (member[to] === known.turn) continue;
      if (!isAt(known, to, primitives[count])) return false;
      order[count++] = to;
    }
  }
  return count === primitives.length;
}

/** Takes the node into the view at hand when it is this primitive. */
function isAt({ tables, member, turn }: Known, node: number, primitive: Primitive | undefined): boolean {
  if (primitive === undefined || tables.nodes[node]?.primitive !== primitive) return false;
  member[node] = turn;
  return true;
}

/** @returns the primitives' nodes, or undefined when they do not fit to what is known, or change */
function enter(known: Known, primitives: readonly Primitive[]): readonly number[] | undefined {
  const { tables, numbers } = known;
  known.turn += 1;
  const entered: number[] = [];
  const fresh: number[] = [];
  for (const primitive of primitives) {
    // What is none at all is told by who links it by itself.
    if (typeof primitive !== 'object' || primitive === null) return undefined;
    let node = numbers.get(primitive.id);
    const compiled = node === undefined ? undefined : tables.nodes[node];
    if (node === undefined || compiled === undefined) {
      node = addNode(known, primitive);
      if (node === undefined) return undefined;
      fresh.push(node);
    } else if (compiled.primitive !== primitive || known.member[node] === known.turn) return undefined;
    known.member[node] = known.turn;
    entered.push(node);
  }
  // Only now, so that they find each other.
  for (const node of fresh) fillNode(tables, node, (id) => targetOf(known, node, id));
  for (const node of fresh) settleWaiting(known, node);
  return entered;
}

function addNode(known: Known, primitive: Primitive): number | undefined {
  const compiled = compilePrimitive(primitive);
  const key = foldName(primitive.name);
  if (compiled.primitive !== primitive || known.keys.has(key)) return undefined;
  const node = numberOf(known, primitive.id);
  known.tables.nodes[node] = compiled;
  known.keys.set(key, node);
  return node;
}

function numberOf(known: Known, id: string): number {
  const { tables, numbers } = known;
  const number = numbers.get(id);
  if (number !== undefined) return number;
  const next = tables.nodes.length;
  tables.nodes.push(undefined);
  numbers.set(id, next);
  growTables(tables, next + 1);
  if (known.member.length < tables.mark.length) {
    const member = new Int32Array(tables.mark.length);
    member.set(known.member);
    known.member = member;
  }
  return next;
}

function targetOf(known: Known, source: number, id: string): number {
  const target = numberOf(known, id);
  if (known.tables.nodes[target] !== undefined) return target;
  const sources = known.waiting.get(target);
  if (sources === undefined) known.waiting.set(target, [source]);
  else sources.push(source);
  return target;
}

function settleWaiting(known: Known, node: number): void {
  const sources = known.waiting.get(node);
  if (sources === undefined) return;
  known.waiting.delete(node);
  for (const source of sources) judgeNode(known.tables, source);
}

/** Walks rely on it that the closure of what a view holds is in the view. */
function isClosed({ tables, member, turn }: Known, entered: readonly number[]): boolean {
  const { start, end, target } = tables.requires;
  for (const node of entered) {
    const last = end[node] as number;
    for (let at = start[node] as number; at < last; at += 1) if (member[target[at] as number] !== turn) return false;
  }
  return true;
}
