import { toWellFormed } from '@warrant/core';

/** At most `limit` UTF-16 code units, well-formed, with an ellipsis where something is missing. */
export function shorten(text: string, limit: number): string {
  const whole = toWellFormed(text);
  return whole.length <= limit ? whole : `${toWellFormed(whole.slice(0, limit - 1)).replace(/\uFFFD$/, '')}…`;
}

/** A name as data, not as words of ours: quoted, on one line, short. */
export function quoted(name: string, limit = 60): string {
  return JSON.stringify(shorten(name, limit)).replace(
    // Controls and direction marks could make the text read as something else.
    /[\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
