import { WarrantError } from '@warrant/core';
import type { OpenedMemory } from '@warrant/memory/sqlite';
import type { ReviewGate } from '@warrant/review-policy';
import { createExpressionCompiler } from '@warrant/review-policy/cel';
import { findKnowledgeBase, openKnowledgeBase } from '@warrant/review-policy/files';

export type OpenReviewOptions = {
  /** Where to look: here or above. */
  readonly directory: string;
  /** The knowledge base; without it a `.vouch` folder here or above, else the workspace. */
  readonly knowledgeBase?: string;
  /** Who proposes. @default `agent` of the workspace, or `unknown-agent` in a knowledge base */
  readonly actor?: string;
};

/** A review queue and who proposes to it. Whoever opened it closes it. */
export type OpenedReview = {
  readonly gate: ReviewGate;
  readonly actor: string;
  /** The memory of the workspace whose queue this is. */
  readonly own?: { readonly folder: string; readonly open: () => Promise<OpenedMemory> };
  readonly close: () => Promise<void>;
};

/**
 * Opens the queue that a server offers.
 * @throws MCP_NOTHING_TO_SERVE when there is neither a knowledge base nor a workspace; REVIEW_FOLDER_INVALID, WORKSPACE_* and SQLITE_* of what is opened.
 */
export async function openReview({ directory, knowledgeBase, actor }: OpenReviewOptions): Promise<OpenedReview> {
  const root = knowledgeBase ?? findKnowledgeBase(directory);
  if (root !== undefined) {
    const { gate, store } = await openKnowledgeBase({ root, compileExpression: createExpressionCompiler() });
    return { gate, actor: actor ?? 'unknown-agent', close: () => store.close() };
  }
  // A knowledge base needs no database driver.
  const { findWorkspace, openWorkspace } = await import('@warrant/workspace');
  const found = findWorkspace(directory);
  if (found === undefined) {
    throw new WarrantError('MCP_NOTHING_TO_SERVE', 'there is no knowledge base and no workspace here or above', {
      data: { directory },
    });
  }
  const workspace = await openWorkspace({ directory: found, create: false });
  return {
    gate: workspace.reviewer,
    actor: actor ?? workspace.config.agent,
    own: { folder: workspace.paths.memory, open: workspace.memory },
    close: () => workspace.close(),
  };
}
