import type { Json } from '@warrant/core';

/** A value's text as the reference sees it: JSON with ASCII escapes and blanks for lists and maps, else as Python prints it. */
export function referenceText(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'number' ? String(value) : spaced(value);
}

function spaced(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (value !== null && typeof value === 'object') {
    const parts = Object.entries(value).map(([name, part]) => `${ascii(name)}: ${spaced(part)}`);
    return `{${parts.join(', ')}}`;
  }
  return typeof value === 'string' ? ascii(value) : JSON.stringify(value);
}

function ascii(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Tokens of a value: a quarter of its characters, at least one. */
export function referenceTokens(value: Json): number {
  return Math.max(1, Math.floor(Array.from(referenceText(value)).length / 4));
}
