import { hash } from 'node:crypto';
import { canonicalJson } from './canonical.ts';
import type { Digest, Json } from './json.ts';

/** SHA-256 over the canonical form (RFC 8785) of the value. Records, plans, policies, tools and charts are named by it. */
export function digest(value: Json): Digest {
  return digestBytes(canonicalJson(value));
}

/** SHA-256 over bytes, or over text as UTF-8. */
export function digestBytes(bytes: string | Uint8Array): Digest {
  return `sha256:${hash('sha256', bytes, 'hex')}`;
}
