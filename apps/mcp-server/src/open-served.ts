import { resolve } from 'node:path';
import { isoTime, isWarrantError, systemClock } from '@warrant/core';
import { memoryTools } from './memory-tools.ts';
import { type OpenedReview, type OpenReviewOptions, openReview } from './open.ts';
import { reviewTools } from './server.ts';
import type { ToolSet } from './tools.ts';

export type OpenServedOptions = OpenReviewOptions & {
  /** Folder of a memory, made when it is not there; with `permissions.yaml` and `memory.yaml` beside it where there are such. */
  readonly memory?: string;
};
export type Served = { readonly sets: readonly ToolSet[]; readonly close: () => Promise<void> };

/**
 * Opens everything that a server offers. A memory is enough. What it asks people for goes to a knowledge base's queue,
 * or to the queue of the workspace that it is the memory of; another workspace's queue could not carry it out.
 * @throws MCP_NOTHING_TO_SERVE and what the parts throw when they are opened
 */
export async function openServed(options: OpenServedOptions): Promise<Served> {
  const review = await reviewOf(options);
  const reviewSet =
    review === undefined ? [] : [reviewTools(review.gate, { actor: review.actor, now: () => isoTime(systemClock) })];
  if (options.memory === undefined) return { sets: reviewSet, close: async () => review?.close() };
  try {
    const memory = await openMemoryAt(options.memory, review);
    const actor = options.actor ?? review?.actor ?? 'unknown-agent';
    return {
      sets: [...reviewSet, memoryTools(memory, actor)],
      close: async () => {
        await memory.close();
        await review?.close();
      },
    };
  } catch (error) {
    await review?.close();
    throw error;
  }
}

/** Without a queue, a memory serves alone. */
async function reviewOf(options: OpenServedOptions): Promise<OpenedReview | undefined> {
  try {
    return await openReview(options);
  } catch (error) {
    if (options.memory !== undefined && isWarrantError(error, 'MCP_NOTHING_TO_SERVE')) return undefined;
    throw error;
  }
}

async function openMemoryAt(folder: string, review: OpenedReview | undefined) {
  if (review?.own !== undefined && resolve(folder) === resolve(review.own.folder))
    return { ...(await review.own.open()), close: async () => undefined };
  // Whoever serves a review queue alone needs neither a database driver nor a YAML parser for it.
  const { openMemory } = await import('@warrant/memory/sqlite');
  const { loadSettings } = await import('@warrant/memory/files');
  const takesProposals = review !== undefined && review.own === undefined;
  return openMemory({ folder, ...loadSettings(folder), ...(takesProposals && { reviewer: review.gate }) });
}
