import { digest, foldName, type Primitive } from '@warrant/core';
import neo4j, { type Driver } from 'neo4j-driver';

const PER_STATEMENT = 5000;
const NODES = `UNWIND $rows AS row MERGE (n:BenchConcept {graph: 'raw', id: row[0]})
  SET n.key = row[1], n.name = row[2], n.body = row[3], n.digest = row[4], n.sources = ['authored']`;
const TYPES = {
  requires: 'BENCH_REQUIRES',
  'depends-on': 'BENCH_DEPENDS_ON',
  'constrained-by': 'BENCH_CONSTRAINED_BY',
  'applies-to': 'BENCH_APPLIES_TO',
  includes: 'BENCH_INCLUDES',
} as const;

/**
 * The same nodes and relationships, with the same indexes, by nothing but UNWIND and MERGE in one transaction.
 * @returns milliseconds, the making of the rows not counted
 */
export async function rawImport(driver: Driver, primitives: readonly Primitive[]): Promise<number> {
  await driver.executeQuery(
    'CREATE CONSTRAINT bench_id IF NOT EXISTS FOR (n:BenchConcept) REQUIRE (n.graph, n.id) IS UNIQUE',
  );
  await driver.executeQuery(
    'CREATE CONSTRAINT bench_key IF NOT EXISTS FOR (n:BenchConcept) REQUIRE (n.graph, n.key) IS UNIQUE',
  );
  const nodes = primitives.map((one) => [one.id, foldName(one.name), one.name, bodyOf(one), digest(one)]);
  const edges = Object.entries(TYPES).map(([relation, type]) => [type, edgesOf(primitives, relation)] as const);
  const session = driver.session();
  const start = process.hrtime.bigint();
  const transaction = await session.beginTransaction();
  for (const rows of parts(nodes)) await transaction.run(NODES, { rows });
  for (const [type, all] of edges) {
    const statement = `UNWIND $rows AS row MATCH (s:BenchConcept {graph: 'raw', id: row[0]})
      MATCH (t:BenchConcept {graph: 'raw', id: row[1]}) MERGE (s)-[:${type} {from: row[2], depth: row[3]}]->(t)`;
    for (const rows of parts(all)) await transaction.run(statement, { rows });
  }
  await transaction.commit();
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  await session.run('MATCH (n:BenchConcept) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
  await session.close();
  return time;
}

/** As long as the text that the store keeps. */
function bodyOf(primitive: Primitive): string {
  const depths = primitive.depths.map(({ level, properties, relata }) => [
    level,
    0,
    properties,
    relata.map(({ target, targetDepth }) => [0, target, targetDepth, 0]),
  ]);
  return JSON.stringify([1, [primitive.provenance], [0, depths]]);
}

function edgesOf(primitives: readonly Primitive[], relation: string): readonly unknown[][] {
  const rows: unknown[][] = [];
  for (const { id, depths } of primitives) {
    for (const { level, relata } of depths) {
      for (const one of relata) {
        if (one.relation === relation) rows.push([id, one.target, neo4j.int(level), neo4j.int(one.targetDepth)]);
      }
    }
  }
  return rows;
}

function* parts<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let start = 0; start < rows.length; start += PER_STATEMENT) yield rows.slice(start, start + PER_STATEMENT);
}
