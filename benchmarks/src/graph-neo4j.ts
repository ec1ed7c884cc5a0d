import type { GraphChange, Primitive } from '@warrant/core';
import { createNeo4jGraphStore } from '@warrant/graph/neo4j';
import { createGrounder } from '@warrant/grounding';
import neo4j, { type Driver } from 'neo4j-driver';
import { type Benchmark, median, type Result } from './benchmark.ts';
import { rawImport } from './neo4j-raw-import.ts';
import { generateGraph, queries } from './vre-graph.ts';

const PRIMITIVES = 10_000;
const IMPORTED = 100_000;
const COLD = 40;
const WARM = 400;
const RETURN_1 = 'RETURN 1 through driver.executeQuery';

/** A graph in Neo4j against what the driver alone takes; where WARRANT_NEO4J_URL is set. */
export const benchmark: Benchmark = {
  name: 'graph-neo4j',
  run: async () => {
    const url = process.env['WARRANT_NEO4J_URL'];
    if (url === undefined) {
      console.log('  Neo4j is left out: WARRANT_NEO4J_URL is not set');
      return [];
    }
    const { WARRANT_NEO4J_USER: user = 'neo4j', WARRANT_NEO4J_PASSWORD: password = '' } = process.env;
    const driver = neo4j.driver(url, neo4j.auth.basic(user, password));
    try {
      return [...(await checks(driver)), await dense(driver), ...(await importAll(driver))];
    } finally {
      await driver.close();
    }
  },
};

const put = (primitives: readonly Primitive[]): readonly GraphChange[] =>
  primitives.map((primitive) => ({ type: 'put-primitive', primitive }));

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

/** A graph in the database for the length of the work. */
async function onGraph<T>(
  driver: Driver,
  primitives: readonly Primitive[],
  work: (graph: string) => Promise<T>,
): Promise<T> {
  const graph = `bench-${process.pid}`;
  try {
    const store = await createNeo4jGraphStore({ graph });
    await store.apply(put(primitives), { id: 'graph', expected: 'any' });
    await store.close();
    return await work(graph);
  } finally {
    await removeGraph(driver, graph);
  }
}

/** In parts: the server may have no memory for all of it. */
async function removeGraph(driver: Driver, graph: string): Promise<void> {
  const session = driver.session();
  await session.run(
    `MATCH (n) WHERE n.graph = $graph OR n.name = $graph
     CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS`,
    { graph },
  );
  await session.close();
}

async function checks(driver: Driver): Promise<readonly Result[]> {
  return onGraph(driver, generateGraph('uniform', PRIMITIVES), async (graph) => {
    const next = queries('uniform', PRIMITIVES, 5);
    const [cold, warm, raw]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < COLD + 10; round += 1) {
      const store = await createNeo4jGraphStore({ graph });
      await store.version();
      const grounder = createGrounder({ graph: store, metrics: false });
      const concepts = next().map((number) => `c${number}`);
      const first = await timed(() => grounder.check({ concepts }));
      // The first rounds warm the server and this process up.
      if (round >= 10) cold.push(first);
      for (let time = 0; round >= 10 && time < WARM / COLD; time += 1) {
        warm.push(await timed(() => grounder.check({ concepts })));
        raw.push(await timed(() => driver.executeQuery('RETURN 1')));
      }
      await store.close();
    }
    return [
      against('a check on an unchanged graph', { ours: median(warm), theirs: median(raw), most: 1.6 }),
      against('5 concepts, uniform 10,000, nothing cached', { ours: median(cold), theirs: median(raw), most: 40 }),
    ];
  });
}

function against(
  name: string,
  { ours, theirs, most }: { readonly ours: number; readonly theirs: number; readonly most: number },
): Result {
  return {
    name: `${name}, Neo4j, median`,
    unit: 'ms',
    ours,
    against: RETURN_1,
    theirs,
    ratio: theirs / ours,
    goal: `at most ${most}x its time`,
    reached: ours <= most * theirs,
  };
}

/** 200 concepts with 10,000 transitive relata among them, of which a check sees every one. */
function denseGraph(): readonly Primitive[] {
  const provenance = { source: 'authored', at: '2026-01-01T00:00:00.000Z' } as const;
  const targets = Array.from({ length: 200 }, (): number[] => []);
  let left = 10_000;
  for (let distance = 1; left > 0; distance += 1) {
    for (let index = distance; index < 200 && left > 0; index += 1, left -= 1) targets[index]?.push(index - distance);
  }
  return targets.map((own, index) => ({
    id: `d${index}`,
    name: `d${index}`,
    depths: [
      {
        level: 0,
        properties: {},
        relata: own.map((target) => ({ relation: 'requires', target: `d${target}`, targetDepth: 0, provenance })),
        provenance,
      },
    ],
    provenance,
  }));
}

async function dense(driver: Driver): Promise<Result> {
  return onGraph(driver, denseGraph(), async (graph) => {
    const times: number[] = [];
    for (let round = 0; round < 15; round += 1) {
      const store = await createNeo4jGraphStore({ graph });
      const grounder = createGrounder({ graph: store, metrics: false });
      const time = await timed(() => grounder.check({ concepts: ['d199'] }));
      if (round >= 5) times.push(time);
      await store.close();
    }
    const ours = median(times);
    return {
      name: '200 concepts with 10,000 relata, nothing cached, Neo4j, median',
      unit: 'ms',
      ours,
      against: 'no peer',
      theirs: null,
      ratio: null,
      goal: 'under 300 ms',
      reached: ours < 300,
    };
  });
}

/** Needs a server with -Xmx2g. */
async function importAll(driver: Driver): Promise<readonly Result[]> {
  if (process.env['WARRANT_SOAK'] === undefined) {
    console.log('  the import of 100,000 concepts is left out: WARRANT_SOAK is not set');
    return [];
  }
  const primitives = generateGraph('uniform', IMPORTED);
  const graph = `bench-import-${process.pid}`;
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let round = 0; round < 3; round += 1) {
    const store = await createNeo4jGraphStore({ graph });
    times.ours.push(await timed(() => store.apply(put(primitives), { id: 'import', expected: 'any' })));
    await store.close();
    await removeGraph(driver, graph);
    times.theirs.push(await rawImport(driver, primitives));
  }
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  return [
    {
      name: 'import of 100,000 concepts with 300,000 relata into Neo4j, one transaction',
      unit: 'ms',
      ours,
      against: 'UNWIND MERGE of the same rows, one transaction',
      theirs,
      ratio: theirs / ours,
      goal: 'at least 0.5x',
      reached: theirs / ours >= 0.5,
    },
  ];
}
