import { TRUST_ORDER, type Trust } from '@warrant/core';
import { HASH_BYTES, hashValue } from './seen-values.ts';

// What was seen of one trust, as bytes: hashes one after the other. Where there were too many, earlier ones stand in a
// filter in front of them, which knows each of them and takes a few others for one. By its head it is told from hashes.

/** Bytes of hashes that are kept as they are. */
export const MOST_LISTED = HASH_BYTES * 20_000;
const HEAD_BYTES = HASH_BYTES / 2;
const FILTER_BYTES = 262_144;
/** Bits that a value sets: with 200,000 values in a filter, fewer than one other in a hundred is taken for one of them. */
const PROBES = 7;

/** Stands among what was seen of a source when not all of it could be remembered. */
export const OVERFLOW = hashValue('\u0000more than is remembered');

/**
 * What was seen of one trust, with more of it. What a person said may be forgotten: it has no label then, which is less
 * than it had. Of all others nothing may be.
 */
export function joinTrust(trust: Trust, before: Uint8Array, more: Uint8Array): Uint8Array {
  const [a, b] = [partsOf(before), partsOf(more)];
  const list = Buffer.concat([a.list, b.list]);
  const filter = a.filter === null || b.filter === null ? (a.filter ?? b.filter) : either(a.filter, b.filter);
  if (list.length <= MOST_LISTED) return filter === null ? list : withFilter(filter, list);
  if (trust === TRUST_ORDER.at(-1)) return list.subarray(list.length - MOST_LISTED);
  const folded = Buffer.from(filter ?? new Uint8Array(FILTER_BYTES));
  for (let at = 0; at + HASH_BYTES <= list.length; at += HASH_BYTES) setBits(folded, list, at);
  return withFilter(folded, isListed(list, OVERFLOW) ? OVERFLOW : new Uint8Array());
}

/** True when the hash is among those that were seen. */
export function hasSeen(seen: Uint8Array | undefined, hash: Uint8Array): boolean {
  if (seen === undefined) return false;
  const { filter, list } = partsOf(seen);
  return isListed(list, hash) || (filter !== null && hasBits(filter, Buffer.from(hash)));
}

/** True when more was seen than could be remembered. */
export function isCut(seen: Uint8Array | undefined): boolean {
  return seen !== undefined && isListed(partsOf(seen).list, OVERFLOW);
}

type Parts = { readonly filter: Buffer | null; readonly list: Buffer };

function partsOf(seen: Uint8Array): Parts {
  const all = Buffer.from(seen.buffer, seen.byteOffset, seen.byteLength);
  if (all.length % HASH_BYTES !== HEAD_BYTES || all.length < HEAD_BYTES + FILTER_BYTES)
    return { filter: null, list: all };
  const behind = HEAD_BYTES + FILTER_BYTES;
  return { filter: all.subarray(HEAD_BYTES, behind), list: all.subarray(behind) };
}

function withFilter(filter: Buffer, list: Uint8Array): Uint8Array {
  return Buffer.concat([new Uint8Array(HEAD_BYTES), filter, list]);
}

function isListed(list: Buffer, hash: Uint8Array): boolean {
  const wanted = Buffer.from(hash);
  for (let at = list.indexOf(wanted); at >= 0; at = list.indexOf(wanted, at + 1))
    if (at % HASH_BYTES === 0) return true;
  return false;
}

function setBits(filter: Buffer, hashes: Buffer, at: number): void {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(hashes, at, probe);
    filter[bit >>> 3] = (filter[bit >>> 3] as number) | (1 << (bit & 7));
  }
}

function hasBits(filter: Buffer, hash: Buffer): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(hash, 0, probe);
    if (((filter[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

/** The halves of a hash give as many places as are wanted. */
function bitOf(hashes: Buffer, at: number, probe: number): number {
  return (hashes.readUInt32LE(at) + probe * (hashes.readUInt32LE(at + HASH_BYTES / 2) | 1)) & (FILTER_BYTES * 8 - 1);
}

function either(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(a.map((byte, at) => byte | (b[at] as number)));
}
