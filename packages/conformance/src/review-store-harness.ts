import type { Digest, ReviewCommit, ReviewEvent, ReviewRecord, ReviewStore } from '@warrant/core';

/** A store under test. */
export type ReviewStoreHarness = {
  readonly store: ReviewStore;
  /** A second store on the same data, as another process has it. */
  readonly another?: () => Promise<ReviewStore>;
  /** Closes the store and opens one on the same data. */
  readonly reopen?: () => Promise<ReviewStore>;
  readonly dispose: () => Promise<void>;
};

export type ReviewStoreCase = {
  readonly name: string;
  readonly needs?: 'another' | 'reopen';
  readonly run: (harness: ReviewStoreHarness) => Promise<void>;
};

export const AT = '2026-01-01T00:00:00.000Z';

/** A record of an entity proposal. */
export function recordOf(id: string, change: Partial<ReviewRecord> = {}): ReviewRecord {
  return {
    proposal: {
      id,
      kind: 'entity',
      proposedBy: 'scribe',
      proposedAt: AT,
      payload: { id: `e-${id}`, name: 'name', type: 'tool' },
    },
    status: 'pending',
    decidedAt: null,
    decidedBy: null,
    decisionReason: null,
    autoApproved: false,
    rule: null,
    policy: null,
    facts: [],
    context: { known_ids: null },
    votes: [],
    approvals: 1,
    asked: 0,
    approval: null,
    failure: [],
    ...change,
  };
}

export function approved(record: ReviewRecord): ReviewRecord {
  return { ...record, status: 'approved', decidedAt: AT, decidedBy: 'alice' };
}

export function eventOf(name: string, id: string): ReviewEvent {
  return { event: name, actor: 'scribe', at: AT, objectIds: [id], data: { ünï: 'ß€😀' }, dryRun: false };
}

export function commitOf(id: string, change: Partial<ReviewCommit> = {}): ReviewCommit {
  return {
    id,
    expected: null,
    record: recordOf(id),
    artifacts: [],
    events: [eventOf('proposal.entity.create', id)],
    ...change,
  };
}

export async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export const POLICY: Digest = `sha256:${'a'.repeat(64)}`;
