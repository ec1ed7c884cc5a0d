import { clipText, clipTextEnd } from '@warrant/core';
import { textIdentifiers } from './identifiers.ts';
import { markDeeds } from './text/deeds.ts';
import {
  COMPLETION,
  CONDITION,
  DEED_COMPLETION,
  DENIAL,
  FAILURE,
  HAND_OFF,
  NEGATED,
  OFFER,
  PAST_STATE,
  PLAN,
  POLITE,
  STANCE,
  UNSURE,
} from './text/message-patterns.ts';
import { codeSpans } from './text/tokens.ts';
import { fits } from './text/worded.ts';
import type { Claim } from './types.ts';

/** What a message claims: `failure` that something went wrong, `hand-off` that somebody else goes on, `none` nothing about the world. */
export type MessageType = 'completion' | 'assertion' | 'failure' | 'hand-off' | 'none';
export type MessageReading = {
  readonly type: MessageType;
  /** What to submit: a failure is a negative assertion, a hand-off is unverified. */
  readonly claim: Claim;
  readonly identifiers: readonly string[];
  /** Numbers and codes named, as written. */
  readonly codes: readonly string[];
  /** The sentence that decided, or empty. */
  readonly because: string;
};

const LONGEST = 20_000;
/** Reads the last message of an agent by fixed rules for English; the same text gives the same answer everywhere. */
export function readMessage(text: string): MessageReading {
  const head = text.length > LONGEST ? `${clipText(text, LONGEST / 2)}\n${clipTextEnd(text, LONGEST / 2)}` : text;
  const found: { [type in MessageType]?: string } = {};
  const changes: (readonly string[])[] = [];
  for (const sentence of sentences(head)) {
    const type = sentenceType(sentence);
    found[type] ??= sentence;
    if (type === 'completion' && changes.length < 16) changes.push(namesIn(sentence));
  }
  for (const type of ['completion', 'hand-off', 'failure', 'assertion'] as const) {
    const because = found[type];
    if (because !== undefined) return reading(type, text, because, changes);
  }
  return reading('none', text, '', []);
}

const CLAIMS: { readonly [type in MessageType]: Claim } = {
  completion: { type: 'completion' },
  assertion: { type: 'assertion' },
  failure: { type: 'assertion', stance: 'negative' },
  'hand-off': { type: 'unverified' },
  none: { type: 'none' },
};

/** Names of an agent's kind: with a digit, a path or dot, an underscore, an at sign, or in capitals. */
function namesIn(text: string): readonly string[] {
  const names = textIdentifiers(text, { root: '', caseSensitive: true });
  return names.filter(
    (name) =>
      (/[/@._\d]/.test(name) || /^[A-Z]{4,}$/.test(name)) && (/[A-Za-z\d]/.test(name) || /[\p{L}\d]/u.test(name)),
  );
}

function reading(
  type: MessageType,
  text: string,
  because: string,
  changes: readonly (readonly string[])[],
): MessageReading {
  const codes = [...new Set(codeSpans(clipText(text, LONGEST)).map(([start, end]) => text.slice(start, end)))];
  const identifiers = namesIn(text);
  return {
    type,
    claim: { ...CLAIMS[type], text, ...(changes.length > 0 ? { changes } : {}) },
    identifiers,
    codes,
    because: clipText(because, 200),
  };
}

/** Sentences of prose and items of lists; code blocks and quotes make no claim. */
export function sentences(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n').replace(/^>.*$/gm, '');
  return prose
    .split(/\n+|(?<=[.!?])["')*_]*\s+(?=[^a-z])/)
    .map((part) => part.replace(/^[\s>#*•\-–—✅✓☑🎉]+|^\s*\d+[.)]\s+|\*\*|__/gu, '').trim())
    .filter((part) => /[A-Za-z]{2}/.test(part) || /\p{L}{2}/u.test(part));
}

function sentenceType(sentence: string): MessageType {
  if (/\?["')*_]*$/.test(sentence)) return 'none';
  const clause = mainClause(sentence);
  const handsOff =
    HAND_OFF.some((pattern) => fits(pattern, clause)) &&
    !/\b(?:can|could|would|may|might|recommend) (?:\w+ ){0,3}(?:transfer|connect|contact|speak)/i.test(clause);
  if (handsOff) return 'hand-off';
  if (!fits(UNSURE, clause) && halves(clause).some(isCompletion)) return 'completion';
  if (fits(STANCE, clause) || CONDITION.test(clause)) return 'none';
  if (!fits(DENIAL, clause) && FAILURE.some((pattern) => fits(pattern, clause))) return 'failure';
  if (fits(PLAN, clause) || fits(OFFER, clause) || POLITE.test(clause)) return laterClause(clause);
  return isHeading(clause) ? 'none' : 'assertion';
}

/** `I understand, but the fare is not refundable` asserts something after its politeness. */
function laterClause(sentence: string): MessageType {
  const rest =
    /[,;—-] (?:but|however|and) (.+)$/i.exec(sentence)?.[1] ??
    /^(?:yes|no|sure|great|perfect|ok(?:ay)?)[,!—-]+ (.+)$/i.exec(sentence)?.[1];
  return rest === undefined || rest.length < 12 ? 'none' : sentenceType(rest.charAt(0).toUpperCase() + rest.slice(1));
}

function mainClause(sentence: string): string {
  return CONDITION.test(sentence) ? (/^[^,]{1,160}, (.+)$/.exec(sentence)?.[1] ?? sentence) : sentence;
}

function isCompletion(clause: string): boolean {
  if (fits(PLAN, clause) && !/\b(?:i|we)(?:['’]ve| have)\b/i.test(clause)) return false;
  if (
    fits(NEGATED, markDeeds(clause)) ||
    fits(PAST_STATE, clause) ||
    /\b(?:would|could|should|might|can|may|must|needs? to|has to|have to) (?:now )?be /i.test(clause)
  )
    return false;
  const told = clause.replace(/\b(?:if|whether|unless|once) .*$/i, '');
  const marked = markDeeds(told);
  return DEED_COMPLETION.some((pattern) => fits(pattern, marked)) || COMPLETION.some((pattern) => fits(pattern, told));
}

/** A sentence that joins success and trouble with `but` claims what each half claims; success asks for more proof. */
function halves(sentence: string): readonly string[] {
  const parts = sentence.split(/[,;—] (?:but|however|though|although) /i);
  return parts.length === 2 && parts.every((part) => part.length >= 12) ? parts : [sentence];
}

function isHeading(clause: string): boolean {
  return clause.length < 60 && clause.endsWith(':');
}
