// The graph's place in a database. Every node has the name of its graph, so that several share one database:
//   (:WarrantGraph {name, epoch, revision, settled, schema, folding})  one a graph; `revision` is written last in a transaction
//   (:WarrantLock {graph})                   writers of a graph take it first and so come one after another
//   (:WarrantConcept {graph, id, key, name, body, digest, sources})    `body` holds the levels; relationships repeat its relata
//   (:WarrantConcept)-[:WARRANT_REQUIRES {from, depth}]->(:WarrantConcept)   and four more types, one a relation
//   (:WarrantBatch {graph, id, digest, revision, changed})             once a batch; `changed` lists ids, absent: too many
//   (:WarrantMetric {graph, key, ...})

/** Names of relationships by the place of their relation in RELATION_TYPES. */
const RELATIONSHIPS = [
  'WARRANT_REQUIRES',
  'WARRANT_DEPENDS_ON',
  'WARRANT_CONSTRAINED_BY',
  'WARRANT_APPLIES_TO',
  'WARRANT_INCLUDES',
] as const;
const ALL = RELATIONSHIPS.join('|');
const TRANSITIVE = RELATIONSHIPS.slice(0, 3).join('|');

export const SCHEMA: readonly string[] = [
  'CREATE CONSTRAINT warrant_graph_name IF NOT EXISTS FOR (n:WarrantGraph) REQUIRE n.name IS UNIQUE',
  'CREATE CONSTRAINT warrant_lock_graph IF NOT EXISTS FOR (n:WarrantLock) REQUIRE n.graph IS UNIQUE',
  'CREATE CONSTRAINT warrant_concept_id IF NOT EXISTS FOR (n:WarrantConcept) REQUIRE (n.graph, n.id) IS UNIQUE',
  'CREATE CONSTRAINT warrant_concept_key IF NOT EXISTS FOR (n:WarrantConcept) REQUIRE (n.graph, n.key) IS UNIQUE',
  'CREATE CONSTRAINT warrant_batch_id IF NOT EXISTS FOR (n:WarrantBatch) REQUIRE (n.graph, n.id) IS UNIQUE',
  'CREATE CONSTRAINT warrant_metric_key IF NOT EXISTS FOR (n:WarrantMetric) REQUIRE (n.graph, n.key) IS UNIQUE',
  'CREATE INDEX warrant_batch_revision IF NOT EXISTS FOR (n:WarrantBatch) ON (n.graph, n.revision)',
];
export const AWAIT_INDEXES = 'CALL db.awaitIndexes(60)';
export const ENSURE_GRAPH = `MERGE (l:WarrantLock {graph: $graph})
  MERGE (g:WarrantGraph {name: $graph})
  ON CREATE SET g.epoch = $epoch, g.revision = 0, g.settled = 0, g.schema = toInteger($schema), g.folding = $folding`;

/** The version probe, and all that a check of an unchanged graph asks for. */
export const HEAD = 'MATCH (g:WarrantGraph {name: $graph}) RETURN g.epoch, g.revision, g.settled, g.schema';
/**
 * Commits become visible node by node, and a commit holds its locks until all of it is visible. Whoever gets the graph's
 * lock therefore knows that the revision it reads is complete.
 */
export const SETTLE = 'MATCH (g:WarrantGraph {name: $graph}) SET g.settled = g.revision';
export const CHANGED_SINCE = `MATCH (b:WarrantBatch) WHERE b.graph = $graph AND b.revision > $from AND b.revision <= $to
  RETURN b.revision, b.changed LIMIT toInteger($limit)`;

const CONCEPT = 'n.id, n.name, n.body, n.digest';
const REACHED = `MATCH (r)-[:${TRANSITIVE}*0..]->(n:WarrantConcept)`;
export const BY_IDS = `UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id}) RETURN ${CONCEPT}`;
export const BY_KEYS = `UNWIND $keys AS key MATCH (n:WarrantConcept {graph: $graph, key: key}) RETURN ${CONCEPT}`;
/** The server walks the closures of so few at once; of more they are read level by level, so that shared parts are walked once. */
export const MAX_WALKED = 8;
// "DISTINCT" of the far ends alone lets the server walk every relationship once instead of every path.
export const CLOSURE_OF_IDS = `UNWIND $ids AS id MATCH (r:WarrantConcept {graph: $graph, id: id})
  CALL (r) { ${REACHED} RETURN DISTINCT n } WITH DISTINCT n RETURN ${CONCEPT}`;
export const CLOSURE_OF_KEYS = `UNWIND $keys AS key MATCH (r:WarrantConcept {graph: $graph, key: key})
  CALL (r) { ${REACHED} RETURN DISTINCT n } WITH DISTINCT n RETURN ${CONCEPT}`;
// The graph's name leads the order, or the server sorts instead of following its index.
export const PAGE = `MATCH (n:WarrantConcept) WHERE n.graph = $graph AND n.id > $after
  RETURN ${CONCEPT} ORDER BY n.graph, n.id LIMIT toInteger($limit)`;
export const PAGE_OF_SOURCE = `MATCH (n:WarrantConcept) WHERE n.graph = $graph AND n.id > $after AND $source IN n.sources
  RETURN ${CONCEPT} ORDER BY n.graph, n.id LIMIT toInteger($limit)`;

export const LOCK = 'MATCH (l:WarrantLock {graph: $graph}) SET l.holder = $batch';
export const WRITE_HEAD = `MATCH (g:WarrantGraph {name: $graph}) OPTIONAL MATCH (b:WarrantBatch {graph: $graph, id: $batch})
  RETURN g.epoch, g.revision, b.digest, NOT EXISTS { MATCH (n:WarrantConcept) WHERE n.graph = $graph AND n.id > '' }`;
export const DIGESTS = 'UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id}) RETURN n.id, n.digest';
export const HOLDERS = 'UNWIND $keys AS key MATCH (n:WarrantConcept {graph: $graph, key: key}) RETURN n.key, n.id';
export const DEPENDANTS = `UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id})
  RETURN n.id, COLLECT { MATCH (n)<-[:${ALL}]-(s:WarrantConcept) RETURN DISTINCT s.id }`;
export const PREREQUISITES = `UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id})
  RETURN n.id, COLLECT { MATCH (n)-[:${TRANSITIVE}]->(t:WarrantConcept) RETURN DISTINCT t.id }`;
export const PREREQUISITES_BELOW = `UNWIND $ids AS id MATCH (r:WarrantConcept {graph: $graph, id: id})
  CALL (r) { ${REACHED} RETURN DISTINCT n } WITH DISTINCT n
  RETURN n.id, COLLECT { MATCH (n)-[:${TRANSITIVE}]->(t:WarrantConcept) RETURN DISTINCT t.id }`;

export const REMOVE = 'UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id}) DETACH DELETE n';
export const RELEASE = 'UNWIND $ids AS id MATCH (n:WarrantConcept {graph: $graph, id: id}) SET n.key = null';
export const CREATE = `UNWIND $rows AS row CREATE (:WarrantConcept
  {graph: $graph, id: row[0], key: row[1], name: row[2], body: row[3], digest: row[4], sources: row[5]})`;
export const UPDATE = `UNWIND $rows AS row MATCH (n:WarrantConcept {graph: $graph, id: row[0]})
  SET n.key = row[1], n.name = row[2], n.body = row[3], n.digest = row[4], n.sources = row[5]`;
/** One a relation, in the order of RELATION_TYPES. */
export const RELATE: readonly string[] = RELATIONSHIPS.map(
  (type) => `UNWIND $rows AS row MATCH (s:WarrantConcept {graph: $graph, id: row[0]})
  MATCH (t:WarrantConcept {graph: $graph, id: row[1]}) CREATE (s)-[:${type} {from: row[2], depth: row[3]}]->(t)`,
);
export const UNRELATE: readonly string[] = RELATIONSHIPS.map(
  (type) => `UNWIND $rows AS row MATCH (s:WarrantConcept {graph: $graph, id: row[0]})
  MATCH (t:WarrantConcept {graph: $graph, id: row[1]}) MATCH (s)-[r:${type} {from: row[2], depth: row[3]}]->(t) DELETE r`,
);
export const RECORD_BATCH =
  'CREATE (:WarrantBatch {graph: $graph, id: $batch, digest: $digest, revision: toInteger($revision), changed: $changed})';
export const MOVE = 'MATCH (g:WarrantGraph {name: $graph}) SET g.revision = toInteger($revision)';
