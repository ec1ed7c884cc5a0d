import { join } from 'node:path';
import {
  type ArtifactChange,
  type Clock,
  createIdSource,
  type IdSource,
  type JsonObject,
  type ReviewCommit,
  type ReviewCommitted,
  type ReviewRecord,
  type ReviewStore,
  type StoredReview,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { artifactText, readArtifact } from './artifact-text.ts';
import { appendedText, readLog, readTail, verifyLog } from './audit-log.ts';
import { createFileOps, type FileOps } from './file-ops.ts';
import { createFolderLock, type FolderLock } from './folder-lock.ts';
import { artifactPath, checkFolders, recordPath } from './folder-paths.ts';
import {
  carryOutIntent,
  closeIntent,
  type Intent,
  isIntentOpen,
  LOG_FILE,
  type Put,
  type Removal,
  readIntent,
  writeIntent,
} from './intent.ts';
import { createKnownIds } from './known-ids.ts';
import { createLogLock, type Flock, type LogLock } from './log-lock.ts';
import { type FoundRecord, RecordFiles, type SkippedFile, versionOf } from './record-files.ts';
import { recordText } from './record-text.ts';
import { readKbId } from './settings.ts';

export type FolderStoreOptions = {
  /** The `.vouch` folder. */
  readonly root: string;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Flush each change to the disk before it is acknowledged. @default true */
  readonly durable?: boolean;
  /** How long to wait for another process, in milliseconds. @default 30000 */
  readonly waitMs?: number;
  /** Takes vouch's own lock on the audit log around every commit. @default vouch is not kept from writing at the same moment */
  readonly flock?: Flock;
  /** Kinds that records may have beside those of a knowledge base. */
  readonly kinds?: readonly string[];
  /** File operations, to be replaced in tests. */
  readonly files?: FileOps;
};

/** A review store in the layout of a vouch knowledge base. */
export interface FolderReviewStore extends ReviewStore {
  readonly root: string;
  /** Files of `proposed/` and `decided/` that are passed over. */
  skipped(): Promise<readonly SkippedFile[]>;
  /** Every record in listing order, by file. */
  files(): Promise<readonly { readonly file: string; readonly record: ReviewRecord }[]>;
}

/**
 * Opens a knowledge base's `.vouch` folder. Commits are written down whole before the first file changes, so that a
 * crash anywhere leaves nothing half done; changes by hand or by git are seen at the next call.
 * @throws REVIEW_FOLDER_INVALID when the folder is missing or a part of it is a symbolic link
 */
export function createFolderReviewStore(options: FolderStoreOptions): FolderReviewStore {
  const { root } = options;
  const files = options.files ?? createFileOps(options.durable ?? true);
  checkFolders(files, root);
  const own = join(root, 'proposed', '.warrant');
  files.makeDirectory(own);
  const lock = createFolderLock(join(own, 'lock'), { ...(options.waitMs !== undefined && { waitMs: options.waitMs }) });
  const folder = new Folder(files, besides(lock, createLogLock(join(root, `${LOG_FILE}.lock`), options)), options);
  return {
    root,
    read: async (id) => {
      await folder.settle();
      const found = folder.find(id);
      return found === null ? undefined : { record: found.read.record, version: found.version };
    },
    list: async function* (query = {}) {
      await folder.settle();
      for (const found of folder.records.all()) {
        query.signal?.throwIfAborted();
        if (query.status === undefined || found.read.record.status === query.status) {
          yield { record: found.read.record, version: found.version } satisfies StoredReview;
        }
      }
    },
    artifact: async (kind, id) => {
      await folder.settle();
      return folder.artifact(kind, id);
    },
    known: async (ids, kind) => folder.known(ids, kind),
    commit: (change) => folder.commit(change),
    events: async function* () {
      await folder.settle();
      yield* readLog(files, join(root, LOG_FILE)).events;
    },
    verify: async () => verifyLog(files, join(root, LOG_FILE)),
    close: async () => undefined,
    skipped: async () => {
      await folder.settle();
      return folder.records.skipped();
    },
    files: async () => {
      await folder.settle();
      return [...folder.records.all()].map(({ path, read }) => ({ file: path, record: read.record }));
    },
  };
}

// Our own lock comes first: among ourselves nobody waits for vouch's while holding it.
function besides(lock: FolderLock, logLock: LogLock): FolderLock {
  return { hold: (work) => lock.hold(() => logLock.hold(async () => work())) };
}

class Folder {
  readonly records: RecordFiles;
  readonly known: (ids: readonly string[], kind: string) => readonly string[];
  readonly #files: FileOps;
  readonly #lock: FolderLock;
  readonly #root: string;
  readonly #ids: IdSource;
  readonly #intentPath: string;

  constructor(files: FileOps, lock: FolderLock, options: FolderStoreOptions) {
    const clock = options.clock ?? systemClock;
    const kinds = new Set(['claim', 'page', 'entity', 'relation', 'delete', ...(options.kinds ?? [])]);
    this.#files = files;
    this.#lock = lock;
    this.#root = options.root;
    this.#ids = options.ids ?? createIdSource({ clock });
    this.#intentPath = join(options.root, 'proposed', '.warrant', 'intent');
    this.known = createKnownIds(files, options.root);
    this.records = new RecordFiles(files, options.root, { clock, isKind: (kind) => kinds.has(kind) });
  }

  /** Carries out what a crash left behind, or waits for the one who is at it. */
  async settle(): Promise<void> {
    if (isIntentOpen(this.#files, this.#intentPath)) await this.#lock.hold(() => this.#finish());
  }

  async #finish(): Promise<void> {
    if (!isIntentOpen(this.#files, this.#intentPath)) return;
    const intent = readIntent(this.#files, this.#intentPath);
    if (intent !== null) await carryOutIntent(this.#files, this.#root, intent);
    closeIntent(this.#files, this.#intentPath);
  }

  /** The record of the id: a decided one before a pending one. */
  find(id: string): FoundRecord | null {
    return chosen(this.records.places(id));
  }

  artifact(kind: string, id: string): JsonObject | undefined {
    const path = artifactPath(kind, id);
    if (path === null || this.#files.stat(join(this.#root, path))?.kind !== 'file') return undefined;
    const bytes = this.#files.read(join(this.#root, path));
    const read = bytes === null ? null : readArtifact(kind, bytes);
    return read?.type === 'artifact' ? read.body : undefined;
  }

  commit(change: ReviewCommit): Promise<ReviewCommitted> {
    return this.#lock.hold(async () => {
      checkFolders(this.#files, this.#root);
      await this.#finish();
      if (change.record === null && change.artifacts.length === 0) return this.#append(change);
      const places = this.records.places(change.id);
      const current = chosen(places)?.version ?? null;
      if (current !== change.expected) return { type: 'conflict', actual: current };
      const conflict = change.artifacts.find((artifact) => this.#conflicts(artifact));
      if (conflict !== undefined) return { type: 'artifact-conflict', kind: conflict.kind, id: conflict.id };
      const { intent, version } = this.#intentOf(change, places);
      await writeIntent(this.#files, this.#intentPath, intent);
      await carryOutIntent(this.#files, this.#root, intent);
      closeIntent(this.#files, this.#intentPath);
      return { type: 'committed', version };
    });
  }

  async #append(change: ReviewCommit): Promise<ReviewCommitted> {
    const path = join(this.#root, LOG_FILE);
    const tail = readTail(this.#files, path);
    const text = appendedText(tail, change.events, {
      kbId: readKbId(this.#files, this.#root),
      newId: () => this.#newId(),
    });
    this.#files.append(path, text);
    await this.#files.flush(tail.size === 0 ? [path, this.#root] : [path]);
    return { type: 'committed', version: null };
  }

  #newId(): string {
    return this.#ids.next().replaceAll('-', '');
  }

  #conflicts(change: ArtifactChange): boolean {
    const path = artifactPath(change.kind, change.id);
    if (path === null) {
      throw new WarrantError('REVIEW_ID_UNSAFE', 'the id cannot name a file of the folder', {
        data: { kind: change.kind },
      });
    }
    const isThere = this.#files.stat(join(this.#root, path)) !== null;
    return change.type === 'create' ? isThere : change.type === 'replace' && !isThere;
  }

  #intentOf(
    change: ReviewCommit,
    places: readonly FoundRecord[],
  ): { readonly intent: Intent; readonly version: string | null } {
    const { record } = change;
    const { puts, removes } = this.#artifactsOf(change.artifacts);
    let version = chosen(places)?.version ?? null;
    if (record !== null) {
      const path = recordPath(record, places);
      const text = recordText(record, places[0]?.read.raw);
      puts.push({ path, text, before: places.find((place) => place.path === path)?.version ?? '' });
      for (const place of places) if (place.path !== path) removes.push({ path: place.path, version: place.version });
      version = versionOf(text);
    }
    const ids = change.events.map(() => this.#newId());
    const kbId = readKbId(this.#files, this.#root);
    const tail = readTail(this.#files, join(this.#root, LOG_FILE));
    let next = 0;
    const newId = (): string => ids[next++] as string;
    const text = appendedText(tail, change.events, { kbId, newId });
    const log = { offset: tail.size, text, events: change.events, ids, kbId };
    return { intent: { puts, removes, log }, version };
  }

  #artifactsOf(changes: readonly ArtifactChange[]): { readonly puts: Put[]; readonly removes: Removal[] } {
    const puts: Put[] = [];
    const removes: Removal[] = [];
    for (const change of changes) {
      const path = artifactPath(change.kind, change.id) as string;
      const kind = this.#files.stat(join(this.#root, path))?.kind;
      const bytes = kind === 'file' ? this.#files.read(join(this.#root, path)) : null;
      const version = bytes === null ? '' : versionOf(bytes);
      if (change.type !== 'delete') puts.push({ path, text: artifactText(change.kind, change.body), before: version });
      else if (kind !== undefined) removes.push({ path, version });
    }
    return { puts, removes };
  }
}

function chosen(places: readonly FoundRecord[]): FoundRecord | null {
  return places.find(({ read }) => read.record.status !== 'pending') ?? places[0] ?? null;
}
