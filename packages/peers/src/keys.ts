import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { canonicalJson, type Json, WarrantError } from '@warrant/core';
import { BUNDLE_FORMAT, type BundleManifest } from './format.ts';

/** A publisher's keys as text. The private one never leaves the publisher. */
export type PeerKeys = {
  /** `ed25519:` and 32 bytes in base64url. */
  readonly publicKey: string;
  /** PKCS #8 in base64. */
  readonly privateKey: string;
};

const PUBLIC = /^ed25519:([A-Za-z0-9_-]{43})$/;

/** New Ed25519 keys. */
export function generatePeerKeys(): PeerKeys {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { publicKey: publicKeyText(publicKey), privateKey: der.toString('base64') };
}

function publicKeyText(key: KeyObject): string {
  return `ed25519:${key.export({ format: 'jwk' }).x ?? ''}`;
}

/** True for a text that {@link generatePeerKeys} could have given as a public key. */
export function isPublicKey(text: string): boolean {
  return PUBLIC.test(text);
}

/** What two people read to each other to compare keys: `SHA256:` and groups of four hex digits. @throws PEERS_KEY_INVALID */
export function fingerprint(publicKey: string): string {
  const hex = createHash('sha256').update(rawKey(publicKey)).digest('hex');
  return `SHA256:${(hex.match(/.{4}/g) ?? []).join(':')}`;
}

function rawKey(publicKey: string): Buffer {
  const text = PUBLIC.exec(publicKey)?.[1] ?? '';
  const bytes = Buffer.from(text, 'base64url');
  // The last character has bits that mean nothing: only one spelling of a key counts.
  if (text === '' || bytes.toString('base64url') !== text) {
    throw keyError('a public key is ed25519: and 43 characters of base64url');
  }
  return bytes;
}

/** @throws PEERS_KEY_INVALID */
export function signManifest(manifest: BundleManifest, privateKey: string): string {
  return sign(null, signedBytes(manifest), privateKeyOf(privateKey)).toString('base64');
}

/** The public key that belongs to a private one. @throws PEERS_KEY_INVALID */
export function publicKeyOf(privateKey: string): string {
  return publicKeyText(createPublicKey(privateKeyOf(privateKey)));
}

function privateKeyOf(text: string): KeyObject {
  try {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch (cause) {
    throw keyError('the private key cannot be read', cause);
  }
  throw keyError('the private key is not an Ed25519 key');
}

/** True when the holder of the key signed exactly this manifest. A key or signature that is none is false, not an error. */
export function isSignedBy(manifest: BundleManifest, signature: string, publicKey: string): boolean {
  const match = PUBLIC.exec(publicKey);
  const bytes = Buffer.from(signature, 'base64');
  if (match?.[1] === undefined || bytes.toString('base64') !== signature) return false;
  try {
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: match[1] }, format: 'jwk' });
    return verify(null, signedBytes(manifest), key, bytes);
  } catch {
    return false;
  }
}

/** The format in front keeps a signature from meaning anything under another one. */
function signedBytes(manifest: BundleManifest): Buffer {
  return Buffer.from(`${BUNDLE_FORMAT}\n${canonicalJson(manifest as unknown as Json)}`, 'utf8');
}

function keyError(message: string, cause?: unknown): WarrantError {
  return new WarrantError('PEERS_KEY_INVALID', message, cause === undefined ? {} : { cause });
}
