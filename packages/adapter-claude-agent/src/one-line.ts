/** Signs that break a line, or that nobody sees. */
const HIDDEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** A text on one line, with every sign in it to be seen: names come from the model and from servers. */
export function oneLine(text: string): string {
  return text.replace(HIDDEN, (sign) => {
    const escaped = JSON.stringify(sign).slice(1, -1);
    return escaped === sign ? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}` : escaped;
  });
}
