import type { Entry, MemoryChange, MemoryConflict, MemoryRecord, MemoryStore, Outbox } from '@warrant/core';

/** One store on fresh, isolated data. */
export type MemoryStoreHarness = {
  readonly store: MemoryStore;
  /** Where the audit entries of commits wait. */
  readonly outbox: Outbox;
  /** Closes the store and opens one on the same data. Absent where data ends with the process. */
  readonly reopen?: () => Promise<MemoryStore>;
  /** One more handle on the same data, as another process would have. */
  readonly another?: () => Promise<MemoryStore>;
  readonly dispose: () => Promise<void>;
};
export type MemoryStoreCase = { readonly name: string; readonly run: (harness: MemoryStoreHarness) => Promise<void> };

const T0 = '2026-01-01T00:00:00.000Z';
/** The time so many seconds after the start. */
export function after(seconds: number): string {
  return new Date(Date.parse(T0) + seconds * 1000).toISOString();
}

let count = 0;

/** A record with an id of its own, known and valid from the start. */
export function record(more: Partial<MemoryRecord> = {}): MemoryRecord {
  count += 1;
  const id = more.id ?? `record-${String(count).padStart(6, '0')}`;
  return {
    id,
    key: `memory/working/k${count}`,
    value: `value ${count}`,
    origin: 'agent-inferred',
    label: { trust: 'agent', sources: ['agent:a'] },
    confidence: 1,
    tier: 'working',
    entities: [],
    subject: null,
    validFrom: T0,
    validTo: null,
    recordedAt: T0,
    closedAt: null,
    expiresAt: null,
    inferred: false,
    sources: [],
    agent: 'a',
    user: null,
    session: null,
    speaker: null,
    sequence: null,
    version: 1,
    conflicts: [],
    auditEntry: `entry-of-${id}`,
    archived: false,
    consolidated: false,
    directories: [],
    retrievals: 0,
    lastRetrievedAt: null,
    ...more,
  };
}

export function audit(data: string): Entry {
  count += 1;
  return { id: `audit-${String(count).padStart(6, '0')}`, type: 'memory.tested', data, schemaVersion: 1 };
}

/** Commits without expectations and without audit. */
export async function put(store: MemoryStore, ...changes: readonly (MemoryChange | MemoryRecord)[]): Promise<void> {
  const all = changes.map((one): MemoryChange => ('key' in one ? { type: 'put', record: one } : one));
  await store.commit(all, { expected: {}, audit: [] });
}

export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

export async function rowsOf(store: MemoryStore, key: string): Promise<readonly MemoryRecord[]> {
  return (await store.heads([key]))[0]?.records ?? [];
}

export async function revisionOf(store: MemoryStore, key: string): Promise<number> {
  return (await store.heads([key]))[0]?.revision ?? 0;
}

/** Ids that a query finds, best first. */
export async function found(
  store: MemoryStore,
  words: readonly string[],
  more: Partial<Parameters<MemoryStore['search']>[0]> = {},
): Promise<readonly string[]> {
  const query = { words, readable: [''], validAt: after(100), knownAt: after(100), limit: 100, ...more };
  return (await all(store.search(query))).map((hit) => hit.record.id);
}

export function conflict(id: string, a: MemoryRecord, b: MemoryRecord): MemoryConflict {
  return { id, type: 'temporal', records: [a.id, b.id], state: 'open', kept: null };
}
