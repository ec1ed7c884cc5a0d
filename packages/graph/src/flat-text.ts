import { isWellFormed } from '@warrant/core';

/**
 * The canonical JSON of an object whose members are plain values under sorted keys, or null for any other value: the
 * common case of properties, in a fraction of the time.
 */
export function flatText(value: object): string | null {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  let text = '';
  let last = '';
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    const plain = plainText(member);
    // An integer key comes first whatever its order as text, and an inherited key is not ours.
    if (plain === null || (text !== '' && key <= last) || !isWellFormed(key) || !Object.hasOwn(value, key)) return null;
    text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${plain}`;
    last = key;
  }
  return `{${text}}`;
}

function plainText(member: unknown): string | null {
  if (typeof member === 'number') return Number.isFinite(member) ? JSON.stringify(member) : null;
  if (typeof member === 'string') return isWellFormed(member) ? JSON.stringify(member) : null;
  if (typeof member === 'boolean' || member === null) return String(member);
  return null;
}
