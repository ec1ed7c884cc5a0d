import { clipText, clipTextEnd } from '@warrant/core';

/** A text of up to so many UTF-16 units as it is; of a longer one beginning and end, half each. */
export function cutText(text: string, longest: number, between = '\n…\n'): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  return `${clipText(text, half)}${between}${clipTextEnd(text, half)}`;
}
