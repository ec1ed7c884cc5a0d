import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type ArtifactChange,
  type Clock,
  createIdSource,
  type IdSource,
  isoTime,
  type JsonObject,
  type ReviewCommit,
  type ReviewCommitted,
  type ReviewRecord,
  type ReviewStore,
  type StoredReview,
  systemClock,
  WarrantError,
} from '@warrant/core';
import { isSafeId } from '../ids.ts';
import { compareCodePoints } from '../text.ts';
import { artifactText, readArtifact } from './artifact-text.ts';
import { appendedText, readLog, readTail, verifyLog } from './audit-log.ts';
import { createFileOps, type FileOps } from './file-ops.ts';
import { createFolderLock, type FolderLock } from './folder-lock.ts';
import { artifactPath, checkFolders, isOwnForm, RECORD_FOLDERS, recordPath } from './folder-paths.ts';
import { carryOutIntent, type Intent, LOG_FILE, readIntent, writeIntent } from './intent.ts';
import { createKnownIds } from './known-ids.ts';
import { type ReadRecord, readRecord, recordText } from './record-text.ts';
import { readKbId } from './settings.ts';

/** A file that was passed over, and why. Paths are relative to the folder. */
export type SkippedFile = { readonly file: string; readonly reason: string };

export type FolderStoreOptions = {
  /** The `.vouch` folder. */
  readonly root: string;
  readonly clock?: Clock;
  readonly ids?: IdSource;
  /** Flush each change to the disk before it is acknowledged. @default true */
  readonly durable?: boolean;
  /** How long to wait for another process, in milliseconds. @default 30000 */
  readonly waitMs?: number;
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

type Found = {
  readonly path: string;
  readonly read: Extract<ReadRecord, { type: 'record' }>;
  readonly version: string;
};
type Cached = { readonly stamp: string; readonly read: ReadRecord; readonly version: string };

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
  const folder = new Folder(files, lock, options);
  return {
    root,
    read: async (id) => {
      await folder.settle();
      const found = folder.find(id);
      return found === null ? undefined : { record: found.read.record, version: found.version };
    },
    list: async function* (query = {}) {
      await folder.settle();
      for (const found of folder.all()) {
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
      return folder.skipped();
    },
    files: async () => {
      await folder.settle();
      return [...folder.all()].map(({ path, read }) => ({ file: path, record: read.record }));
    },
  };
}

class Folder {
  readonly #files: FileOps;
  readonly #lock: FolderLock;
  readonly #root: string;
  readonly #ids: IdSource;
  readonly #clock: Clock;
  readonly #isKind: (kind: string) => boolean;
  readonly #cache = new Map<string, Cached>();
  readonly known: (ids: readonly string[], kind: string) => readonly string[];

  constructor(files: FileOps, lock: FolderLock, options: FolderStoreOptions) {
    this.#files = files;
    this.#lock = lock;
    this.#root = options.root;
    this.#clock = options.clock ?? systemClock;
    this.#ids = options.ids ?? createIdSource({ clock: this.#clock });
    this.known = createKnownIds(files, options.root);
    const kinds = new Set(['claim', 'page', 'entity', 'relation', 'delete', ...(options.kinds ?? [])]);
    this.#isKind = (kind) => kinds.has(kind);
  }

  get #intentPath(): string {
    return join(this.#root, 'proposed', '.warrant', 'intent');
  }

  /** Carries out what a crash left behind, or waits for the one who is at it. */
  async settle(): Promise<void> {
    if (this.#files.stat(this.#intentPath) !== null) await this.#lock.hold(() => this.#finish());
  }

  #finish(): void {
    if (this.#files.stat(this.#intentPath) === null) return;
    const intent = readIntent(this.#files, this.#intentPath);
    if (intent !== null) carryOutIntent(this.#files, this.#root, intent);
    this.#files.remove(this.#intentPath);
  }

  *all(): IterableIterator<Found> {
    for (const path of this.#paths()) {
      const cached = this.#load(path);
      if (cached !== null && cached.read.type === 'record') yield { path, read: cached.read, version: cached.version };
    }
  }

  skipped(): readonly SkippedFile[] {
    return [...this.#paths()].flatMap((file) => {
      const cached = this.#load(file);
      return cached?.read.type === 'skipped' ? [{ file, reason: cached.read.reason }] : [];
    });
  }

  *#paths(): IterableIterator<string> {
    for (const folder of RECORD_FOLDERS) {
      const names = this.#files.list(join(this.#root, folder)).filter((name) => name.endsWith('.yaml'));
      for (const name of names.sort(compareCodePoints)) yield `${folder}/${name}`;
    }
  }

  #load(path: string): Cached | null {
    const full = join(this.#root, path);
    const stat = this.#files.stat(full);
    if (stat === null) return null;
    const stamp = `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
    const cached = this.#cache.get(path);
    if (cached?.stamp === stamp) return cached;
    const loaded = stat.kind === 'file' ? this.#read(full, stamp) : skippedFile('not a regular file', stamp);
    // A file that changed within the clock's grain may change again without a new stamp.
    if (this.#clock.now() - stat.mtimeMs > 50) this.#cache.set(path, loaded);
    return loaded;
  }

  #read(full: string, stamp: string): Cached {
    const bytes = this.#files.read(full);
    if (bytes === null) return skippedFile('vanished', stamp);
    const read = readRecord(bytes, { now: isoTime(this.#clock), kinds: this.#isKind });
    return { stamp, read, version: createHash('sha256').update(bytes).digest('hex') };
  }

  /** The record of the id: a decided one before a pending one; a file of another name when the id is only inside. */
  find(id: string): Found | null {
    const found = this.#places(id);
    return found.find(({ read }) => read.record.status !== 'pending') ?? found[0] ?? null;
  }

  #places(id: string): readonly Found[] {
    const found: Found[] = [];
    if (isSafeId(id)) {
      for (const path of [`proposed/${id}.yaml`, `decided/${id}.yaml`]) {
        const cached = this.#load(path);
        if (cached?.read.type !== 'record' || cached.read.record.proposal.id !== id) continue;
        found.push({ path, read: cached.read, version: cached.version });
      }
    }
    if (found.length > 0 || isOwnForm(id)) return found;
    return [...this.all()].filter(({ read }) => read.record.proposal.id === id);
  }

  artifact(kind: string, id: string): JsonObject | undefined {
    const path = artifactPath(kind, id);
    if (path === null || this.#files.stat(join(this.#root, path))?.kind !== 'file') return undefined;
    const bytes = this.#files.read(join(this.#root, path));
    const read = bytes === null ? null : readArtifact(kind, bytes);
    return read?.type === 'artifact' ? read.body : undefined;
  }

  commit(change: ReviewCommit): Promise<ReviewCommitted> {
    return this.#lock.hold(() => {
      checkFolders(this.#files, this.#root);
      this.#finish();
      if (change.record === null && change.artifacts.length === 0) return this.#append(change);
      const places = this.#places(change.id);
      const current = this.find(change.id)?.version ?? null;
      if (current !== change.expected) return { type: 'conflict', actual: current };
      const conflict = change.artifacts.find((artifact) => this.#conflicts(artifact));
      if (conflict !== undefined) return { type: 'artifact-conflict', kind: conflict.kind, id: conflict.id };
      const intent = this.#intentOf(change, places);
      writeIntent(this.#files, this.#intentPath, intent);
      carryOutIntent(this.#files, this.#root, intent);
      this.#files.remove(this.#intentPath);
      return { type: 'committed', version: this.find(change.id)?.version ?? null };
    });
  }

  #append(change: ReviewCommit): ReviewCommitted {
    const path = join(this.#root, LOG_FILE);
    const text = appendedText(readTail(this.#files, path), change.events, {
      kbId: readKbId(this.#files, this.#root),
      newId: () => this.#newId(),
    });
    this.#files.append(path, text);
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

  #intentOf(change: ReviewCommit, places: readonly Found[]): Intent {
    const { record } = change;
    const puts = change.artifacts.flatMap((artifact) =>
      artifact.type === 'delete'
        ? []
        : [
            {
              path: artifactPath(artifact.kind, artifact.id) as string,
              text: artifactText(artifact.kind, artifact.body),
            },
          ],
    );
    const removes = change.artifacts.flatMap((artifact) => {
      const path = artifactPath(artifact.kind, artifact.id) as string;
      return artifact.type === 'delete' && this.#files.stat(join(this.#root, path)) !== null ? [path] : [];
    });
    if (record !== null) {
      const path = recordPath(record, places);
      puts.push({ path, text: recordText(record, places[0]?.read.raw) });
      removes.push(...places.map((place) => place.path).filter((place) => place !== path));
    }
    const ids = change.events.map(() => this.#newId());
    const kbId = readKbId(this.#files, this.#root);
    const tail = readTail(this.#files, join(this.#root, LOG_FILE));
    let next = 0;
    const newId = (): string => ids[next++] as string;
    const text = appendedText(tail, change.events, { kbId, newId });
    return { puts, removes, log: { offset: tail.size, text, events: change.events, ids, kbId } };
  }
}

function skippedFile(reason: string, stamp: string): Cached {
  return { stamp, read: { type: 'skipped', reason }, version: stamp };
}
