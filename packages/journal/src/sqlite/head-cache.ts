import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { type Lineage, lineageOf, type StreamRow } from '../store.ts';
import { bytesOf, lineageByName } from './rows.ts';

/** Where a stream ends, and the greatest of its own ids by the order of the file; none for a stream without entries. */
export type Head = { readonly lineage: Lineage; readonly greatest: string | undefined };

/** Streams remembered at most. */
const MAX_STREAMS = 10_000;

/** Heads as of the last commit of anybody. */
export class HeadCache {
  readonly #file: SqliteFile<SqliteDb>;
  readonly #known = new Map<string, Head>();
  #version = -1;

  constructor(file: SqliteFile<SqliteDb>) {
    this.#file = file;
  }

  /** To be called inside each transaction first: forgets what somebody else may have changed. */
  begin(db: SqliteDb): OpenHeads {
    const version = this.#file.dataVersion();
    if (version !== this.#version || this.#known.size > MAX_STREAMS) this.#known.clear();
    this.#version = version;
    return new OpenHeads(db, this.#known, version);
  }

  /** To be called once the transaction is committed; what another one has overtaken is not kept. */
  keep(heads: OpenHeads): void {
    if (heads.version !== this.#version) return;
    for (const [stream, head] of heads.moved) this.#known.set(stream, head);
    this.#version += 1;
  }
}

/** Heads as an open transaction sees and moves them. */
export class OpenHeads {
  readonly version: number;
  /** Those that were looked up or moved here. */
  readonly moved = new Map<string, Head>();
  readonly #db: SqliteDb;
  readonly #known: ReadonlyMap<string, Head>;

  constructor(db: SqliteDb, known: ReadonlyMap<string, Head>, version: number) {
    this.#db = db;
    this.#known = known;
    this.version = version;
  }

  of(stream: string): Head | undefined {
    const known = this.moved.get(stream) ?? this.#known.get(stream);
    if (known !== undefined) return known;
    const lineage = lineageByName(this.#db, stream);
    if (lineage === undefined) return undefined;
    const text = 'SELECT max(id) AS id FROM journal_entries WHERE stream = ?';
    const head = { lineage, greatest: this.#db.get<{ id: string | null }>(text, lineage.row.key)?.id ?? undefined };
    this.moved.set(stream, head);
    return head;
  }

  /** Moves a head; a stream that is new is written at once, for its key. */
  move(
    stream: string,
    head: Head | undefined,
    to: Pick<StreamRow, 'position' | 'digest'>,
    ids: readonly string[],
  ): Head {
    const { position, digest } = to;
    const lineage =
      head === undefined
        ? created(this.#db, { stream, position, digest })
        : { row: movedTo(head.lineage.row, position, digest), segments: head.lineage.segments };
    const moved = { lineage, greatest: greatestOf(ids, head?.greatest) };
    this.moved.set(stream, moved);
    return moved;
  }
}

/** Member by member: this runs for every append. */
function movedTo({ key, stream, parent }: StreamRow, position: number, digest: string): StreamRow {
  return parent === undefined ? { key, stream, position, digest } : { key, stream, position, digest, parent };
}

function greatestOf(ids: readonly string[], before: string | undefined): string {
  let greatest = before ?? (ids[0] as string);
  for (const id of ids) if (id > greatest) greatest = id;
  return greatest;
}

function created(db: SqliteDb, row: Omit<StreamRow, 'key'>): Lineage {
  const { stream, position, digest } = row;
  const text = 'INSERT INTO journal_streams (name, position, digest) VALUES (?, ?, ?)';
  const key = Number(db.run(text, stream, position, bytesOf(digest)).lastInsertRowid);
  return lineageOf({ key, stream, position, digest }, () => undefined);
}
