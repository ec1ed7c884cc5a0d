/**
 * A pattern and words of which at least one, in small letters, stands in every text that it fits. An engine takes up to a
 * millisecond to make a long pattern ready, and most sentences hold no word of most of them.
 */
export type Worded = { readonly words: readonly string[]; readonly pattern: RegExp };

/** @param words separated by `|` */
export function worded(words: string, pattern: RegExp): Worded {
  return { words: words.split('|'), pattern };
}

export function fits({ words, pattern }: Worded, text: string): boolean {
  const small = text.toLowerCase();
  return words.some((word) => small.includes(word)) && pattern.test(text);
}
