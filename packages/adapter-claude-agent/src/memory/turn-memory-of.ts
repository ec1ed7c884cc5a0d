import { type Clock, isoTime, systemClock } from '@warrant/core';
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

/** What keeps sessions for an agent; `createCapture` of `@warrant/memory/files` makes one. */
export type CaptureOf = (agent: string) => {
  readonly line: (line: {
    readonly session: string;
    readonly at: string;
    readonly role: 'user' | 'assistant' | 'tool';
    readonly text: string;
  }) => Promise<unknown>;
  readonly snapshot: () => Promise<unknown>;
};

export type TurnMemoryOptions = {
  /** Keeps conversations and tracked directories. @default none: nothing is kept */
  readonly captureOf?: CaptureOf;
  /** Dates captured lines. @default systemClock */
  readonly clock?: Clock;
  /** Most tokens of what is recalled for a prompt; half of it before a call. @default 1000 */
  readonly recallTokens?: number;
  /** How well a turn went, once it is known. */
  readonly recordOutcome?: (scene: MemoryScene, value: number) => Promise<unknown>;
};

const VALUES = { verified: 1, unverified: 0 } as const;

/** Turns of a client over the memory of an agent. Subagents act under keys of their own. */
export function createTurnMemory(handleOf: (agent: string) => TurnHandle, options: TurnMemoryOptions = {}): TurnMemory {
  const { recallTokens = 1000, recordOutcome, captureOf, clock = systemClock } = options;
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
    ...(captureOf === undefined
      ? {}
      : {
          captureLine: async ({ agent, session, role, text }) => {
            await captureOf(agent).line({ session, at: isoTime(clock), role, text });
          },
          captureFiles: async ({ agent }) => {
            await captureOf(agent).snapshot();
          },
        }),
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
