import {
  type ArtifactChange,
  createIdSource,
  type IdSource,
  type JsonObject,
  type RecordedReviewEvent,
  type ReviewChain,
  type ReviewCommit,
  type ReviewCommitted,
  type ReviewStore,
  type StoredReview,
} from '@warrant/core';
import { eventHash, GENESIS } from './chain.ts';
import { eventMembers } from './event-line.ts';
import { compareCodePoints } from './text.ts';

/** A review store that lives as long as the process. */
export function createMemoryReviewStore(
  options: {
    /** Ids that evidence may name beside the store's own artifacts; `null`: the store cannot tell. @default null */
    readonly knownIds?: ReadonlySet<string> | null;
    readonly ids?: IdSource;
  } = {},
): ReviewStore {
  const knownIds = options.knownIds ?? null;
  const ids = options.ids ?? createIdSource();
  const records = new Map<string, StoredReview>();
  const artifacts = new Map<string, JsonObject>();
  const log: RecordedReviewEvent[] = [];
  let changes = 0;
  const key = (kind: string, id: string): string => `${kind}/${id}`;
  const conflictOf = (change: ArtifactChange): boolean => {
    const isThere = artifacts.has(key(change.kind, change.id));
    return change.type === 'create' ? isThere : change.type === 'replace' && !isThere;
  };
  const apply = (change: ArtifactChange): void => {
    if (change.type === 'delete') artifacts.delete(key(change.kind, change.id));
    else artifacts.set(key(change.kind, change.id), structuredClone(change.body));
  };
  const commit = (change: ReviewCommit): ReviewCommitted => {
    const current = records.get(change.id)?.version ?? null;
    if (change.record !== null && current !== change.expected) return { type: 'conflict', actual: current };
    const conflict = change.artifacts.find(conflictOf);
    if (conflict !== undefined) return { type: 'artifact-conflict', kind: conflict.kind, id: conflict.id };
    change.artifacts.forEach(apply);
    changes += 1;
    const version = String(changes);
    if (change.record !== null) records.set(change.id, { record: structuredClone(change.record), version });
    for (const item of change.events) {
      const previous = log.at(-1)?.hash ?? GENESIS;
      const id = ids.next().replaceAll('-', '');
      const hash = eventHash(previous, eventMembers(item, { id, kbId: null, previous }));
      log.push({ ...item, id, hash, previous });
    }
    return { type: 'committed', version: change.record === null ? current : version };
  };
  const sorted = (status: string | undefined): readonly StoredReview[] =>
    [...records.values()]
      .filter(({ record }) => status === undefined || record.status === status)
      .sort((a, b) => groupOf(a) - groupOf(b) || compareCodePoints(a.record.proposal.id, b.record.proposal.id));
  return {
    read: async (id) => structuredClone(records.get(id)),
    list: async function* (query = {}) {
      for (const item of sorted(query.status)) {
        query.signal?.throwIfAborted();
        yield structuredClone(item);
      }
    },
    artifact: async (kind, id) => structuredClone(artifacts.get(key(kind, id))),
    known: async (ids, kind) => {
      if (knownIds === null) return null;
      return ids.filter((id) => knownIds.has(id) || (kind === 'page' && artifacts.has(key('claim', id))));
    },
    commit: async (change) => commit(change),
    events: async function* () {
      yield* structuredClone(log);
    },
    verify: async () => verifyLog(log),
    close: async () => undefined,
  };
}

function verifyLog(log: readonly RecordedReviewEvent[]): ReviewChain {
  let previous = GENESIS;
  for (const [index, item] of log.entries()) {
    const hash = eventHash(previous, eventMembers(item, { id: item.id, kbId: null, previous }));
    if (item.previous !== previous || item.hash !== hash) {
      return { ok: false, line: index + 1, reason: 'event hash mismatch' };
    }
    previous = hash;
  }
  return { ok: true, line: null, reason: null };
}

function groupOf(item: StoredReview): number {
  return item.record.status === 'pending' ? 0 : 1;
}
