import type { Label } from './acts.ts';
import type { Cancel } from './cancel.ts';
import type { Entry } from './journal.ts';
import type { ActorKey, Json, Reason } from './json.ts';

// Memory: records, conflicts and the store's port, to start from.

export type MemoryOrigin = 'human-approved' | 'agent-inferred' | 'provider-ingested';
/** Bi-temporal: valid [validFrom, validTo), known [recordedAt, closedAt). Rows are never edited but for `closedAt`, `archived` and counters; a changed value or validity is a new row. */
export type MemoryRecord = {
  readonly id: string;
  readonly key: string;
  readonly value: Json;
  readonly origin: MemoryOrigin;
  readonly label: Label;
  readonly confidence: number;
  readonly tier: 'working' | 'episodic' | 'long-term' | 'org' | 'provider';
  readonly entities: readonly string[];
  readonly subject: string | null;
  readonly validFrom: string;
  readonly validTo: string | null;
  readonly recordedAt: string;
  readonly closedAt: string | null;
  readonly expiresAt: string | null;
  readonly inferred: boolean;
  readonly sources: readonly string[];
  readonly agent: ActorKey;
  readonly user: string | null;
  readonly session: string | null;
  readonly speaker: string | null;
  readonly sequence: number | null;
  readonly version: number;
  readonly conflicts: readonly string[];
  readonly auditEntry: string;
  readonly archived: boolean;
  readonly consolidated: boolean;
  readonly directories: readonly string[];
  readonly retrievals: number;
  readonly lastRetrievedAt: string | null;
};
export type MemoryConflict = {
  readonly id: string;
  readonly type: 'temporal' | 'authority' | 'semantic';
  readonly records: readonly [string, string];
  readonly state: 'open' | 'resolved';
  readonly kept: string | null;
};
export type MemoryChange =
  | { readonly type: 'put'; readonly record: MemoryRecord; readonly vector?: Float32Array }
  | { readonly type: 'close' | 'archive' | 'restore'; readonly id: string; readonly at: string }
  | { readonly type: 'put-conflict'; readonly conflict: MemoryConflict }
  | { readonly type: 'retrieved'; readonly ids: readonly string[]; readonly session: string; readonly at: string }
  | { readonly type: 'adjust'; readonly id: string; readonly confidence: number; readonly at: string }
  /** Adds to a counter of the layer; one that is not there begins at 0. */
  | { readonly type: 'count'; readonly name: string; readonly by: number; readonly at: string }
  | { readonly type: 'erase'; readonly subject: string };
/** What `count` came to, and when it last moved. */
export type MemoryCounter = { readonly name: string; readonly value: number; readonly at: string };
/** Any number of live records per key: what "current" means is the pure layer's business, not an index's. */
export interface MemoryStore {
  /** All rows of each key. Spellings that fold to one name are one key; its rows keep the spelling they were stored under. */
  heads(
    keys: readonly string[],
    options?: Cancel,
  ): Promise<readonly { readonly key: string; readonly revision: number; readonly records: readonly MemoryRecord[] }[]>;
  /** One transaction with its audit entries; `stale` when a key moved since `expected`: read again, decide again. */
  commit(
    changes: readonly MemoryChange[],
    options: { readonly expected: { readonly [key: string]: number }; readonly audit: readonly Entry[] } & Cancel,
  ): Promise<
    | {
        readonly type: 'committed' | 'duplicate';
        /** Where what was erased stands still, as far as the store knows. @default [] */
        readonly left?: readonly string[];
      }
    | { readonly type: 'stale'; readonly keys: readonly string[] }
  >;
  /** Filters (time, archived, readable prefixes) apply before `limit`. */
  search(
    query: {
      readonly words: readonly string[];
      readonly vector?: Float32Array;
      readonly entities?: readonly string[];
      readonly readable: readonly string[];
      readonly validAt: string;
      readonly knownAt: string;
      readonly limit: number;
    } & Cancel,
  ): AsyncIterable<{
    readonly record: MemoryRecord;
    readonly own: number;
    readonly context: number;
    readonly cosine: number | null;
    /** No other row has its key, so that nobody need look which of them is current. @default false: perhaps some have */
    readonly alone?: boolean;
  }>;
  scan(
    options?: { readonly after?: string; readonly prefix?: string; readonly subject?: string } & Cancel,
  ): AsyncIterable<MemoryRecord>;
  /**
   * Of each record, those whose words its context holds, so that nobody finds by them what they may not read. Records
   * without any are left out. A store that cannot say has no context for those who may not read everything.
   */
  lenders?(
    ids: readonly string[],
    options?: Cancel,
  ): Promise<ReadonlyMap<string, readonly Pick<MemoryRecord, 'id' | 'key' | 'agent' | 'origin'>[]>>;
  /** By id, whatever their state; ids that are not known are left out. */
  records(ids: readonly string[], options?: Cancel): Promise<readonly MemoryRecord[]>;
  /** In the order of their putting. @param options.records only those that name one of these records */
  conflicts(
    options?: { readonly state?: MemoryConflict['state']; readonly records?: readonly string[] } & Cancel,
  ): AsyncIterable<MemoryConflict>;
  /** Counters whose name begins so, by name (by code unit). */
  counters(prefix: string, options?: Cancel): Promise<readonly MemoryCounter[]>;
  /** Ids that a session was given by `retrieved`, each once, in the order of the first time. */
  handedOut(session: string, options?: Cancel): Promise<readonly string[]>;
  check(): Promise<readonly Reason[]>;
  close(): Promise<void>;
}
export interface Embedder {
  readonly name: string;
  readonly dimensions: number;
  readonly version: string;
  embed(texts: readonly string[], options?: Cancel): Promise<readonly Float32Array[]>;
}
