import type { Clock, IdSource, Timer } from '@warrant/core';
import { graphError } from '../errors.ts';

/** Where settings and secrets come from; `process.env` has this shape. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of {@link createNeo4jGraphStore}. The user and the password are never among them: see `environment`. */
export type Neo4jGraphStoreOptions = {
  /** `bolt://host:port`, `neo4j://...`, or with TLS `bolt+s://...`; without user and password. @default WARRANT_NEO4J_URL */
  readonly url?: string;
  /** A database of the server by name. @default the user's home database */
  readonly database?: string;
  /** Which of the graphs in the database: 1 to 64 letters, digits, `.`, `_` or `-`. @default 'default' */
  readonly graph?: string;
  /** Reads with READ access mode: no migration, no counts, and `apply` throws GRAPH_READ_ONLY. @default false */
  readonly readOnly?: boolean;
  /** Holds WARRANT_NEO4J_USER (@default 'neo4j') and WARRANT_NEO4J_PASSWORD (without it: no authentication). @default process.env */
  readonly environment?: Environment;
  /** How long to wait for a connection, and for the answer to a version probe, in milliseconds. @default 4000 */
  readonly connectMs?: number;
  /** How long to wait for the answer to any other statement, in milliseconds. @default 120,000 */
  readonly statementMs?: number;
  /** How long to go on trying after a transient error, in milliseconds. @default 3000 */
  readonly retryMs?: number;
  /** How many connections are held at most. @default 20 */
  readonly maxConnections?: number;
  /** How much of the graph is kept in memory, in characters of stored text plus 600 a primitive. @default 50,000,000 */
  readonly cacheLimit?: number;
  /** Where a new graph's epoch comes from. @default time-ordered random ids */
  readonly ids?: IdSource;
  /** Dates the metrics. @default the machine's clock */
  readonly clock?: Clock;
  /** Waits. @default the machine's timers */
  readonly timer?: Timer;
};

/** How to reach one graph. */
export type Neo4jTarget = {
  readonly url: string;
  readonly database: string | undefined;
  readonly graph: string;
  readonly user: string;
  readonly password: string | undefined;
};

const SCHEMES = ['bolt:', 'bolt+s:', 'bolt+ssc:', 'neo4j:', 'neo4j+s:', 'neo4j+ssc:'];
const GRAPH_NAME = /^[A-Za-z0-9._-]{1,64}$/u;

/** Checks where the graph is. @throws GRAPH_INVALID without naming the password */
export function targetOf(options: Neo4jGraphStoreOptions): Neo4jTarget {
  const environment = options.environment ?? process.env;
  const graph = options.graph ?? 'default';
  if (!GRAPH_NAME.test(graph)) {
    throw graphError('GRAPH_INVALID', "the name of a graph is 1 to 64 letters, digits, '.', '_' or '-'");
  }
  return {
    url: checkUrl(options.url ?? environment['WARRANT_NEO4J_URL'] ?? ''),
    database: options.database,
    graph,
    user: environment['WARRANT_NEO4J_USER'] ?? 'neo4j',
    password: environment['WARRANT_NEO4J_PASSWORD'],
  };
}

function checkUrl(given: string): string {
  if (given === '') {
    throw graphError('GRAPH_INVALID', 'no address of a Neo4j server: give a url, or set WARRANT_NEO4J_URL');
  }
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined || !SCHEMES.includes(url.protocol) || url.hostname === '') {
    throw graphError(
      'GRAPH_INVALID',
      'the address of a Neo4j server starts with bolt://, bolt+s://, neo4j:// or neo4j+s://',
    );
  }
  if (url.username !== '' || url.password !== '') {
    const message = 'no user or password in the address: they come from WARRANT_NEO4J_USER and WARRANT_NEO4J_PASSWORD';
    throw graphError('GRAPH_INVALID', message);
  }
  return `${url.protocol}//${url.host}`;
}
