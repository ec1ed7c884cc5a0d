import { digest, foldName } from '@warrant/core';
import { checkKey, MAX_KEY_LENGTH } from '../keys.ts';

/** Longest part of a key that a foreign name makes. */
const MAX_PART = 80;

/** The prefix of everything that a provider's imports write. */
export function importPrefix(provider: string): string {
  return `memory/provider/${partOf(provider, provider)}`;
}

/**
 * A canonical key for a foreign name: the same name always the same key. What cannot stand in a key becomes a hyphen, and
 * a part that still cannot is named by its digest. `..` and the like are parts like any other: nothing leads out.
 */
export function itemKey(prefix: string, name: string): string {
  const parts = name.split('/').filter((part) => part !== '');
  const key = [prefix, ...parts.map((part) => partOf(part, name))].join('/');
  return parts.length > 0 && key.length <= MAX_KEY_LENGTH && checkKey(key).type === 'canonical'
    ? key
    : `${prefix}/${named(name)}`;
}

function partOf(part: string, whole: string): string {
  const plain = foldName(part.normalize('NFKC'))
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}_.-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  const fits = plain !== '' && plain.length <= MAX_PART && checkKey(`memory/x/${plain}`).type === 'canonical';
  return fits ? plain : named(whole + part);
}

function named(text: string): string {
  return `x-${digest(text).slice(-16)}`;
}
