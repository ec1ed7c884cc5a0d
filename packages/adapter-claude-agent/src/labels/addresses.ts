import { backOver, type Letters, lettersOf, over } from './letters.ts';

type Span = { readonly start: number; readonly end: number };

/** A kind of address: the sign that makes it one, with what stands before and behind it. */
type Kind = {
  readonly sign: string;
  readonly before: Letters;
  /** The first of what stands before. */
  readonly first: Letters;
  readonly behind: Letters;
};

const NAME = lettersOf(/[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]/);
const MAIL: Kind = { sign: '@', before: NAME, first: NAME, behind: lettersOf(/[A-Za-z0-9.-]/) };
const LINK: Kind = {
  sign: '://',
  before: lettersOf(/[A-Za-z0-9+.-]/),
  first: lettersOf(/[A-Za-z]/),
  behind: lettersOf(/[^\s"'`<>)\]}]/),
};

/**
 * Mail boxes and links in a text, from left to right. The signs that make one are looked for first, so that each letter is
 * looked at a few times at most, whatever the text is: a file of one long word is a usual one.
 */
export function addressesIn(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  let mail: Span | null = null;
  let link: Span | null = null;
  for (;;) {
    if (mail === null || mail.start < from) mail = nextOf(MAIL, text, from);
    if (link === null || link.start < from) link = nextOf(LINK, text, from);
    const next: Span = link.start < mail.start ? link : mail;
    if (next.start >= text.length) return found;
    found.push(text.slice(next.start, next.end));
    from = next.end;
  }
}

/** The first of a kind behind a place; it starts at the end of the text where there is none. */
function nextOf({ sign, before, first, behind }: Kind, text: string, from: number): Span {
  for (let at = text.indexOf(sign, from); at >= 0; at = text.indexOf(sign, at + sign.length)) {
    let start = backOver(text, before, { from, at });
    while (start < at && !first(text.charCodeAt(start))) start += 1;
    const beyond = at + sign.length;
    const end = start < at ? over(text, behind, beyond) : beyond;
    if (end > beyond) return { start, end };
  }
  return { start: text.length, end: text.length };
}
