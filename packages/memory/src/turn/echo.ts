import type { Json } from '@warrant/core';

/** Marks each line of a recall that was handed to a model, so that it is known when it comes back. */
const QUOTED_LINE = /^\s*\{"(?:data|notice)":".*\}\s*$/;
const BLOCK = /<warrant-memory>[\s\S]*?(?:<\/warrant-memory>|$)/g;

/** The text without what was recalled: a block that was handed out is never remembered as something new. */
export function withoutRecalled(text: string): string {
  return text
    .replaceAll(BLOCK, '')
    .split('\n')
    .filter((line) => !QUOTED_LINE.test(line))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** The same for every text within a value. */
export function valueWithoutRecalled(value: Json): Json {
  if (typeof value === 'string')
    return value.includes('{"') || value.includes('<warrant-memory>') ? withoutRecalled(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map(valueWithoutRecalled);
  return Object.fromEntries(
    Object.entries(value as { readonly [name: string]: Json }).map(([name, part]) => [
      name,
      valueWithoutRecalled(part),
    ]),
  );
}
