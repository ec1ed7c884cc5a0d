import type { Entry, Outbox } from '../journal.ts';

export type NoPromise<T> = T extends PromiseLike<unknown> ? never : T;
/** The only place that opens a database file; whoever opened it closes it. */
export interface SqliteFile<Db> {
  readonly outbox: Outbox;
  /** One table of (layer, version); a newer version than known: SQLITE_SCHEMA_NEWER. */
  migrate(layer: string, steps: readonly ((db: Db) => void)[]): void;
  read<T>(work: (db: Db) => NoPromise<T>): T;
  /** One transaction, synchronous, so that nothing slips in. */
  write<T>(work: (db: Db, outbox: (stream: string, entry: Entry) => void) => NoPromise<T>): T;
  /** Group commit. */
  writeSoon<T>(work: (db: Db, outbox: (stream: string, entry: Entry) => void) => NoPromise<T>): Promise<T>;
  /** Own writes count too; PRAGMA data_version alone ignores those of the shared handle. */
  dataVersion(): number;
  /** Moves the write-ahead log into the file and empties it, so that what was deleted stands in neither. False while a reader holds it back. */
  truncateLog(): boolean;
  close(): void;
}
