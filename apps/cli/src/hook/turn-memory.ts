import { join } from 'node:path';
import { type CaptureOf, createTurnMemory, type TurnMemory } from '@warrant/adapter-claude-agent';
import { readSecretKey, type Workspace } from '@warrant/workspace';

/**
 * The memory of a workspace for turns. It is opened with the first event that needs it: one that cannot be opened fails
 * that event's recall, and no call.
 */
export function turnMemory(workspace: Workspace): TurnMemory {
  let made: Promise<TurnMemory> | undefined;
  const memory = (): Promise<TurnMemory> => {
    made ??= openTurnMemory(workspace).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
  return {
    conversationStarted: async (scene) => (await memory()).conversationStarted?.(scene),
    prepareTurn: async (scene) => (await memory()).prepareTurn(scene),
    entityContext: async (scene) => (await memory()).entityContext(scene),
    finalizeTurn: async (scene) => (await memory()).finalizeTurn(scene),
    pinned: async (scene) => (await memory()).pinned(scene),
    ...(captures(workspace)
      ? {
          captureLine: async (scene) => (await memory()).captureLine?.(scene),
          captureFiles: async (scene) => (await memory()).captureFiles?.(scene),
        }
      : {}),
  };
}

async function openTurnMemory(workspace: Workspace): Promise<TurnMemory> {
  const { claude } = workspace.config;
  const memory = await workspace.memory();
  const capture = captures(workspace) ? await captureOf(workspace, memory) : undefined;
  return createTurnMemory((agent) => memory.agent(agent), {
    recallTokens: claude.recallTokens,
    clock: workspace.clock,
    recordOutcome: ({ agent, session }, value) => memory.agent(agent).recordOutcome({ session, value }),
    ...(capture === undefined ? {} : { captureOf: capture }),
  });
}

/** Nothing is loaded where the settings ask for nothing to be kept. */
function captures({ config }: Workspace): boolean {
  const { conversation, directories } = config.claude.capture;
  return conversation || directories.length > 0;
}

type Memory = Awaited<ReturnType<Workspace['memory']>>;

/** What the settings ask to keep of sessions. */
async function captureOf({ config, paths }: Workspace, memory: Memory): Promise<CaptureOf> {
  const { conversation, directories, mostFiles } = config.claude.capture;
  const { createCapture } = await import('@warrant/memory/files');
  return (agent) =>
    createCapture({
      capture: {
        conversationJsonl: conversation,
        trackedDirectories: directories,
        trackingMaxFilesPerDirectory: mostFiles,
        autoPersistResponse: false,
      },
      memory: memory.agent(agent),
      folder: join(paths.memory, 'conversations'),
      secrets: { key: readSecretKey(paths) },
      root: paths.directory,
    });
}
