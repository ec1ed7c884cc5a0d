import { GENESIS, type Row } from './row.ts';
import type { StreamRow, StreamSize } from './store.ts';

/** A stream as the store in memory keeps it. @internal */
export type Stream = {
  readonly key: number;
  readonly stream: string;
  readonly parent?: NonNullable<StreamRow['parent']>;
  /** Indexes into the log, by position from the stream's first own one. */
  readonly rows: number[];
  readonly ids: Map<string, number>;
};

/** @internal */
export function startOf(stream: Stream): number {
  return stream.parent?.position ?? 0;
}

/** @internal */
export function rowOf(stream: Stream, log: readonly Row[]): StreamRow {
  const last = stream.rows.at(-1);
  return {
    key: stream.key,
    stream: stream.stream,
    position: startOf(stream) + stream.rows.length,
    digest: last === undefined ? (stream.parent?.digest ?? GENESIS) : (log[last] as Row).digest,
    ...(stream.parent === undefined ? {} : { parent: stream.parent }),
  };
}

/** @internal */
export function sizeOf(stream: Stream, log: readonly Row[]): StreamSize {
  const rows = stream.rows.map((index) => log[index] as Row);
  return {
    stream: stream.stream,
    entries: rows.length,
    bytes: rows.reduce((sum, row) => sum + Buffer.byteLength(row.data ?? row.sealed ?? ''), 0),
    archived: rows.filter((row) => row.segment !== undefined).length,
    first: rows[0]?.time ?? 0,
    last: rows.at(-1)?.time ?? 0,
  };
}
