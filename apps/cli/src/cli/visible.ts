/** The joiners stay, with which emoji and several scripts are written, and the signs of Arabic and Syriac that are seen. */
const controls = /\p{Cc}|(?![\u0600-\u0605\u06dd\u070f\u08e2\u200c\u200d])[\p{Cf}\p{Zl}\p{Zp}]/gu;
/** The styles that `styled` writes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the control characters that may stay.
const styles = /(\u001b\[(?:0|1|2|22|31|32|33|36|39)m)/;

/**
 * Text for a person's terminal: names come from agents, so control characters, hidden ones and those that turn the
 * direction of writing are shown as escapes. Line ends, tabs and this program's own colours stay.
 */
export function visible(text: string, { colour }: { readonly colour: boolean }): string {
  if (!colour) return escaped(text);
  return text
    .split(styles)
    .map((part, index) => (index % 2 === 1 ? part : escaped(part)))
    .join('');
}

/** The same for a name or another text that has one line: a line end in it would look like what this program says. */
export function visibleLine(text: string): string {
  return visible(text, { colour: false }).replaceAll('\n', '\\n');
}

function escaped(text: string): string {
  return text.replace(controls, (sign) => (sign === '\n' || sign === '\t' ? sign : escapeOf(sign)));
}

function escapeOf(sign: string): string {
  const code = (sign.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}
