import type { SqliteDb, SqliteFile } from '@warrant/core/sqlite';
import { type Lineage, lineageOf, type StreamRow } from '../store.ts';
import { areAfter } from './known-rows.ts';
import { bytesOf, lineageByName } from './rows.ts';

/** Streams remembered at most. */
const MAX_STREAMS = 10_000;

/** Heads, and the greatest id of all streams, as of the last commit of anybody. */
export class HeadCache {
  readonly #file: SqliteFile<SqliteDb>;
  readonly #known = new Map<string, Lineage>();
  #greatest = '';
  #version = -1;

  constructor(file: SqliteFile<SqliteDb>) {
    this.#file = file;
  }

  /** To be called inside each transaction first: forgets what somebody else may have changed. */
  begin(db: SqliteDb): OpenHeads {
    const version = this.#file.dataVersion();
    if (version !== this.#version || this.#known.size > MAX_STREAMS) this.#known.clear();
    if (version !== this.#version) this.#greatest = greatestId(db);
    this.#version = version;
    return new OpenHeads(db, { version, known: this.#known, greatest: this.#greatest });
  }

  /** To be called once the transaction is committed; what another one has overtaken is not kept. */
  keep(heads: OpenHeads): void {
    if (heads.version !== this.#version) return;
    for (const [stream, head] of heads.moved) this.#known.set(stream, head);
    this.#greatest = heads.greatest;
    this.#version += 1;
  }
}

type Found = {
  readonly version: number;
  readonly known: ReadonlyMap<string, Lineage>;
  readonly greatest: string;
};

/** Heads as an open transaction sees and moves them. */
export class OpenHeads {
  readonly version: number;
  /** Those that were looked up or moved here. */
  readonly moved = new Map<string, Lineage>();
  readonly #db: SqliteDb;
  readonly #known: ReadonlyMap<string, Lineage>;
  #greatest: string;

  constructor(db: SqliteDb, { version, known, greatest }: Found) {
    this.#db = db;
    this.#known = known;
    this.version = version;
    this.#greatest = greatest;
  }

  /** Of the ids of all streams; empty where there are none. */
  get greatest(): string {
    return this.#greatest;
  }

  of(stream: string): Lineage | undefined {
    const known = this.moved.get(stream) ?? this.#known.get(stream);
    if (known !== undefined) return known;
    const lineage = lineageByName(this.#db, stream);
    if (lineage !== undefined) this.moved.set(stream, lineage);
    return lineage;
  }

  /** Whether the ids come after those of all streams, as time-ordered ones do: then no stream knows them. */
  areAfterAll(ids: readonly string[]): boolean {
    return areAfter(this.#greatest, ids);
  }

  /** Moves a head; a stream that is new is written at once, for its key. */
  move(
    stream: string,
    head: Lineage | undefined,
    to: Pick<StreamRow, 'position' | 'digest'>,
    ids: readonly string[],
  ): Lineage {
    const { position, digest } = to;
    const moved =
      head === undefined
        ? created(this.#db, { stream, position, digest })
        : { row: movedTo(head.row, position, digest), segments: head.segments };
    this.moved.set(stream, moved);
    for (const id of ids) if (id > this.#greatest) this.#greatest = id;
    return moved;
  }
}

function greatestId(db: SqliteDb): string {
  return db.get<{ id: string | null }>('SELECT max(id) AS id FROM journal_entries')?.id ?? '';
}

/** Member by member: this runs for every append. */
function movedTo({ key, stream, parent }: StreamRow, position: number, digest: string): StreamRow {
  return parent === undefined ? { key, stream, position, digest } : { key, stream, position, digest, parent };
}

function created(db: SqliteDb, row: Omit<StreamRow, 'key'>): Lineage {
  const { stream, position, digest } = row;
  const text = 'INSERT INTO journal_streams (name, position, digest) VALUES (?, ?, ?)';
  const key = Number(db.run(text, stream, position, bytesOf(digest)).lastInsertRowid);
  return lineageOf({ key, stream, position, digest }, () => undefined);
}
