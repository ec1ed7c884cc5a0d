import { clipText, clipTextEnd } from '@warrant/core';
import { textIdentifiers } from './identifiers.ts';
import { A_DEED, A_WORD, markDeeds, SET } from './text/deeds.ts';
import { codeSpans } from './text/tokens.ts';
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
const ADVERB = '(?:(?:now|also|already|just|all|both|successfully|then|fully|completely|since|correctly) )*';
/** Of texts whose deeds are marked. */
const DEED_COMPLETION: readonly RegExp[] = [
  `\\b(?:has|have|had) (?:now |all |both |also |already |just |successfully )*been ${ADVERB}${A_DEED}`,
  `\\b(?:i|we)(?:['’]ve| have) ${ADVERB}${A_DEED}`,
  `\\b(?:i|we) ${ADVERB}${A_DEED}`,
  `\\b(?:is|are) (?:now|all|successfully|both) ${ADVERB}(?:${A_DEED}|(?:live|in place|working|ready|running|active)\\b)`,
  `\\b(?:was|were|is|are) ${A_WORD}?successfully ${A_DEED}|\\bsuccessfully ${A_DEED}|${A_DEED} successfully\\b`,
  `\\b(?:was|were) ${ADVERB}${A_DEED}(?! (?:on|in|by|at|before|after|from|with|more|over|less|because|due|within|under)\\b)`,
  `^(?:(?:ok|okay|alright|great|all ${SET}|and|also|then)[,:—-]* )?${ADVERB}${A_DEED}(?!\\?)`,
].map((pattern) => new RegExp(pattern, 'i'));
const COMPLETION: readonly RegExp[] = [
  /\b(?:all (?:done|set|changes are in|tasks? (?:are )?complete)|task (?:is )?complete|work is (?:done|complete)|(?:that|it)['’]?s (?:all )?(?:done|fixed|in place)|is (?:done|complete|finished|resolved|fixed|taken care of)|went through|took effect|takes effect now)\b/i,
  /\b(?:the )?(?:fix|change|refactor|migration|upgrade|booking|order|implementation) (?:is|was) (?:complete|in|successful|confirmed)\b/i,
];
const FAILURE: readonly RegExp[] = [
  /\b(?:failed|fails|failing|failure|crash(?:ed|es)|timed out|did(?: not|n['’]t) (?:work|succeed|go through|apply|take effect)|does(?: not|n['’]t) (?:work|compile|build|pass))\b/i,
  /\b(?:could(?: not|n['’]t)|was(?: not|n['’]t) able to|were(?: not|n['’]t) able to|(?:was|were|been) unable to|can(?:not|['’]t) (?:reproduce|find|access|connect|reach|open|complete|finish|get|verify|confirm)) ?(?!offer|provide)\w*/i,
  /\b(?:ran into|encounter(?:ed|ing)|hit|getting|got|there (?:is|was)|due to|returned) (?:an? )?(?:\w+ )?(?:error|issue|problem|exception)s?\b/i,
  /\b(?:is|are|was|were) still (?:broken|failing|red|open|unresolved)\b|\bnot (?:yet )?(?:fixed|done|finished|complete|resolved|working)\b|\bno luck\b|\bgave up\b/i,
];
const DENIAL =
  /\b(?:policy|not allowed|not permitted|not eligible|non-refundable|cannot be (?:modified|changed|cancell?ed|refunded)|regular fare|basic economy)\b/i;
const HAND_OFF: readonly RegExp[] = [
  /\b(?:i (?:will|shall) (?:now )?|i['’]ll (?:now )?|i am |i['’]m |let me |proceed to |have |been |now )(?:transfer(?:ring|red)?|escalat(?:e|ed|ing)|forward(?:ed|ing)?|hand(?:ed|ing)?|connect(?:ed|ing)?|pass(?:ed|ing)?)\b.{0,40}\b(?:to|over|off|with)\b/i,
  /\b(?:transferred|escalated|handed (?:this |it )?(?:over|off)) to\b|\bhold on (?:for a moment )?while i\b|\bproceed with the transfer\b|\bover to you\b/i,
  /\b(?:a|your) (?:human )?(?:agent|human|colleague|teammate|specialist|maintainer|reviewer) (?:will|has to|needs to|must) (?:take|look|decide|handle|assist|continue|follow)/i,
  /\b(?:needs|requires|waiting (?:for|on)) (?:your|a human|human|manual|someone['’]s) (?:decision|approval|review|input|action|sign-?off)\b|\bplease take (?:it|this) from here\b/i,
];
const POLITE =
  /^(?:you(?:['’]re| are) (?:very |most )?welcome|thank(?:s| you)|of course|sure|certainly|hello|hi\b|hey\b|good (?:morning|day|evening)|have a|safe travels|take care|i['’]m (?:glad|happy|sorry|truly|very|here)|i am (?:glad|happy|sorry|here)|glad|happy|great|perfect|got it|understood|no problem|my pleasure|i understand|i see|i appreciate|i hope|sorry|apologies|i apologi[sz]e|don['’]t hesitate|feel free|let me know|if you|if there|should you|please (?:let|feel|hold|reach|wait)|wait|okay|ok|yes|alright|sounds good|welcome|enjoy|goodbye|bye|best|otherwise|i['’]ll be here|looking forward|reach out)\b/i;
const STANCE =
  /\b(?:feel free|let me know|reach out|need(?:ed)? (?:further|any|more)|happy to help|here to (?:help|assist)|have a (?:great|good|nice|safe)|anything else|how can i help|can i help)\b/i;
const OFFER =
  /\b(?:would you like|shall i|do you want|should i|may i|could you|can you|i can (?:also |then |now |help|assist|transfer|offer|look|do|proceed|try|run|add)|i could|i(?:['’]d| would) (?:need|recommend|suggest|like|be happy)|please (?:provide|confirm|share|tell|specify|choose|send|give|check|review|contact)|i recommend|you (?:can|could|may|might|should|need to|will need)|it may help|(?:may|might) (?:have|be able)|let['’]s |(?:we|i) (?:should|might|need to))\b/i;
const PLAN =
  /\b(?:i will|i['’]ll|i am going to|i['’]m going to|let me|next,? i|i plan to|now i|i['’]m (?:now )?(?:checking|looking|running|working)|going to|about to|the plan|to do this|first,? i|we (?:will|can then)|once (?:i|you|we|this|that))\b/i;
const CONDITION = /^(?:if|once|when|after|before|unless|should|assuming|in case)\b/i;
/** Of a text whose deeds are marked. */
const NEGATED = new RegExp(
  `\\b(?:not|never|n['’]t|without|nothing|no one|nobody|none of|yet to|hardly|would have|could have|to be) ${A_WORD}{0,3}${A_DEED}`,
  'i',
);
const UNSURE =
  /\b(?:could(?: not|n['’]t)|can(?:not|['’]t)|(?:was|am|were|are)(?: not|n['’]t) able to|unable to) (?:verify|confirm|tell|say|check)\b/i;
const PAST_STATE =
  /\b(?:as (?:requested )?(?:before|earlier)|previously|originally|yesterday|last (?:week|month|year)|by (?:the|another|a) \w+)\b/i;

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
  return names.filter((name) => (/[/@._\d]/.test(name) || /^[A-Z]{4,}$/.test(name)) && /[\p{L}\d]/u.test(name));
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
    .filter((part) => /\p{L}{2}/u.test(part));
}

function sentenceType(sentence: string): MessageType {
  if (/\?["')*_]*$/.test(sentence)) return 'none';
  const clause = mainClause(sentence);
  const handsOff =
    HAND_OFF.some((pattern) => pattern.test(clause)) &&
    !/\b(?:can|could|would|may|might|recommend) (?:\w+ ){0,3}(?:transfer|connect|contact|speak)/i.test(clause);
  if (handsOff) return 'hand-off';
  if (!UNSURE.test(clause) && halves(clause).some(isCompletion)) return 'completion';
  if (STANCE.test(clause) || CONDITION.test(clause)) return 'none';
  if (!DENIAL.test(clause) && FAILURE.some((pattern) => pattern.test(clause))) return 'failure';
  if (PLAN.test(clause) || OFFER.test(clause) || POLITE.test(clause)) return laterClause(clause);
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
  if (PLAN.test(clause) && !/\b(?:i|we)(?:['’]ve| have)\b/i.test(clause)) return false;
  if (
    NEGATED.test(markDeeds(clause)) ||
    PAST_STATE.test(clause) ||
    /\b(?:would|could|should|might|can|may|must|needs? to|has to|have to) (?:now )?be /i.test(clause)
  )
    return false;
  const told = clause.replace(/\b(?:if|whether|unless|once) .*$/i, '');
  const marked = markDeeds(told);
  return DEED_COMPLETION.some((pattern) => pattern.test(marked)) || COMPLETION.some((pattern) => pattern.test(told));
}

/** A sentence that joins success and trouble with `but` claims what each half claims; success asks for more proof. */
function halves(sentence: string): readonly string[] {
  const parts = sentence.split(/[,;—] (?:but|however|though|although) /i);
  return parts.length === 2 && parts.every((part) => part.length >= 12) ? parts : [sentence];
}

function isHeading(clause: string): boolean {
  return clause.length < 60 && clause.endsWith(':');
}
