import type { Json } from '@warrant/core';

/** Content written in place is JSON where it parses, else its text with white space folded (standard B.2.8.1). */
export function inlineValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text.trim().replaceAll(/\s+/g, ' ');
  }
}
