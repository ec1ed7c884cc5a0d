import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import type { KeyStore } from './keys.ts';
import type { Prepared } from './row.ts';

const VERSION = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function derive(key: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, new Uint8Array(), `warrant.journal.${purpose}`, 32));
}

/**
 * Encrypts text under a key with AES-256-GCM. The nonce is a keyed digest of text and context, so that the same entry
 * given again becomes the same ciphertext (which is how a redelivery is known), and different ones never share a nonce
 * except by chance below 2^-32 after 2^32 entries of one subject.
 * @internal
 */
export function sealText(key: Uint8Array, context: string, text: string): string {
  const nonce = createHmac('sha256', derive(key, 'nonce'))
    .update(`${Buffer.byteLength(context)}:${context}`)
    .update(text)
    .digest()
    .subarray(0, NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', derive(key, 'content'), nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return VERSION + sealed.toString('base64url');
}

/** The text, or undefined when the key does not open it. @internal */
export function openText(key: Uint8Array, context: string, sealed: string): string | undefined {
  if (!sealed.startsWith(VERSION)) return undefined;
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', derive(key, 'content'), bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    // A wrong key or changed ciphertext fails the tag; both mean that there is nothing to read.
    return undefined;
  }
}

/** What binds a ciphertext to its entry. It holds no stream: a fork inherits entries as they are. @internal */
export function entryContext(subject: string, id: string): string {
  return JSON.stringify(['entry', subject, id]);
}

/** Puts the data of entries with a subject under that subject's key. @internal */
export async function sealEntries(entries: readonly Prepared[], keys: KeyStore): Promise<readonly Prepared[]> {
  const found = new Map<string, Uint8Array | 'erased'>();
  for (const { subject } of entries) {
    if (subject === undefined || found.has(subject)) continue;
    const result = await keys.obtain(subject);
    found.set(subject, result.type === 'key' ? result.key : 'erased');
  }
  if (found.size === 0) return entries;
  return entries.map((entry) => {
    if (entry.subject === undefined) return entry;
    const key = found.get(entry.subject) as Uint8Array | 'erased';
    if (key === 'erased') return { ...entry, erased: true };
    return { ...entry, sealed: sealText(key, entryContext(entry.subject, entry.id), entry.data) };
  });
}

/** One key of several: without any one of them it cannot be made. @internal */
export function combineKeys(keys: readonly Uint8Array[]): Uint8Array {
  return derive(Buffer.concat(keys), 'combined');
}
