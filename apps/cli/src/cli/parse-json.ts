import type { Json } from '@warrant/core';

/** The value of a JSON text that a person typed, or undefined for a text that is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
