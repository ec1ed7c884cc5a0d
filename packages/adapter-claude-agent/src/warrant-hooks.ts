import type { Journal } from '@warrant/core';
import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { drainOutbox } from '@warrant/journal';
import type { SharedGuardOptions } from '@warrant/policy';
import { blockCapOf } from './block-cap.ts';
import { type ClaudeEngine, createClaudeEngine, type SessionStatus } from './engine.ts';
import { GUARDING_EVENTS, HOOK_NAMES, type HookName, readHookInput } from './hook-input.ts';
import { toHookOutput } from './hook-output.ts';
import { journalHistory } from './journal-history.ts';
import type { Mode } from './mode.ts';
import { createMemorySessionStore, type SessionStore } from './session-store.ts';
import type { ClaudeOptions } from './settings.ts';
import { createSqliteSessionStore } from './sqlite/session-store.ts';

/** What is used of a workspace; `openWorkspace` of `@warrant/workspace` gives one. */
export type ClaudeWorkspace = {
  readonly guarding: SharedGuardOptions;
  readonly journal: Pick<Journal, 'append' | 'read'>;
  readonly file: SqliteFile<SqliteDb>;
};

/** A question that the hooks had, for whoever can answer it. */
export type ClaudeQuestion = {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: unknown };
  readonly reason: string;
  readonly signal: AbortSignal | undefined;
};

export type WarrantHooksOptions = Omit<ClaudeOptions, 'store' | 'blockCap'> & {
  /** The client's own limit of refused ends, from 1. @default CLAUDE_CODE_STOP_HOOK_BLOCK_CAP of this process, which the SDK hands on */
  readonly blockCap?: number | undefined;
  /** All layers of a folder. Single layers given beside it go before its own. */
  readonly workspace?: ClaudeWorkspace;
  /** Where sessions are kept between events. @default the workspace's file, else memory */
  readonly store?: SessionStore;
  /** Where records go when there is no workspace. */
  readonly journal?: Pick<Journal, 'append'>;
  /** Longest time for one answer, in seconds. @default 60 */
  readonly timeout?: number;
  /** Asked where the hooks ask: true lets the call run. Without it there is no `canUseTool`, and a question is a refusal. */
  readonly onQuestion?: (question: ClaudeQuestion) => boolean | PromiseLike<boolean>;
};

/** A hook as the SDK calls it. */
export type WarrantHook = (
  input: object,
  toolUseId?: string,
  options?: { readonly signal?: AbortSignal },
) => Promise<{ readonly [name: string]: unknown }>;
export type WarrantHookMatcher = {
  readonly hooks: WarrantHook[];
  readonly timeout: number;
  readonly onFailure?: 'block';
};
/** What the SDK asks before a call that a hook, or its own rules, made a question of. */
export type WarrantCanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  options?: { readonly signal?: AbortSignal; readonly decisionReason?: string },
) => Promise<
  | { readonly behavior: 'allow'; readonly updatedInput: Record<string, unknown> }
  | { readonly behavior: 'deny'; readonly message: string }
>;

export type WarrantHooks = {
  /** For the SDK's option `hooks`. */
  readonly hooks: { readonly [name in HookName]: WarrantHookMatcher[] };
  /** For the SDK's option `canUseTool`; only carries answers, every refusal comes from the hooks. */
  readonly canUseTool?: WarrantCanUseTool;
  readonly engine: ClaudeEngine;
  /** True when the last turn of any session was let go unverified. */
  readonly exitedUnverified: () => Promise<boolean>;
  readonly status: () => Promise<readonly SessionStatus[]>;
};

/**
 * Hooks for the Claude Agent SDK, from a workspace or from single layers. They are plain functions over the SDK's inputs;
 * nothing of the SDK is loaded here.
 * @throws CLAUDE_OPTIONS_INVALID, SUBMIT_GATE_CONFIG_INVALID
 */
export function warrantHooks(options: WarrantHooksOptions): WarrantHooks {
  const { workspace, journal, timeout = 60, onQuestion, store = storeOf(workspace, journal), ...rest } = options;
  const history = rest.history ?? historyOf(workspace);
  const guard = rest.guard ?? guardOf(workspace);
  const mode = rest.mode ?? defaultMode(workspace);
  const blockCap = rest.blockCap ?? blockCapOf(process.env);
  const engine = createClaudeEngine({
    ...rest,
    mode,
    blockCap,
    store,
    ...(guard === undefined ? {} : { guard }),
    ...(history === undefined ? {} : { history }),
  });
  const hook: WarrantHook = async (input, toolUseId) => {
    let what = 'input';
    try {
      // Older versions of the SDK name the call beside its input.
      const named = toolUseId === undefined || 'tool_use_id' in input ? input : { ...input, tool_use_id: toolUseId };
      const event = readHookInput(named);
      what = event.type;
      return toHookOutput(event, await engine.handle(event));
    } catch (error) {
      if (mode !== 'observe') throw error;
      // Who only watches does not stand in the way.
      rest.onReport?.({ what, error });
      return {};
    }
  };
  const matcher = (name: HookName): WarrantHookMatcher[] => [
    { hooks: [hook], timeout, ...(mode === 'enforce' && GUARDING_EVENTS.has(name) ? { onFailure: 'block' } : {}) },
  ];
  const status = (): Promise<readonly SessionStatus[]> => engine.status();
  return {
    hooks: Object.fromEntries(HOOK_NAMES.map((name) => [name, matcher(name)])) as WarrantHooks['hooks'],
    ...(onQuestion === undefined ? {} : { canUseTool: carrier(onQuestion) }),
    engine,
    status,
    exitedUnverified: async () => (await status()).some((session) => session.exitedUnverified),
  };
}

function storeOf(workspace: ClaudeWorkspace | undefined, journal: Pick<Journal, 'append'> | undefined): SessionStore {
  if (workspace === undefined) return createMemorySessionStore(journal === undefined ? {} : { journal });
  const { file } = workspace;
  return createSqliteSessionStore(file, { drain: () => drainOutbox(file.outbox, workspace.journal) });
}

function historyOf(workspace: ClaudeWorkspace | undefined): ClaudeOptions['history'] {
  if (workspace === undefined) return undefined;
  const { file, journal } = workspace;
  return journalHistory(journal, () => drainOutbox(file.outbox, journal));
}

function guardOf(workspace: ClaudeWorkspace | undefined): ClaudeOptions['guard'] {
  if (workspace === undefined) return undefined;
  const { enforce: _enforce, onPolicy: _onPolicy, ...guarding } = workspace.guarding;
  return guarding;
}

function defaultMode(workspace: ClaudeWorkspace | undefined): Mode {
  return workspace?.guarding.enforce === false ? 'observe' : 'enforce';
}

function carrier(onQuestion: NonNullable<WarrantHooksOptions['onQuestion']>): WarrantCanUseTool {
  return async (tool, input, options = {}) => {
    const allowed = await onQuestion({
      tool,
      arguments: input,
      reason: options.decisionReason ?? '',
      signal: options.signal,
    });
    // Anything but a plain yes is a no.
    return allowed === true
      ? { behavior: 'allow', updatedInput: input }
      : { behavior: 'deny', message: 'a person refused this call' };
  };
}
