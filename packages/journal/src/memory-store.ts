import type { Appended } from '@warrant/core';
import { appendedOf, compareUtf8, parseCursor } from './cursor.ts';
import { decideAppend, type Expected } from './decide-append.ts';
import { rowOf, type Stream, sizeOf, startOf } from './memory-streams.ts';
import { chainEntries, type Prepared, type Row } from './row.ts';
import {
  type JournalStore,
  type Lineage,
  lineageOf,
  type PageQuery,
  type Segment,
  type StoredSnapshot,
  type StreamRow,
  type StreamSize,
  type SubjectCount,
  type TreeNode,
} from './store.ts';
import { createWaiters } from './waiters.ts';

/** Everything in arrays of this process; gone with it. @internal */
export class MemoryStore implements JournalStore {
  readonly kind = 'memory';
  /** Digests of archived entries that were sealed. */
  readonly #sealedAway = new Set<string>();
  readonly #log: Row[] = [];
  readonly #streams: Stream[] = [];
  readonly #byName = new Map<string, Stream>();
  readonly #nodes = new Map<string, string>();
  readonly #checkpoints = new Map<number, string>();
  readonly #snapshots = new Map<string, StoredSnapshot>();
  readonly #waiters = createWaiters();
  #sealed = 0;

  async append(
    name: string,
    entries: readonly Prepared[],
    options: { readonly expected: Expected; readonly time: number },
  ): Promise<Appended> {
    const lineage = this.#lineage(name);
    const known = this.#knownOf(
      name,
      entries.map((entry) => entry.id),
    );
    const plan = decideAppend(entries, known, lineage?.row.position ?? 0, options.expected);
    if (plan.type !== 'append') return plan;
    const stream = this.#byName.get(name) ?? this.#create(name);
    const { position, digest } = rowOf(stream, this.#log);
    const rows = chainEntries(plan.fresh, { stream: name, position, digest, time: options.time });
    for (const row of rows) this.#push(stream, row);
    this.#waiters.wake();
    return appendedOf(rows, String(this.#log.length), plan.skipped);
  }

  async lineage(name: string): Promise<Lineage | undefined> {
    return this.#lineage(name);
  }

  async known(name: string, ids: readonly string[]): Promise<ReadonlyMap<string, Row>> {
    return this.#knownOf(name, ids);
  }

  async page(query: PageQuery): Promise<readonly Row[]> {
    return this.#page(query);
  }

  async pageAll(after: string | undefined, limit: number): Promise<readonly Row[]> {
    const from = parseCursor(after);
    return this.#log.slice(from, from + limit);
  }

  async positionAt(key: number, cursor: string): Promise<number> {
    const stream = this.#streams[key] as Stream;
    const end = parseCursor(cursor);
    const count = stream.rows.filter((index) => index < end).length;
    return count === 0 ? 0 : startOf(stream) + count;
  }

  async streams(after: string | undefined, limit: number): Promise<readonly string[]> {
    return this.#names(after).slice(0, limit);
  }

  async fork(name: string, position: number, target: string): ReturnType<JournalStore['fork']> {
    const lineage = this.#lineage(name);
    const segment = lineage?.segments.find((one) => position >= one.from && position <= one.to);
    const row = segment && this.#at(segment.key, position);
    if (lineage === undefined || row === undefined) {
      return { type: 'no-such-position', head: lineage?.row.position ?? 0 };
    }
    if (this.#byName.has(target)) return { type: 'exists' };
    this.#create(target, { key: lineage.row.key, position, digest: row.digest });
    this.#waiters.wake();
    return { type: 'forked' };
  }

  async restore(rows: readonly Omit<Row, 'cursor'>[]): Promise<void> {
    for (const row of rows) this.#push(this.#byName.get(row.stream) ?? this.#create(row.stream), row);
    this.#waiters.wake();
  }

  version(): number {
    return this.#waiters.version();
  }

  changed(seen: number, signal: AbortSignal | undefined): Promise<void> {
    return this.#waiters.wait(seen, signal, 1000);
  }

  async settle(): Promise<number> {
    return this.#log.length;
  }

  async leaves(from: number, limit: number): Promise<readonly string[]> {
    return this.#log.slice(from, from + limit).map((row) => row.digest);
  }

  async leafOf(key: number, position: number): Promise<number | undefined> {
    const row = this.#at(key, position);
    return row && Number(row.cursor) - 1;
  }

  async sealed(): Promise<number> {
    return this.#sealed;
  }

  async node(level: number, index: number): Promise<string | undefined> {
    return this.#nodes.get(`${level}/${index}`);
  }

  async saveSealed(from: number, to: number, nodes: readonly TreeNode[]): Promise<boolean> {
    if (this.#sealed !== from) return false;
    for (const node of nodes) this.#nodes.set(`${node.level}/${node.index}`, node.hash);
    this.#sealed = to;
    return true;
  }

  async checkpoints(): Promise<readonly string[]> {
    return [...this.#checkpoints].sort((a, b) => a[0] - b[0]).map(([, note]) => note);
  }

  async saveCheckpoint(size: number, note: string): Promise<void> {
    if (!this.#checkpoints.has(size)) this.#checkpoints.set(size, note);
  }

  async loadSnapshot(stream: string, program: string): Promise<StoredSnapshot | undefined> {
    return this.#snapshots.get(JSON.stringify([stream, program]));
  }

  async saveSnapshot(snapshot: StoredSnapshot): Promise<void> {
    this.#snapshots.set(JSON.stringify([snapshot.stream, snapshot.program]), snapshot);
  }

  async snapshotStreams(): Promise<readonly string[]> {
    return [...this.#snapshots.values()].map((one) => one.stream).sort(compareUtf8);
  }

  async subjects(segment: Segment): Promise<readonly string[]> {
    const rows = this.#page({ ...segment, limit: Number.POSITIVE_INFINITY, direction: 'forward' });
    return [...new Set(rows.flatMap((row) => row.subject ?? []))].sort(compareUtf8);
  }

  async subjectEntries(subject: string): Promise<readonly SubjectCount[]> {
    const counts = new Map<string, { -readonly [Key in keyof SubjectCount]: SubjectCount[Key] }>();
    for (const row of this.#log.filter((one) => one.subject === subject)) {
      const none = { stream: row.stream, sealed: 0, clear: 0, archived: 0, archivedClear: 0 };
      const count = counts.get(row.stream) ?? none;
      if (row.sealed !== undefined) count.sealed += 1;
      else if (row.data !== undefined) count.clear += 1;
      else if (this.#sealedAway.has(row.digest)) count.archived += 1;
      else count.archivedClear += 1;
      counts.set(row.stream, count);
    }
    return [...counts.values()];
  }

  async detach(from: number, to: number, segment: string): Promise<void> {
    for (let leaf = from; leaf < to; leaf += 1) {
      const { data: _data, sealed, ...thin } = this.#log[leaf] as Row;
      if (sealed !== undefined) this.#sealedAway.add(thin.digest);
      this.#log[leaf] = { segment, ...thin };
    }
  }

  async pageLeaves(from: number, limit: number): Promise<readonly Row[]> {
    return this.#log.slice(from, from + limit);
  }

  async sizes(after: string | undefined, limit: number): Promise<readonly StreamSize[]> {
    return this.#names(after)
      .slice(0, limit)
      .map((name) => sizeOf(this.#byName.get(name) as Stream, this.#log));
  }

  async bytes(): Promise<number | undefined> {
    return undefined;
  }

  async orphans(): Promise<readonly Row[]> {
    return [];
  }

  async count(): Promise<number> {
    return this.#log.length;
  }

  async close(): Promise<void> {
    this.#waiters.close();
  }

  #lineage(name: string): Lineage | undefined {
    const stream = this.#byName.get(name);
    const ancestor = (key: number): StreamRow => rowOf(this.#streams[key] as Stream, this.#log);
    return stream && lineageOf(rowOf(stream, this.#log), ancestor);
  }

  #create(name: string, parent?: NonNullable<StreamRow['parent']>): Stream {
    const base = { key: this.#streams.length, stream: name, rows: [], ids: new Map<string, number>() };
    const stream: Stream = parent === undefined ? base : { ...base, parent };
    this.#streams.push(stream);
    this.#byName.set(name, stream);
    return stream;
  }

  #push(stream: Stream, row: Omit<Row, 'cursor'>): void {
    stream.rows.push(this.#log.length);
    stream.ids.set(row.id, this.#log.length);
    this.#log.push({ ...row, cursor: String(this.#log.length + 1) });
  }

  #at(key: number, position: number): Row | undefined {
    const stream = this.#streams[key] as Stream;
    const index = stream.rows[position - startOf(stream) - 1];
    return index === undefined ? undefined : this.#log[index];
  }

  /** No await lies between looking and pushing, or appends would get in between. */
  #knownOf(name: string, ids: readonly string[]): ReadonlyMap<string, Row> {
    const lineage = this.#lineage(name);
    const known = new Map<string, Row>();
    for (const id of ids) {
      const row = lineage && this.#known(lineage.segments, id);
      if (row !== undefined) known.set(id, row);
    }
    return known;
  }

  #known(segments: readonly Segment[], id: string): Row | undefined {
    for (const segment of segments) {
      const index = (this.#streams[segment.key] as Stream).ids.get(id);
      const row = index === undefined ? undefined : this.#log[index];
      if (row !== undefined && row.position <= segment.to) return row;
    }
    return undefined;
  }

  #page(query: PageQuery): Row[] {
    const stream = this.#streams[query.key] as Stream;
    const first = Math.max(query.from, startOf(stream) + 1);
    const last = Math.min(query.to, startOf(stream) + stream.rows.length);
    const rows: Row[] = [];
    for (let step = 0; step <= last - first && rows.length < query.limit; step += 1) {
      rows.push(this.#at(query.key, query.direction === 'forward' ? first + step : last - step) as Row);
    }
    return rows;
  }

  #names(after: string | undefined): string[] {
    const names = [...this.#byName.keys()].sort(compareUtf8);
    return after === undefined ? names : names.filter((name) => compareUtf8(name, after) > 0);
  }
}
