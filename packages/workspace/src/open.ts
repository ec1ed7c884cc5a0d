import { existsSync } from 'node:fs';
import {
  type AgentRegistry,
  type Clock,
  createIdSource,
  createSecretReplacer,
  type DepthLevel,
  type IdSource,
  type Inbox,
  type Json,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { createFileAgentRegistry } from '@warrant/core/files';
import { createSqliteInbox, type OpenedSqlite, openSqlite, type SqliteDriver } from '@warrant/core/sqlite';
import type { LocalGraphStore } from '@warrant/graph';
import { createGrounder, type GraphGrounder } from '@warrant/grounding';
import { type FailureProposer, failureProposer } from '@warrant/grounding/failures';
import { createTraceFiles, type TraceFiles } from '@warrant/grounding/files';
import { createSqliteFailureCounts, type SqliteFailureCounts } from '@warrant/grounding/sqlite';
import { drainOutbox, type ProvenJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import type { OpenedMemory } from '@warrant/memory/sqlite';
import type { SharedGuardOptions } from '@warrant/policy';
import type { ReviewGate } from '@warrant/review-policy';
import { hasPendingReviews } from '@warrant/review-policy/sqlite';
import { readConfig } from './config/read-config.ts';
import type { WorkspaceConfig } from './config/schema.ts';
import { createWorkspace, hasDatabase, readSecretKey } from './create.ts';
import { onFirstUse } from './first-use.ts';
import { workspaceGraph } from './graph.ts';
import { lazyMemory } from './memory.ts';
import { type WorkspacePaths, workspacePaths } from './paths.ts';
import { type WorkspacePeers, workspacePeers } from './peers.ts';
import { type WorkspacePolicies, workspacePolicies } from './policies.ts';
import { workspaceReview } from './review.ts';
import { withCopyBeforeUpgrade } from './upgrade.ts';

export type OpenWorkspaceOptions = {
  /** The directory whose `.warrant` folder is opened. */
  readonly directory: string;
  /** false: a workspace must be there. @default true, made where there is none */
  readonly create?: boolean;
  /** Nothing is written: no metrics, traces or records. @default false */
  readonly readOnly?: boolean;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Where the user and the password of a graph in Neo4j come from. @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** better-sqlite3, where it cannot be found from here. */
  readonly driver?: SqliteDriver | undefined;
};

/** All layers of one folder, wired. Whoever opened it closes it. */
export interface Workspace {
  readonly paths: WorkspacePaths;
  readonly config: WorkspaceConfig;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly file: OpenedSqlite;
  readonly graph: LocalGraphStore;
  readonly grounder: GraphGrounder;
  readonly policies: WorkspacePolicies;
  readonly inbox: Inbox;
  /** The one review queue; learning candidates are a kind of proposal in it. */
  readonly reviewer: ReviewGate;
  /** Imports of knowledge from peers; a kind of proposal in the review queue. */
  readonly peers: WorkspacePeers;
  /** Proposes what failures reveal, for review; give it to a guard as `onFailure`. Its counts are kept beside the graph. */
  readonly onFailure: FailureProposer;
  readonly failureCounts: Pick<SqliteFailureCounts, 'count' | 'list'>;
  readonly journal: ProvenJournal;
  readonly agents: AgentRegistry;
  /**
   * The memory in `.warrant/memory`, opened at the first call and closed with the workspace; its proposals go to `reviewer`.
   * @throws MEMORY_INVALID_PERMISSIONS, MEMORY_INVALID_CONFIG for faulty files beside it, SQLITE_* of its file
   */
  readonly memory: () => Promise<OpenedMemory>;
  /** What `guard` and `guardAll` need, from this workspace; spread it and add what belongs to the tool. */
  readonly guarding: SharedGuardOptions;
  /** Writes what waits, such as traces and counts, and closes all but the one file: enough where the process ends at once. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the workspace of a directory, or makes it.
 * @throws WORKSPACE_MISSING with `create: false`, WORKSPACE_DATABASE_MISSING where it was made before and its database is gone, WORKSPACE_CONFIG_INVALID with every fault and its line, SQLITE_* of the database file, GRAPH_* of a Neo4j server.
 */
export async function openWorkspace(options: OpenWorkspaceOptions): Promise<Workspace> {
  const paths = workspacePaths(options.directory);
  if (options.create === false || options.readOnly === true) requireWorkspace(paths);
  else if (!existsSync(paths.config) || !existsSync(paths.secretKey)) await createWorkspace(options);
  requireDatabase(paths);
  const config = await readConfig(paths);
  const clock = options.clock ?? systemClock;
  const opened = openSqlite(paths.database, {
    synchronous: config.journal.synchronous,
    clock,
    readOnly: options.readOnly ?? false,
    ...(options.driver === undefined ? {} : { driver: options.driver }),
  });
  try {
    const environment = options.environment ?? process.env;
    return await wire({ paths, config, clock, ids: options.ids ?? createIdSource({ clock }), opened, environment });
  } catch (error) {
    opened.close();
    throw error;
  }
}

const DAY_MS = 86_400_000;

type Parts = {
  readonly paths: WorkspacePaths;
  readonly config: WorkspaceConfig;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly opened: OpenedSqlite;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

async function wire({ paths, config, clock, ids, opened, environment }: Parts): Promise<Workspace> {
  const file = withCopyBeforeUpgrade(opened, paths.backups, clock);
  const graph = await workspaceGraph({ config, file, clock, ids, environment });
  try {
    return await wireLayers({ paths, config, clock, ids, opened }, file, graph);
  } catch (error) {
    await graph.close();
    throw error;
  }
}

async function wireLayers(
  { paths, config, clock, ids, opened }: Omit<Parts, 'environment'>,
  file: OpenedSqlite,
  graph: LocalGraphStore,
): Promise<Workspace> {
  const inbox = createSqliteInbox(file, { clock });
  const journal = createSqliteJournal(file, { clock });
  if (!file.readOnly) await drainOutbox(file.outbox, journal);
  const replace = createSecretReplacer({ key: readSecretKey(paths) });
  const traces = tracesOf({ config, paths, clock, replace, readOnly: file.readOnly });
  const grounder = createGrounder({
    graph,
    clock,
    ids,
    actor: config.agent,
    metrics: !file.readOnly,
    ...(traces === undefined ? {} : { trace: traces }),
  });
  const policies = workspacePolicies(paths.folder, config.policy.files, graph);
  const peers = workspacePeers({ folder: paths.folder, graph, clock, ids });
  const agents = createFileAgentRegistry(paths.agents, { clock, ids });
  const memory = lazyMemory({
    paths,
    clock,
    ids,
    journal,
    agents,
    readOnly: file.readOnly,
    reviewer: () => reviewer,
  });
  const parts = { file, peers, graph, inbox, clock, ids, folder: paths.folder, policyFile: config.review.file };
  const reviewer = onFirstUse(() => memory.reviewed(workspaceReview(parts)));
  const counts = createSqliteFailureCounts(file, { clock });
  // What was approved and not applied when a process died is applied now.
  if (!file.readOnly && hasPendingReviews(file)) await reviewer.recover();
  const settle = async (): Promise<void> => {
    await memory.close();
    await grounder.flush();
    await traces?.close();
    counts.close();
    await graph.close();
    await journal.close();
    if (!file.readOnly) file.shortenLog();
  };
  return {
    paths,
    config,
    clock,
    ids,
    file,
    graph,
    grounder,
    policies,
    inbox,
    reviewer,
    peers,
    onFailure: failureProposer({ reviewer, graph, clock, counts, proposedBy: config.agent }),
    failureCounts: counts,
    journal,
    agents,
    memory: memory.open,
    guarding: {
      grounder,
      policies: policies.enforced,
      inbox,
      journal,
      graph,
      enforce: config.enforce,
      ...(config.grounding.minDepth === undefined ? {} : { minDepth: config.grounding.minDepth as DepthLevel }),
      actor: config.agent,
      directory: paths.directory,
      clock,
      ids,
      secrets: { replace },
      timeoutMs: config.policy.timeoutMs,
      questionTtlMs: config.policy.approvalMinutes * 60_000,
    },
    settle,
    close: async () => {
      await settle();
      opened.close();
    },
  };
}

function tracesOf(
  parts: Pick<Parts, 'config' | 'paths' | 'clock'> & {
    readonly replace: (value: Json) => Json;
    readonly readOnly: boolean;
  },
): TraceFiles | undefined {
  const { traces } = parts.config;
  if (!traces.enabled || parts.readOnly) return undefined;
  return createTraceFiles({
    directory: parts.paths.traces,
    maxBytes: traces.maxBytes,
    maxAgeMs: traces.maxAgeDays * DAY_MS,
    clock: parts.clock,
    redact: parts.replace,
  });
}

function requireWorkspace(paths: WorkspacePaths): void {
  if (existsSync(paths.config)) return;
  throw new WarrantError('WORKSPACE_MISSING', `there is no workspace at ${paths.directory}: 'warrant init' makes one`, {
    data: { directory: paths.directory },
  });
}

/** Made anew without a word, an empty graph would stand where knowledge, records and open questions were. */
function requireDatabase(paths: WorkspacePaths): void {
  const { database, backups } = paths;
  if (hasDatabase(paths)) return;
  throw new WarrantError(
    'WORKSPACE_DATABASE_MISSING',
    `${database} is missing or empty: 'warrant restore FILE' puts a copy in its place (${backups} holds those of 'warrant backup'); 'warrant init' makes an empty one`,
    { data: { file: database, backups } },
  );
}
