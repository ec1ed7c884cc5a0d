import {
  type ClaudeEngine,
  type ClaudeOptions,
  createClaudeEngine,
  createTurnMemory,
  type Mode,
  type ToolRule,
} from '@warrant/adapter-claude-agent';
import { createSqliteSessionStore } from '@warrant/adapter-claude-agent/sqlite';
import { drainOutbox } from '@warrant/journal';
import { shellOptions, type Workspace } from '@warrant/workspace';
import { workspaceToolRules } from '../graph/tool-rules.ts';
import { domainWords } from './domain-words.ts';
import { stagedPaths } from './staged.ts';

export type WireOptions = {
  readonly mode: Mode;
  /** The client's own limit of refused ends, where the environment sets one. */
  readonly blockCap?: number | undefined;
  readonly onReport?: ClaudeOptions['onReport'];
};

/** The engine of a workspace: its graph, policies, inbox, journal, gate and memory. It lasts until the workspace is closed. */
export async function wireEngine(workspace: Workspace, options: WireOptions): Promise<ClaudeEngine> {
  const { claude } = workspace.config;
  const memory = claude.memory ? await turnMemory(workspace, claude.recallTokens) : undefined;
  const { enforce: _enforce, ...guarding } = workspace.guarding;
  const words = await domainWords(workspace);
  const engine = createClaudeEngine({
    mode: options.mode,
    guard: guarding,
    store: createSqliteSessionStore(workspace.file, {
      drain: () => drainOutbox(workspace.file.outbox, workspace.journal),
      clock: workspace.clock,
    }),
    shell: await shellOptions(workspace.paths, workspace.config),
    get mapping() {
      return words.mapping();
    },
    tools: (await workspaceToolRules(workspace)) as readonly ToolRule[],
    readOnlyTools: claude.readOnlyTools,
    mutatingTools: claude.mutatingTools,
    ask: claude.ask,
    askTimeoutMs: claude.askSeconds * 1000,
    maxBlocks: blocksUnder(claude.maxBlocks, options.blockCap),
    gateSubagents: claude.gateSubagents,
    emitProgress: claude.emitProgress,
    staged: stagedPaths,
    ...(memory === undefined ? {} : { memory }),
    ...(options.onReport === undefined ? {} : { onReport: options.onReport }),
  });
  return words.around(engine);
}

/** The client overrides a hook after so many refusals in a row: ours end before that. */
function blocksUnder(maxBlocks: number, cap: number | undefined): number {
  return cap === undefined ? maxBlocks : Math.max(0, Math.min(maxBlocks, cap - 1));
}

async function turnMemory(workspace: Workspace, recallTokens: number) {
  const memory = await workspace.memory();
  return createTurnMemory((agent) => memory.agent(agent), {
    recallTokens,
    recordOutcome: ({ agent, session }, value) => memory.agent(agent).recordOutcome({ session, value }),
  });
}
