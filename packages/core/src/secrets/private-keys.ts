import type { Span } from './spans.ts';

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;

/** Blocks of private keys, from their first line to their last; one that is cut off reaches to the end of the text. */
export function findPrivateKeys(text: string): readonly Span[] {
  if (!text.includes('PRIVATE KEY')) return [];
  const spans: Span[] = [];
  BEGIN.lastIndex = 0;
  for (let begin = BEGIN.exec(text); begin !== null; begin = BEGIN.exec(text)) {
    END.lastIndex = BEGIN.lastIndex;
    const end = END.exec(text) === null ? text.length : END.lastIndex;
    spans.push({ start: begin.index, end });
    BEGIN.lastIndex = end;
  }
  return spans;
}
