/** Words that stand in nearly every key or text and name no subject. */
const GENERIC: ReadonlySet<string> = new Set(
  'memory memories working episodic long_term provider note notes data value values info item items thing things text'.split(
    ' ',
  ),
);
const MIN_LENGTH = 4;
/** Long enough and not generic, each once, sorted. */
export function subjectWords(words: readonly string[]): readonly string[] {
  const plain = words.map((word) => word.toLowerCase());
  return [...new Set(plain)].filter((word) => word.length >= MIN_LENGTH && !GENERIC.has(word)).sort();
}
