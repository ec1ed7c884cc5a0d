import {
  type ClaudeEngine,
  type ClaudeOptions,
  createClaudeEngine,
  journalHistory,
  type Mode,
  type NormalizerRule,
  type SessionStore,
  type ToolRule,
} from '@warrant/adapter-claude-agent';
import { createSqliteSessionStore } from '@warrant/adapter-claude-agent/sqlite';
import { drainOutbox } from '@warrant/journal';
import { shellOptions, type Workspace } from '@warrant/workspace';
import { workspaceToolRules } from '../graph/tool-rules.ts';
import { engineInWords } from './domain-words.ts';
import { patiently } from './patiently.ts';
import { stagedPaths } from './staged.ts';
import { turnMemory } from './turn-memory.ts';
import { programVerifier } from './verifier-program.ts';

export type WireOptions = {
  readonly mode: Mode;
  /** The client's own limit of refused ends, where the environment sets one. */
  readonly blockCap?: number | undefined;
  readonly onReport?: ClaudeOptions['onReport'];
  /** Moves the records that an event left into the journal. @default at once, before the answer */
  readonly drain?: () => Promise<unknown>;
};

/** The engine of a workspace: its graph, policies, inbox, journal, gate and memory. It lasts until the workspace is closed. */
export async function wireEngine(workspace: Workspace, options: WireOptions): Promise<ClaudeEngine> {
  const { claude } = workspace.config;
  const { enforce: _enforce, ...guarding } = workspace.guarding;
  const { mode } = options;
  const drainNow = () => drainOutbox(workspace.file.outbox, workspace.journal);
  const wired: Omit<ClaudeOptions, 'mapping'> = {
    mode,
    guard: guarding,
    store: patientStore(workspace, mode, () => patiently(mode, options.drain ?? drainNow)),
    history: journalHistory(workspace.journal, drainNow),
    shell: await shellOptions(workspace.paths, workspace.config),
    tools: (await workspaceToolRules(workspace)) as readonly ToolRule[],
    readOnlyTools: claude.readOnlyTools,
    mutatingTools: claude.mutatingTools,
    ask: claude.ask,
    askTimeoutMs: claude.askSeconds * 1000,
    maxBlocks: claude.maxBlocks,
    blockCap: options.blockCap,
    gateSubagents: claude.gateSubagents,
    emitProgress: claude.emitProgress,
    normalizers: claude.normalizers as readonly NormalizerRule[],
    extractors: claude.extractors,
    staged: stagedPaths,
    ...subagentsOf(workspace),
    ...verifierOf(workspace),
    ...(claude.memory ? { memory: turnMemory(workspace) } : {}),
    ...(options.onReport === undefined ? {} : { onReport: options.onReport }),
  };
  return engineInWords(workspace, mode, (mapping) =>
    createClaudeEngine(mapping === undefined ? wired : { ...wired, mapping }),
  );
}

/** An event is kept in one piece or not at all, so it may be tried again; its records are moved by themselves. */
function patientStore({ file, clock }: Workspace, mode: Mode, drain: () => Promise<unknown>): SessionStore {
  const store = createSqliteSessionStore(file, { clock });
  return {
    ...store,
    update: async (key, step) => {
      const done = await patiently(mode, () => store.update(key, step));
      if (done.type === 'done') await drain();
      return done;
    },
  };
}

/** Bounds cost a look at each call of a subagent: without any there is none. */
function subagentsOf({ config }: Workspace): Pick<ClaudeOptions, 'subagents'> {
  const { subagents } = config.claude;
  if (Object.keys(subagents).length === 0) return {};
  return { subagents: subagents as NonNullable<ClaudeOptions['subagents']> };
}

function verifierOf({ config, paths }: Workspace): Pick<ClaudeOptions, 'verifier' | 'verifierThreshold'> {
  const { verifier } = config.claude;
  if (verifier === undefined) return {};
  return { verifier: programVerifier(verifier, paths.directory), verifierThreshold: verifier.threshold };
}
