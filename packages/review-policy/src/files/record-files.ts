import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, isoTime } from '@warrant/core';
import { isSafeId } from '../ids.ts';
import { compareCodePoints } from '../text.ts';
import type { FileOps } from './file-ops.ts';
import { isFreshId, RECORD_FOLDERS } from './folder-paths.ts';
import { type ReadRecord, readRecord } from './record-text.ts';

/** A file that was passed over, and why. Paths are relative to the folder. */
export type SkippedFile = { readonly file: string; readonly reason: string };

export type FoundRecord = {
  readonly path: string;
  readonly read: Extract<ReadRecord, { type: 'record' }>;
  readonly version: string;
};
type Cached = { readonly stamp: string; readonly read: ReadRecord; readonly version: string };

/** The files of `proposed/` and `decided/`, read anew where they changed. */
export class RecordFiles {
  readonly #files: FileOps;
  readonly #root: string;
  readonly #clock: Clock;
  readonly #isKind: (kind: string) => boolean;
  readonly #cache = new Map<string, Cached>();
  /** Files that bear their record's id as name. */
  readonly #named = new Set<string>();

  constructor(files: FileOps, root: string, options: { clock: Clock; isKind: (kind: string) => boolean }) {
    this.#files = files;
    this.#root = root;
    this.#clock = options.clock;
    this.#isKind = options.isKind;
  }

  *all(): IterableIterator<FoundRecord> {
    for (const path of this.#paths()) {
      const found = this.#record(path);
      if (found !== null) yield found;
    }
  }

  skipped(): readonly SkippedFile[] {
    return [...this.#paths()].flatMap((file) => {
      const cached = this.#load(file);
      return cached?.read.type === 'skipped' ? [{ file, reason: cached.read.reason }] : [];
    });
  }

  /** Where records of the id are: under its name, else under another one when the id is only inside. */
  places(id: string): readonly FoundRecord[] {
    const found: FoundRecord[] = [];
    if (isSafeId(id)) {
      for (const path of [`proposed/${id}.yaml`, `decided/${id}.yaml`]) {
        const record = this.#record(path);
        if (record?.read.record.proposal.id === id) found.push(record);
      }
    }
    if (found.length > 0 || isFreshId(id, this.#clock.now())) return found;
    for (const path of this.#paths()) {
      if (this.#named.has(path)) continue;
      const record = this.#record(path);
      if (record?.read.record.proposal.id === id) found.push(record);
    }
    return found;
  }

  *#paths(): IterableIterator<string> {
    for (const folder of RECORD_FOLDERS) {
      const names = this.#files.list(join(this.#root, folder)).filter((name) => name.endsWith('.yaml'));
      for (const name of names.sort(compareCodePoints)) yield `${folder}/${name}`;
    }
  }

  #record(path: string): FoundRecord | null {
    const cached = this.#load(path);
    return cached?.read.type === 'record' ? { path, read: cached.read, version: cached.version } : null;
  }

  #load(path: string): Cached | null {
    const full = join(this.#root, path);
    const stat = this.#files.stat(full);
    if (stat === null) {
      this.#named.delete(path);
      return null;
    }
    const stamp = `${stat.ino}/${stat.size}/${stat.mtimeMs}`;
    const cached = this.#cache.get(path);
    if (cached?.stamp === stamp) return cached;
    const loaded = stat.kind === 'file' ? this.#read(full, stamp) : skippedFile('not a regular file', stamp);
    const isNamed = loaded.read.type === 'record' && path.endsWith(`/${loaded.read.record.proposal.id}.yaml`);
    if (isNamed) this.#named.add(path);
    else this.#named.delete(path);
    // A file that changed within the clock's grain may change again without a new stamp.
    if (this.#clock.now() - stat.mtimeMs > 50) this.#cache.set(path, loaded);
    return loaded;
  }

  #read(full: string, stamp: string): Cached {
    const bytes = this.#files.read(full);
    if (bytes === null) return skippedFile('vanished', stamp);
    const read = readRecord(bytes, { now: isoTime(this.#clock), kinds: this.#isKind });
    return { stamp, read, version: versionOf(bytes) };
  }
}

/** The version of a record whose file holds these bytes. */
export function versionOf(bytes: string | Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function skippedFile(reason: string, stamp: string): Cached {
  return { stamp, read: { type: 'skipped', reason }, version: stamp };
}
