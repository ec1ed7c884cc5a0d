import type { ResolvedConfig } from './config-types.ts';
import type { Draft } from './state.ts';
import { hashSlice } from './text/hash.ts';
import { codeSpans } from './text/tokens.ts';
import type { GateState } from './types.ts';

const HASH = 5;
const BLOCK = 200 * HASH;
/** From here on a set pays for itself. */
const FEW = 32;

/** True when the identifier or code was observed, or said by a person. */
export function knows(state: GateState, name: string): boolean {
  return knowsHash(state, hashSlice(name, 0, name.length));
}

function knowsHash(state: GateState, hash: string): boolean {
  for (const block of state.codes) {
    for (let at = block.indexOf(hash); at >= 0; at = block.indexOf(hash, at + 1)) if (at % HASH === 0) return true;
  }
  return false;
}

function hashSet(state: GateState): ReadonlySet<string> {
  const found = new Set<string>();
  for (const block of state.codes)
    for (let at = 0; at < block.length; at += HASH) found.add(block.slice(at, at + HASH));
  return found;
}

/** Remembers more codes. What came first stays, so that a code once known stays known; beyond the limit nothing is added. */
export function remember(config: ResolvedConfig, state: Draft, hashes: string): void {
  if (hashes === '' || state.codesFull) return;
  const known = hashes.length > FEW * HASH ? hashSet(state) : null;
  let fresh = '';
  for (let at = 0; at < hashes.length; at += HASH) {
    const hash = hashes.slice(at, at + HASH);
    if (!(known === null ? knowsHash(state, hash) : known.has(hash))) fresh += hash;
  }
  if (fresh === '') return;
  const room = config.limits.codes * HASH - state.codes.reduce((sum, block) => sum + block.length, 0);
  const added = fresh.slice(0, Math.max(0, room));
  state.codes = joined(state.codes, added);
  state.codesFull = added.length < fresh.length;
}

function joined(blocks: readonly string[], added: string): readonly string[] {
  const last = blocks.at(-1) ?? '';
  const out = blocks.slice(0, -1);
  const text = last + added;
  for (let at = 0; at < text.length; at += BLOCK) out.push(text.slice(at, at + BLOCK));
  return out;
}

/** The name under which it is remembered that something was looked at. */
export function lookedAtName(target: string): string {
  return `looked at ${target}`;
}

/** Hashes of identifiers, to be remembered. */
export function hashesOf(names: readonly string[]): string {
  let out = '';
  for (const name of names) out += hashSlice(name, 0, name.length);
  return out;
}

/** Codes of a text that were never observed, at most `limit`; a figure with thousands separators counts as known in either form. */
export function unseenCodes(state: GateState, text: string, limit = 8): readonly string[] {
  const unseen = new Set<string>();
  const plain = text.replace(/(?<=\d),(?=\d{3}(?!\d))/g, '');
  for (const [start, end] of codeSpans(plain)) {
    if (unseen.size >= limit) break;
    if (!knowsHash(state, hashSlice(plain, start, end))) unseen.add(plain.slice(start, end));
  }
  return [...unseen];
}
