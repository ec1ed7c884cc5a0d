import type { GraphView, Primitive } from '@warrant/core';
import { ground, viewOf } from '@warrant/grounding';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { cpuMs } from './processor.ts';
import { generateGraph, queries, type VreGraphKind } from './vre-graph.ts';

const PRIMITIVES = 10_000;
const STREAM = 2_000;
/** Short, so that both meet the same machine; yet long enough for what the collector has to do to be in each. */
const ROUNDS = 60;
const TRANSITIVE = ['requires', 'depends-on', 'constrained-by'];

/** The pure decision against a bare breadth-first walk over the same closures, the result built and nothing cached. */
export const benchmark: Benchmark = {
  name: 'ground',
  run: async () => [
    compare('5 concepts, uniform 10,000 (closures of 246)', 'uniform', 5, 6),
    compare('1 concept, clustered 10,000 (closures of 7)', 'clustered', 1, 25),
  ],
};

function compare(name: string, kind: VreGraphKind, concepts: 1 | 5, limit: number): Result {
  const primitives = generateGraph(kind, PRIMITIVES);
  const view = viewOf({ names: [], primitives });
  // A store knows its view's digest already; here it is computed before the clock starts.
  if (!view.digest.startsWith('sha256:')) throw new Error('a view has a digest');
  const next = queries(kind, PRIMITIVES, concepts);
  const roots = Array.from({ length: STREAM }, next);
  const names = roots.map((query) => query.map((root) => `c${root}`));
  const walk = bareWalk(primitives);
  const ours: number[] = [];
  const theirs: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const bare = nanoseconds(() => roots.reduce((nodes, query) => nodes + walk(query), 0));
    const full = nanoseconds(() => names.reduce((nodes, query) => nodes + reached(view, query), 0));
    if (bare.nodes !== full.nodes) throw new Error(`the walk met ${bare.nodes} nodes, ground ${full.nodes}`);
    theirs.push(bare.each);
    ours.push(full.each);
    ratios.push(bare.each / full.each);
  }
  const ratio = median(ratios);
  return {
    name,
    unit: 'ns',
    ours: median(ours),
    against: 'bare walk',
    theirs: median(theirs),
    ratio,
    goal: `no slower than ${limit}x the walk`,
    reached: ratio >= 1 / limit,
  };
}

function reached(view: GraphView, concepts: readonly string[]): number {
  const result = ground(view, { concepts });
  if (!result.grounded && result.gaps.length === 0) throw new Error('a refusal names its gaps');
  return result.primitives.length;
}

/** Time on the processor: what others run meanwhile is not in it. */
function nanoseconds(work: () => number): { readonly each: number; readonly nodes: number } {
  const start = cpuMs();
  const nodes = work();
  return { each: ((cpuMs() - start) * 1e6) / STREAM, nodes };
}

/** The physical limit: marks and a queue over compressed adjacency arrays. */
function bareWalk(primitives: readonly Primitive[]): (roots: readonly number[]) => number {
  const numbers = new Map(primitives.map((primitive, index) => [primitive.id, index]));
  const start = new Int32Array(primitives.length + 1);
  const targets: number[] = [];
  for (const [index, primitive] of primitives.entries()) {
    for (const { relata } of primitive.depths) {
      for (const relatum of relata) {
        if (TRANSITIVE.includes(relatum.relation)) targets.push(numbers.get(relatum.target) as number);
      }
    }
    start[index + 1] = targets.length;
  }
  const target = Int32Array.from(targets);
  const mark = new Int32Array(primitives.length);
  const queue = new Int32Array(primitives.length);
  let round = 0;
  return (roots) => {
    round += 1;
    let count = 0;
    for (let index = 0; index < roots.length; index += 1) {
      const root = roots[index] as number;
      if (mark[root] === round) continue;
      mark[root] = round;
      queue[count++] = root;
    }
    for (let head = 0; head < count; head += 1) {
      const node = queue[head] as number;
      const end = start[node + 1] as number;
      for (let at = start[node] as number; at < end; at += 1) {
        const to = target[at] as number;
        if (mark[to] === round) continue;
        mark[to] = round;
        queue[count++] = to;
      }
    }
    return count;
  };
}
