import { createHash } from 'node:crypto';
import { canonicalJson, type Digest, type Json, type Snapshot, type SnapshotStore } from '@warrant/core';
import type { KeyStore } from './keys.ts';
import { checkStream } from './prepare.ts';
import { asDigest, hexOf } from './row.ts';
import { combineKeys, openText, sealText } from './sealing.ts';
import type { JournalStore, StoredSnapshot } from './store.ts';

/** A snapshot that was passed over: whoever folds the stream starts from its beginning. */
export type IgnoredSnapshot = {
  readonly stream: string;
  readonly program: Digest;
  /** `outdated`: the journal has another entry at its position, or none. */
  readonly reason: 'damaged' | 'outdated' | 'erased';
};
type Body = { readonly position: number; readonly entry: string; readonly state: Json };
const SEALED = 'sealed:';

/** @internal */
export function createSnapshots(
  store: JournalStore,
  keys: KeyStore | undefined,
  onIgnored: (ignored: IgnoredSnapshot) => void,
): SnapshotStore {
  return {
    save: async (snapshot) => {
      checkStream(snapshot.stream);
      const { stream, position, program, entry, state } = snapshot;
      const text = canonicalJson({ position, entry, state });
      const key = await keyOf(store, keys, stream, position);
      // A snapshot that erased data went into would bring that data back.
      if (key === 'erased') return;
      const body = key === undefined ? text : SEALED + sealText(key, contextOf(stream, program), text);
      await store.saveSnapshot({
        stream,
        program,
        position,
        body,
        digest: bodyDigest(stream, program, position, body),
      });
    },
    load: async (stream, program) => {
      checkStream(stream);
      const stored = await store.loadSnapshot(stream, program);
      if (stored === undefined) return undefined;
      const opened = await openSnapshot(store, keys, stored);
      if (typeof opened !== 'string') return opened;
      onIgnored({ stream, program, reason: opened });
      return undefined;
    },
  };
}

async function openSnapshot(
  store: JournalStore,
  keys: KeyStore | undefined,
  stored: StoredSnapshot,
): Promise<Snapshot | 'damaged' | 'outdated' | 'erased'> {
  const { stream, program, position, body } = stored;
  if (bodyDigest(stream, program, position, body) !== stored.digest) return 'damaged';
  let text: string | undefined = body;
  if (body.startsWith(SEALED)) {
    const key = await keyOf(store, keys, stream, position);
    if (key === 'erased' || key === undefined) return 'erased';
    text = openText(key, contextOf(stream, program), body.slice(SEALED.length));
    if (text === undefined) return 'damaged';
  }
  const parsed = parseBody(text);
  if (parsed === undefined || parsed.position !== position) return 'damaged';
  const { entry, state } = parsed;
  if ((await digestAt(store, stream, position)) !== entry) return 'outdated';
  return { stream, position, entry: asDigest(hexOf(entry as Digest)), program: program as Digest, state };
}

/** Undefined for what `save` never wrote: whoever changed the text may have made its digest anew. */
function parseBody(text: string): Body | undefined {
  try {
    const { entry, position, state } = JSON.parse(text) as { readonly [Key in keyof Body]?: Json };
    if (typeof entry !== 'string' || typeof position !== 'number' || state === undefined) return undefined;
    return { entry, position, state };
  } catch {
    // Not JSON, or null: the caller reports it.
    return undefined;
  }
}

/** The key of a snapshot is made of those of all subjects that went into it: with any one gone, so is it. */
async function keyOf(
  store: JournalStore,
  keys: KeyStore | undefined,
  stream: string,
  position: number,
): Promise<Uint8Array | 'erased' | undefined> {
  if (keys === undefined) return undefined;
  const lineage = await store.lineage(stream);
  const subjects = new Set<string>();
  for (const segment of lineage?.segments ?? []) {
    const part = { ...segment, to: Math.min(segment.to, position) };
    for (const subject of await store.subjects(part)) subjects.add(subject);
  }
  if (subjects.size === 0) return undefined;
  const found: Uint8Array[] = [];
  for (const subject of [...subjects].sort()) {
    const result = await keys.obtain(subject);
    if (result.type === 'erased') return 'erased';
    found.push(result.key);
  }
  return combineKeys(found);
}

async function digestAt(store: JournalStore, stream: string, position: number): Promise<Digest | undefined> {
  const lineage = await store.lineage(stream);
  const segment = lineage?.segments.find((one) => position >= one.from && position <= one.to);
  if (segment === undefined) return undefined;
  const rows = await store.page({ key: segment.key, from: position, to: position, limit: 1, direction: 'forward' });
  return rows[0] && asDigest(rows[0].digest);
}

function contextOf(stream: string, program: string): string {
  return JSON.stringify(['snapshot', stream, program]);
}

function bodyDigest(stream: string, program: string, position: number, body: string): string {
  return createHash('sha256')
    .update(JSON.stringify([stream, program, position]))
    .update(body)
    .digest('hex');
}
