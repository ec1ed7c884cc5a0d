import assert from 'node:assert/strict';
import { type Depth, foldName, type GraphChange, type GraphStore, type Primitive, type Relatum } from '@warrant/core';
import fc from 'fast-check';
import { collect, depth, type GraphStoreHarness, plain, primitive } from './graph-store-harness.ts';
import { viewDigestOf } from './graph-store-view-cases.ts';

/** What a store should hold, as simply as it can be said: whole primitives by id, written anew for every batch. */
type Graph = ReadonlyMap<string, Primitive>;
type Step =
  | { readonly type: 'apply'; readonly changes: readonly GraphChange[] }
  | { readonly type: 'view'; readonly names: readonly string[] }
  | { readonly type: 'reopen' };

const ids = ['a', 'b', 'c', 'd'] as const;
const id = fc.constantFrom(...ids);
const name = fc.constantFrom('a', 'A', 'b', 'ß', 'SS', 'd', 'ς', 'Σ');
const level = fc.nat(2);
const item = fc
  .tuple(
    fc.constantFrom('requires', 'depends-on', 'constrained-by', 'applies-to', 'includes'),
    fc.constantFrom(...ids, ...ids, ...ids, 'ghost'),
    level,
  )
  .map((parts) => parts.join(' '));
const levels = fc.uniqueArray(fc.tuple(level, fc.array(item, { maxLength: 2 })), {
  maxLength: 3,
  selector: ([one]) => one,
});
const edge = fc.tuple(id, level, item).map(([source, sourceDepth, text]) => {
  const { provenance, ...rest } = depth(0, [text]).relata[0] as Relatum;
  return { edge: { source, sourceDepth: sourceDepth as 0, ...rest }, provenance };
});
const change: fc.Arbitrary<GraphChange> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(id, name, levels).map(([one, called, all]) => putOf(one, called, all)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, level, fc.array(item, { maxLength: 2 }))
      .map(([one, at, relata]) => ({ type: 'put-depth' as const, primitive: one, depth: depth(at, relata) })),
  },
  { weight: 3, arbitrary: edge.map((one) => ({ type: 'put-relatum' as const, ...one })) },
  { weight: 1, arbitrary: edge.map((one) => ({ type: 'remove-relatum' as const, ...one })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(id, fc.constantFrom('refuse' as const, 'remove' as const))
      .map(([one, dangling]) => ({ type: 'remove-primitive' as const, primitive: one, dangling })),
  },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => ({ type: 'apply' as const, changes })),
  },
  { weight: 3, arbitrary: fc.array(name, { maxLength: 3 }).map((names) => ({ type: 'view' as const, names })) },
  { weight: 1, arbitrary: fc.constant({ type: 'reopen' as const }) },
);

function putOf(one: string, called: string, all: readonly (readonly [number, readonly string[]])[]): GraphChange {
  const depths = [...all].sort((left, right) => left[0] - right[0]).map(([at, relata]) => depth(at, relata));
  return { type: 'put-primitive', primitive: { ...primitive(one), name: called, depths } };
}

const sameRelatum = (left: Relatum, right: Omit<Relatum, 'provenance'>): boolean =>
  left.relation === right.relation && left.target === right.target && left.targetDepth === right.targetDepth;

function distinct(depthOf: Depth): Depth {
  const relata = depthOf.relata.filter(
    (one, index) => depthOf.relata.findIndex((other) => sameRelatum(other, one)) === index,
  );
  return { ...depthOf, relata };
}

/** The graph after one change, or null when the change is impossible in itself. */
function play(graph: Graph, one: GraphChange, stripped: Set<string>): Graph | null {
  const next = new Map(graph);
  if (one.type === 'put-primitive') {
    next.set(one.primitive.id, { ...one.primitive, depths: one.primitive.depths.map(distinct) });
    stripped.delete(one.primitive.id);
    return next;
  }
  const source = 'edge' in one ? one.edge.source : one.primitive;
  const stored = graph.get(source);
  if (stored === undefined) return null;
  if (one.type === 'remove-primitive') {
    next.delete(source);
    if (one.dangling === 'remove') stripped.add(source);
    else stripped.delete(source);
    return next;
  }
  const depths = one.type === 'put-depth' ? withDepth(stored, one.depth) : withRelatum(stored, one);
  if (depths === null) return null;
  next.set(source, { ...stored, depths });
  return next;
}

function withDepth(stored: Primitive, put: Depth): readonly Depth[] {
  const others = stored.depths.filter((one) => one.level !== put.level);
  return [...others, distinct(put)].sort((left, right) => left.level - right.level);
}

function withRelatum(
  stored: Primitive,
  { type, edge: { sourceDepth, source: _source, ...rest }, provenance }: Extract<GraphChange, { edge: unknown }>,
): readonly Depth[] | null {
  const at = stored.depths.find((one) => one.level === sourceDepth);
  if (at === undefined) return null;
  const others = at.relata.filter((one) => !sameRelatum(one, rest));
  const isThere = others.length < at.relata.length;
  if (type === 'remove-relatum' && !isThere) return null;
  const relata = type === 'remove-relatum' ? others : isThere ? at.relata : [...at.relata, { ...rest, provenance }];
  return stored.depths.map((one) => (one === at ? { ...at, relata } : one));
}

/** The graph after the batch, or null when it has to be refused. */
function playAll(graph: Graph, changes: readonly GraphChange[]): Graph | null {
  const stripped = new Set<string>();
  let next: Graph = graph;
  for (const one of changes) {
    const after = play(next, one, stripped);
    if (after === null) return null;
    next = after;
  }
  const kept = new Map([...next].map(([key, one]) => [key, strip(one, stripped)] as const));
  return isSound(kept) ? kept : null;
}

function strip(one: Primitive, ids: ReadonlySet<string>): Primitive {
  return {
    ...one,
    depths: one.depths.map((at) => ({ ...at, relata: at.relata.filter((relatum) => !ids.has(relatum.target)) })),
  };
}

function isSound(graph: Graph): boolean {
  const all = [...graph.values()];
  const targets = all.flatMap((one) => one.depths.flatMap((at) => at.relata.map((relatum) => relatum.target)));
  if (!targets.every((target) => graph.has(target))) return false;
  if (new Set(all.map((one) => foldName(one.name))).size < all.length) return false;
  return all.every((one) => !reachable(graph, prerequisitesOf(one)).has(one.id));
}

function prerequisitesOf(one: Primitive | undefined): readonly string[] {
  const relata = one?.depths.flatMap((at) => at.relata) ?? [];
  return relata.filter((item) => !['applies-to', 'includes'].includes(item.relation)).map((item) => item.target);
}

function reachable(graph: Graph, from: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [...from];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...prerequisitesOf(graph.get(next)));
  }
  return found;
}

async function check(store: GraphStore, graph: Graph, names: readonly string[]): Promise<void> {
  const all = [...graph.values()];
  const view = await store.view(names);
  const roots = names
    .map((one) => all.find((other) => foldName(other.name) === foldName(one))?.id)
    .filter((one) => one !== undefined);
  const expected = reachable(graph, roots);
  const given = view.snapshot().primitives;
  assert.deepEqual(given.map((one) => one.id).sort(), [...expected].sort());
  for (const one of given) assert.deepEqual(plain(one), plain(graph.get(one.id)));
  assert.equal(view.digest, viewDigestOf(view));
}

/** The content of a graph, whatever the order in which it came about. */
function textOf(graph: Graph): string {
  return JSON.stringify([...graph.values()].map((one) => JSON.stringify(one)).sort());
}

/** Plays random batches on stores and on a model of them, restarts included. */
export async function runModel(
  open: () => Promise<GraphStoreHarness>,
  options: { readonly runs: number; readonly seed: number },
): Promise<void> {
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
    const harness = await open();
    try {
      await playSteps(harness, steps);
    } finally {
      await harness.dispose();
    }
  });
  await fc.assert(property, { numRuns: options.runs, seed: options.seed });
}

async function playSteps(harness: GraphStoreHarness, steps: readonly Step[]): Promise<void> {
  let { store } = harness;
  let graph: Graph = new Map();
  for (const [index, one] of steps.entries()) {
    if (one.type === 'reopen') {
      if (harness.reopen !== undefined) store = await harness.reopen();
    } else if (one.type === 'view') {
      await check(store, graph, one.names);
    } else {
      const before = await store.version();
      const result = await store.apply(one.changes, { id: `model-${index}`, expected: before });
      const next = playAll(graph, one.changes);
      assert.equal(result.type, next === null ? 'refused' : 'applied', JSON.stringify(result));
      const isChanged = next !== null && textOf(next) !== textOf(graph);
      assert.equal(
        (await store.version()).revision > before.revision,
        isChanged,
        'the version moves with a change alone',
      );
      graph = next ?? graph;
    }
  }
  const held = await collect(store.primitives());
  assert.deepEqual(plain(held), plain([...graph.values()].sort((left, right) => (left.id < right.id ? -1 : 1))));
}
