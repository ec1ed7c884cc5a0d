import type { Cancel } from './cancel.ts';
import type { Digest, Json } from './json.ts';

export type Entry = {
  readonly id: string;
  readonly type: string;
  readonly data: Json;
  readonly schemaVersion: number;
  readonly causationId?: string;
  readonly correlationId?: string;
  readonly agentId?: string;
  readonly subject?: string;
};
/** `sealed` is ciphertext, digested instead of `data`, which is null once its subject is erased. `cursor` is not part of the digest. */
export type Recorded = Entry & {
  readonly stream: string;
  readonly position: number;
  readonly cursor: string;
  readonly time: string;
  readonly previous: Digest;
  readonly digest: Digest;
  readonly sealed?: string;
};
export type Appended =
  | {
      readonly type: 'appended';
      readonly first: number;
      readonly last: number;
      readonly cursor: string;
      readonly digest: Digest;
      readonly skipped: readonly { readonly id: string; readonly position: number }[];
    }
  | { readonly type: 'duplicate'; readonly positions: readonly number[] }
  | { readonly type: 'conflict'; readonly actual: number };
export interface Journal {
  append(
    stream: string,
    entries: readonly Entry[],
    options: { readonly expected: 'any' | 'none' | number } & Cancel,
  ): Promise<Appended>;
  read(
    stream: string,
    options?: {
      readonly from?: number;
      readonly to?: number;
      readonly limit?: number;
      readonly direction?: 'forward' | 'backward';
    } & Cancel,
  ): AsyncIterable<Recorded>;
  readAll(options?: { readonly after?: string } & Cancel): AsyncIterable<Recorded>;
  subscribe(options: { readonly stream?: string; readonly after?: string } & Cancel): AsyncIterable<Recorded>;
  streams(options?: { readonly after?: string; readonly limit?: number } & Cancel): Promise<readonly string[]>;
  head(
    stream: string,
  ): Promise<{ readonly position: number; readonly cursor: string; readonly digest: Digest } | undefined>;
  fork(
    stream: string,
    position: number,
    target: string,
  ): Promise<{ readonly type: 'forked' | 'exists' } | { readonly type: 'no-such-position'; readonly head: number }>;
  close(): Promise<void>;
}
/** `program` is the digest of what folds the stream (a chart, a projection): a snapshot of another program is ignored. */
export type Snapshot = {
  readonly stream: string;
  readonly position: number;
  readonly entry: Digest;
  readonly program: Digest;
  readonly state: Json;
};
export interface SnapshotStore {
  load(stream: string, program: Digest): Promise<Snapshot | undefined>;
  save(snapshot: Snapshot): Promise<void>;
}
export interface Eraser {
  erase(subject: string): Promise<{
    readonly subject: string;
    readonly keyDestroyed: boolean;
    readonly covered: readonly { readonly place: string; readonly count: number }[];
    readonly notCovered: readonly string[];
  }>;
}
/** Removed by id: commit order is not sequence order. */
export interface Outbox {
  pending(limit: number): Promise<readonly { readonly stream: string; readonly entry: Entry }[]>;
  remove(ids: readonly string[]): Promise<void>;
}
