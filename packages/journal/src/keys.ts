import { randomBytes } from 'node:crypto';

export type KeyFound = { readonly type: 'key'; readonly key: Uint8Array } | { readonly type: 'erased' };

/** Where the keys of subjects lie: apart from the journal, and from its backups, or erasing means little. */
export interface KeyStore {
  /** The subject's key of 32 bytes, made when there is none yet. Racing callers get the same key. */
  obtain(subject: string): Promise<KeyFound>;
  /** Like `obtain`, but makes nothing. */
  find(subject: string): Promise<KeyFound | { readonly type: 'none' }>;
  /** Destroys the key for good and remembers that it did; true when there was a key. */
  destroy(subject: string): Promise<boolean>;
}

/** Keys in this process only: what they sealed is unreadable after it ends. For tests. */
export function createMemoryKeyStore(): KeyStore {
  const keys = new Map<string, Uint8Array | 'erased'>();
  const found = (value: Uint8Array | 'erased'): KeyFound =>
    value === 'erased' ? { type: 'erased' } : { type: 'key', key: value.slice() };
  return {
    obtain: async (subject) => {
      const known = keys.get(subject);
      if (known !== undefined) return found(known);
      const key = randomBytes(32);
      keys.set(subject, key);
      return found(key);
    },
    find: async (subject) => {
      const known = keys.get(subject);
      return known === undefined ? { type: 'none' } : found(known);
    },
    destroy: async (subject) => {
      const known = keys.get(subject);
      if (known instanceof Uint8Array) known.fill(0);
      keys.set(subject, 'erased');
      return known instanceof Uint8Array;
    },
  };
}
