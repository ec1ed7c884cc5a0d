import { createHash } from 'node:crypto';

/**
 * The id of a concept that a document names without one: a UUID of version 8 (RFC 9562) from its fold key, so that
 * every import anywhere gives the same.
 * @param attempt above 0 when the id before is held by a concept of another name
 */
export function conceptId(key: string, attempt = 0): string {
  const hash = createHash('sha256').update(`warrant.graph/1\n${attempt}\n${key}`).digest();
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80;
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
