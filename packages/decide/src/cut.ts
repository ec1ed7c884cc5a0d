import { toWellFormed } from '@warrant/core';

/** The beginning of a text; a sign that would be cut in two is no text and could not be recorded. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : toWellFormed(text.slice(0, length));
}
