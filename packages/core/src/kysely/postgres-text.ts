// PostgreSQL text cannot hold U+0000. It is written as U+001A 0, and U+001A itself as U+001A 1, which keeps different
// texts different.
const NUL = '\u0000';
const ESCAPE = '\u001a';

/** Text as a PostgreSQL column can hold it. */
export function encodeText(text: string): string {
  if (!text.includes(NUL) && !text.includes(ESCAPE)) return text;
  return text.replaceAll(ESCAPE, `${ESCAPE}1`).replaceAll(NUL, `${ESCAPE}0`);
}

/** The text that {@link encodeText} was given. */
export function decodeText(text: string): string {
  if (!text.includes(ESCAPE)) return text;
  return text.replaceAll(`${ESCAPE}0`, NUL).replaceAll(`${ESCAPE}1`, ESCAPE);
}
