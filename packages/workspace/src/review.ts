import { resolve } from 'node:path';
import type { Clock, IdSource, Inbox } from '@warrant/core';
import type { OpenedSqlite } from '@warrant/core/sqlite';
import type { LocalGraphStore } from '@warrant/graph';
import { learningProposalKind } from '@warrant/grounding';
import { failureProposalKind } from '@warrant/grounding/failures';
import { type PeerImportParts, peerImportKind } from '@warrant/peers';
import { createReviewGate, type KindTable, type ReviewGate, type ReviewSettings } from '@warrant/review-policy';
import { createSqliteReviewStore } from '@warrant/review-policy/sqlite';

export type WorkspaceReviewParts = {
  readonly file: OpenedSqlite;
  readonly graph: LocalGraphStore;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly folder: string;
  readonly peers: PeerImportParts;
  /** The file that holds `review.policy`, relative to the folder. */
  readonly policyFile: string | undefined;
};

/** The workspace's one review queue. What it approves is applied: learned concepts go into the graph. */
export function workspaceReview({
  file,
  graph,
  inbox,
  clock,
  ids,
  folder,
  peers,
  policyFile,
}: WorkspaceReviewParts): ReviewGate {
  const gate: ReviewGate = createReviewGate({
    store: createSqliteReviewStore(file, { ids }),
    inbox,
    clock,
    ids,
    settings: readSettings(folder, policyFile, () => gate.kinds()),
  });
  gate.register(learningProposalKind({ graph, clock, ids }));
  gate.register(failureProposalKind({ graph, clock }));
  gate.register(peerImportKind(peers));
  return gate;
}

/** Read anew when the file changed; what reads it is loaded when the first proposal comes. */
function readSettings(
  folder: string,
  policyFile: string | undefined,
  kinds: () => KindTable,
): () => Promise<ReviewSettings> {
  if (policyFile === undefined) return () => Promise.resolve({ policy: { type: 'none' } });
  let settings: Promise<() => ReviewSettings> | undefined;
  return async () => {
    settings ??= loadSettings(resolve(folder, policyFile), kinds());
    return (await settings)();
  };
}

async function loadSettings(file: string, kinds: KindTable): Promise<() => ReviewSettings> {
  const { createFileSettings } = await import('@warrant/review-policy/files');
  const { createExpressionCompiler } = await import('@warrant/review-policy/cel');
  return createFileSettings(file, { kinds, compileExpression: createExpressionCompiler() });
}
