import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Clock, IdSource, Inbox } from '@warrant/core';
import type { OpenedSqlite } from '@warrant/core/sqlite';
import type { LocalGraphStore } from '@warrant/graph';
import { learningProposalKind } from '@warrant/grounding';
import { createReviewGate, type ReviewGate, type ReviewSettings } from '@warrant/review-policy';
import { createSqliteReviewStore } from '@warrant/review-policy/sqlite';

export type WorkspaceReviewParts = {
  readonly file: OpenedSqlite;
  readonly graph: LocalGraphStore;
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly folder: string;
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
  policyFile,
}: WorkspaceReviewParts): ReviewGate {
  const gate = createReviewGate({
    store: createSqliteReviewStore(file, { ids }),
    inbox,
    clock,
    ids,
    settings: () => readSettings(folder, policyFile),
  });
  gate.register(learningProposalKind({ graph, clock, ids }));
  return gate;
}

/** Read at each call, so that a change of the file counts at once. A file that cannot be read approves nothing. */
async function readSettings(folder: string, policyFile: string | undefined): Promise<ReviewSettings> {
  if (policyFile === undefined) return { policy: { type: 'none' } };
  const { readConfig } = await import('@warrant/review-policy/yaml');
  const text = await readFile(resolve(folder, policyFile), 'utf8').catch(() => undefined);
  const read = text === undefined ? undefined : readConfig(text);
  if (read?.type !== 'config') return { policy: { type: 'invalid', faults: [{ code: 'policy_syntax', path: '' }] } };
  return { policy: read.policy };
}
