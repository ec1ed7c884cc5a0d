import {
  type Entry,
  foldName,
  type MemoryChange,
  type MemoryConflict,
  type MemoryCounter,
  type MemoryRecord,
  type MemoryStore,
  type Outbox,
  type Reason,
} from '@warrant/core';
import { changeRecord, checkChanges, erasedWith, unknownRecord } from './change-record.ts';
import { cosine } from './cosine.ts';
import { isLive } from './current.ts';
import { fault } from './errors.ts';
import type { Found, Query } from './hits.ts';
import { CONTEXT_RECORDS, contextGroup, contextText, lends } from './neighbours.ts';
import { TextIndex } from './text-index.ts';
import { textOf } from './words.ts';

/** Memory that ends with the process. `outbox` holds the audit entries until somebody takes them. */
export interface InMemoryStore extends MemoryStore {
  readonly lenders: NonNullable<MemoryStore['lenders']>;
  readonly outbox: Outbox;
}

/** A store in this process's memory, for tests, short runs and first steps. */
export function createInMemoryStore(): InMemoryStore {
  return new ProcessStore();
}

class ProcessStore implements InMemoryStore {
  readonly #records = new Map<string, MemoryRecord>();
  readonly #order: string[] = [];
  readonly #keys = new Map<string, { revision: number; readonly ids: string[] }>();
  readonly #conflicts = new Map<string, MemoryConflict>();
  readonly #groups = new Map<string, string[]>();
  readonly #counters = new Map<string, MemoryCounter>();
  readonly #handed = new Map<string, Set<string>>();
  readonly #vectors = new Map<string, Float32Array>();
  readonly #own = new TextIndex();
  readonly #context = new TextIndex();
  readonly #audit: { readonly stream: string; readonly entry: Entry }[] = [];
  #closed = false;

  readonly outbox: Outbox = {
    pending: async (limit) => this.#audit.slice(0, limit),
    remove: async (ids) => {
      const gone = new Set(ids);
      const kept = this.#audit.filter(({ entry }) => !gone.has(entry.id));
      this.#audit.splice(0, this.#audit.length, ...kept);
    },
  };

  async heads(keys: readonly string[]): ReturnType<MemoryStore['heads']> {
    this.#open();
    return keys.map((key) => {
      const head = this.#keys.get(foldName(key));
      return {
        key,
        revision: head?.revision ?? 0,
        records: (head?.ids ?? []).map((id) => this.#records.get(id) as MemoryRecord),
      };
    });
  }

  async commit(
    changes: readonly MemoryChange[],
    options: Parameters<MemoryStore['commit']>[1],
  ): ReturnType<MemoryStore['commit']> {
    this.#open();
    options.signal?.throwIfAborted();
    checkChanges(changes);
    const puts = changes.flatMap((change) => (change.type === 'put' ? [change.record.id] : []));
    const known = puts.filter((id) => this.#records.has(id));
    if (known.length > 0 && known.length === puts.length) return { type: 'duplicate' };
    if (known.length > 0)
      throw fault('MEMORY_ID_REUSED', 'some records of the commit are there already', { ids: known });
    const stale = Object.entries(options.expected)
      .filter(([key, revision]) => (this.#keys.get(foldName(key))?.revision ?? 0) !== revision)
      .map(([key]) => key);
    if (stale.length > 0) return { type: 'stale', keys: stale };
    this.#checkTargets(changes, new Set(puts));
    const touched = new Set<string>();
    for (const change of changes) this.#apply(change, touched);
    for (const key of touched) this.#bump(key);
    for (const entry of options.audit) this.#audit.push({ stream: 'memory', entry });
    return { type: 'committed' };
  }

  /** Before anything is changed, so that a commit happens as a whole or not at all. */
  #checkTargets(changes: readonly MemoryChange[], puts: ReadonlySet<string>): void {
    for (const change of changes) {
      if (change.type !== 'close' && change.type !== 'archive' && change.type !== 'restore' && change.type !== 'adjust')
        continue;
      if (!this.#records.has(change.id) && !puts.has(change.id)) throw unknownRecord(change.id);
    }
  }

  #apply(change: MemoryChange, touched: Set<string>): void {
    switch (change.type) {
      case 'put':
        return this.#put(change.record, change.vector, touched);
      case 'put-conflict':
        return this.#putConflict(change.conflict);
      case 'erase':
        return this.#erase(change.subject, touched);
      case 'retrieved':
        return this.#retrieved(change);
      case 'count': {
        const { name, by, at } = change;
        this.#counters.set(name, { name, value: (this.#counters.get(name)?.value ?? 0) + by, at });
        return;
      }
      default: {
        const record = this.#records.get(change.id) as MemoryRecord;
        this.#records.set(change.id, changeRecord(record, change));
        if (change.type === 'adjust') return;
        touched.add(foldName(record.key));
        this.#reindexGroup(record);
      }
    }
  }

  #put(record: MemoryRecord, vector: Float32Array | undefined, touched: Set<string>): void {
    const fold = foldName(record.key);
    const head = this.#keys.get(fold) ?? { revision: 0, ids: [] };
    head.ids.push(record.id);
    this.#keys.set(fold, head);
    this.#records.set(record.id, record);
    this.#order.push(record.id);
    const group = contextGroup(record);
    if (group !== null) this.#groups.set(group, [...(this.#groups.get(group) ?? []), record.id]);
    if (vector !== undefined) this.#vectors.set(record.id, vector.slice());
    this.#own.put(record.id, textOf(record));
    this.#context.put(record.id, contextText(this.#before(record)));
    touched.add(fold);
  }

  #putConflict(conflict: MemoryConflict): void {
    this.#conflicts.set(conflict.id, conflict);
    for (const id of conflict.records) {
      const record = this.#records.get(id);
      if (record === undefined || record.conflicts.includes(conflict.id)) continue;
      this.#records.set(id, { ...record, conflicts: [...record.conflicts, conflict.id] });
    }
  }

  #retrieved(change: Extract<MemoryChange, { type: 'retrieved' }>): void {
    const handed = this.#handed.get(change.session) ?? new Set<string>();
    this.#handed.set(change.session, handed);
    for (const id of new Set(change.ids)) {
      const record = this.#records.get(id);
      if (record === undefined) continue;
      this.#records.set(id, changeRecord(record, change));
      handed.add(id);
    }
  }

  #erase(subject: string, touched: Set<string>): void {
    const erased = erasedWith(subject, [...this.#records.values()]);
    const gone = [...erased].map((id) => this.#records.get(id) as MemoryRecord);
    for (const { id, key } of gone) {
      this.#records.delete(id);
      this.#vectors.delete(id);
      this.#own.remove(id);
      this.#context.remove(id);
      const head = this.#keys.get(foldName(key));
      head?.ids.splice(head.ids.indexOf(id), 1);
      for (const handed of this.#handed.values()) handed.delete(id);
      touched.add(foldName(key));
    }
    this.#order.splice(0, this.#order.length, ...this.#order.filter((id) => !erased.has(id)));
    for (const conflict of [...this.#conflicts.values()])
      if (conflict.records.some((id) => erased.has(id))) this.#dropConflict(conflict);
    for (const record of gone) this.#reindexGroup(record);
  }

  #dropConflict(conflict: MemoryConflict): void {
    this.#conflicts.delete(conflict.id);
    for (const id of conflict.records) {
      const record = this.#records.get(id);
      if (record === undefined) continue;
      this.#records.set(id, { ...record, conflicts: record.conflicts.filter((one) => one !== conflict.id) });
    }
  }

  #bump(fold: string): void {
    const head = this.#keys.get(fold);
    if (head !== undefined) head.revision += 1;
  }

  #group(record: MemoryRecord): readonly MemoryRecord[] {
    const group = contextGroup(record);
    return (group === null ? [] : (this.#groups.get(group) ?? [])).flatMap((id) => this.#records.get(id) ?? []);
  }

  #before(record: MemoryRecord): readonly MemoryRecord[] {
    const group = this.#group(record);
    const at = group.findIndex((other) => other.id === record.id);
    return group.slice(0, at).filter(lends);
  }

  #reindexGroup(changed: MemoryRecord): void {
    for (const record of this.#group(changed)) this.#context.put(record.id, contextText(this.#before(record)));
  }

  async *search(query: Query): AsyncGenerator<Found> {
    this.#open();
    const own = this.#own.scores(query.words);
    const near = this.#context.scores(query.words);
    const entities = new Set((query.entities ?? []).map(foldName));
    const found: (Found & { readonly order: number })[] = [];
    for (const record of this.#records.values()) {
      if (!isLive(record, query) || !query.readable.some((prefix) => record.key.startsWith(prefix))) continue;
      const tagged = record.entities.some((entity) => entities.has(foldName(entity)));
      const vector = this.#vectors.get(record.id);
      const similar = query.vector === undefined || vector === undefined ? null : cosine(query.vector, vector);
      const text = own.get(record.id) ?? 0;
      const context = text + (near.get(record.id) ?? 0);
      if (context === 0 && !tagged && (similar ?? 0) <= 0) continue;
      found.push({
        record,
        own: text,
        context,
        cosine: similar,
        order: context + (tagged ? 100 : 0) + (similar ?? 0) * 10,
      });
    }
    found.sort((a, b) => b.order - a.order || (a.record.id < b.record.id ? -1 : 1));
    for (const { order: _order, ...one } of found.slice(0, query.limit)) {
      query.signal?.throwIfAborted();
      yield one;
    }
  }

  async *scan(options: Parameters<MemoryStore['scan']>[0] = {}): AsyncGenerator<MemoryRecord> {
    this.#open();
    const { after = '', prefix = '', subject } = options;
    for (const id of [...this.#order].sort()) {
      options.signal?.throwIfAborted();
      const record = this.#records.get(id);
      if (record === undefined || id <= after || !record.key.startsWith(prefix)) continue;
      if (subject === undefined || record.subject === subject) yield record;
    }
  }

  async lenders(ids: readonly string[]): Promise<ReadonlyMap<string, readonly MemoryRecord[]>> {
    const records = await this.records(ids);
    return new Map(records.map((record) => [record.id, this.#before(record).slice(-CONTEXT_RECORDS)]));
  }

  async records(ids: readonly string[]): Promise<readonly MemoryRecord[]> {
    this.#open();
    return ids.flatMap((id) => this.#records.get(id) ?? []);
  }

  async *conflicts(options: Parameters<MemoryStore['conflicts']>[0] = {}): AsyncGenerator<MemoryConflict> {
    this.#open();
    const records = options.records === undefined ? undefined : new Set(options.records);
    for (const conflict of [...this.#conflicts.values()]) {
      if (options.state !== undefined && conflict.state !== options.state) continue;
      if (records === undefined || conflict.records.some((id) => records.has(id))) yield conflict;
    }
  }

  async counters(prefix: string): Promise<readonly MemoryCounter[]> {
    this.#open();
    const found = [...this.#counters.values()].filter(({ name }) => name.startsWith(prefix));
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async handedOut(session: string): Promise<readonly string[]> {
    this.#open();
    return [...(this.#handed.get(session) ?? [])];
  }

  async check(): Promise<readonly Reason[]> {
    this.#open();
    const missing = [...this.#records.keys()].filter((id) => !this.#own.has(id) || !this.#context.has(id));
    return missing.map((id) => ({
      code: 'memory.index-missing',
      message: 'a record is not in the index',
      data: { id },
    }));
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  #open(): void {
    if (this.#closed) throw fault('MEMORY_CLOSED', 'the store is closed');
  }
}
