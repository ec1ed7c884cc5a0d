import { toWellFormed } from '@warrant/core';

/** Control characters, line breaks and marks that turn or hide text; a name must not be able to forge a line. */
const UNSAFE = /[\p{Cc}\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/gu;
const LONGEST = 200;

/** The text on one line, unsafe characters written as escapes, cut after 200 characters. */
export function safeText(text: string): string {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  return toWellFormed(cut).replace(UNSAFE, asEscape);
}

function asEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
