import type { MemoryScene, TurnMemory } from './turn-memory.ts';

/** What is used of a handle of `@warrant/memory`; `memory.agent(key)` is one. */
export type TurnHandle = {
  readonly startSession: (start: {
    readonly session: string;
    readonly directories?: readonly string[];
  }) => Promise<unknown>;
  readonly prepareTurn: (request: {
    readonly session: string;
    readonly query: string;
    readonly budgetTokens?: number;
    readonly directories?: readonly string[];
  }) => Promise<{ readonly text: string }>;
  readonly beforeTool: (request: {
    readonly tool: string;
    readonly arguments: { readonly paths: readonly string[] };
    readonly session: string;
    readonly budgetTokens?: number;
    readonly directories?: readonly string[];
  }) => Promise<{ readonly text: string | null }>;
  readonly finalizeTurn: (turn: {
    readonly session: string;
    readonly query: string;
    readonly response: string;
    readonly entities?: readonly string[];
    readonly directories?: readonly string[];
  }) => Promise<unknown>;
  readonly checkpoint: (session: string) => Promise<unknown>;
  readonly pins: () => Promise<readonly { readonly text: string }[]>;
};

export type TurnMemoryOptions = {
  /** Most tokens of what is recalled for a prompt; half of it before a call. @default 1000 */
  readonly recallTokens?: number;
  /** How well a turn went, once it is known. */
  readonly recordOutcome?: (scene: MemoryScene, value: number) => Promise<unknown>;
};

const VALUES = { verified: 1, unverified: 0 } as const;

/** Turns of a client over the memory of an agent. Subagents act under keys of their own. */
export function createTurnMemory(handleOf: (agent: string) => TurnHandle, options: TurnMemoryOptions = {}): TurnMemory {
  const { recallTokens = 1000, recordOutcome } = options;
  return {
    conversationStarted: async (scene) => {
      await handleOf(scene.agent).startSession({ session: scene.session, ...foldersOf(scene) });
    },
    prepareTurn: async ({ query, ...scene }) => {
      const { session, agent } = scene;
      const { text } = await handleOf(agent).prepareTurn({
        session,
        query,
        budgetTokens: recallTokens,
        ...foldersOf(scene),
      });
      return text === '' ? null : text;
    },
    entityContext: async ({ entities, ...scene }) => {
      const { text } = await handleOf(scene.agent).beforeTool({
        tool: 'claude',
        arguments: { paths: entities },
        session: scene.session,
        budgetTokens: Math.max(1, Math.floor(recallTokens / 2)),
        ...foldersOf(scene),
      });
      return text;
    },
    finalizeTurn: async ({ query, response, entities, outcome, ...scene }) => {
      const handle = handleOf(scene.agent);
      await handle.finalizeTurn({ session: scene.session, query, response, entities, ...foldersOf(scene) });
      if (outcome !== 'none') await recordOutcome?.(scene, VALUES[outcome]);
    },
    pinned: async (scene) => {
      const handle = handleOf(scene.agent);
      await handle.checkpoint(scene.session);
      return (await handle.pins()).map(({ text }) => text);
    },
  };
}

function foldersOf({ directory }: Pick<MemoryScene, 'directory'>): { readonly directories?: readonly string[] } {
  return directory.startsWith('/') ? { directories: [directory] } : {};
}
