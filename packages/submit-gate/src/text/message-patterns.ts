import { A_DEED, A_WORD, MARKS, SET } from './deeds.ts';
import { type Worded, worded } from './worded.ts';

// What the sentences of an agent's last message say, by fixed rules for English.
const ADVERB = '(?:(?:now|also|already|just|all|both|successfully|then|fully|completely|since|correctly) )*';
/** Of texts whose deeds are marked. */
export const DEED_COMPLETION: readonly Worded[] = [
  `\\b(?:has|have|had) (?:now |all |both |also |already |just |successfully )*been ${ADVERB}${A_DEED}`,
  `\\b(?:i|we)(?:['’]ve| have) ${ADVERB}${A_DEED}`,
  `\\b(?:i|we) ${ADVERB}${A_DEED}`,
  `\\b(?:is|are) (?:now|all|successfully|both) ${ADVERB}(?:${A_DEED}|(?:live|in place|working|ready|running|active)\\b)`,
  `\\b(?:was|were|is|are) ${A_WORD}?successfully ${A_DEED}|\\bsuccessfully ${A_DEED}|${A_DEED} successfully\\b`,
  `\\b(?:was|were) ${ADVERB}${A_DEED}(?! (?:on|in|by|at|before|after|from|with|more|over|less|because|due|within|under)\\b)`,
  `^(?:(?:ok|okay|alright|great|all ${SET}|and|also|then)[,:—-]* )?${ADVERB}${A_DEED}(?!\\?)`,
].map((pattern) => worded(`${MARKS}|live|in place|working|ready|running|active`, new RegExp(pattern, 'i')));
export const COMPLETION: readonly Worded[] = [
  worded(
    'done|set|changes are in|complete|fixed|in place|finished|resolved|taken care|went through|took effect|takes effect',
    /\b(?:all (?:done|set|changes are in|tasks? (?:are )?complete)|task (?:is )?complete|work is (?:done|complete)|(?:that|it)['’]?s (?:all )?(?:done|fixed|in place)|is (?:done|complete|finished|resolved|fixed|taken care of)|went through|took effect|takes effect now)\b/i,
  ),
  worded(
    'complete|is in|was in|successful|confirmed',
    /\b(?:the )?(?:fix|change|refactor|migration|upgrade|booking|order|implementation) (?:is|was) (?:complete|in|successful|confirmed)\b/i,
  ),
];
export const FAILURE: readonly Worded[] = [
  worded(
    'fail|crash|timed out|did|does',
    /\b(?:failed|fails|failing|failure|crash(?:ed|es)|timed out|did(?: not|n['’]t) (?:work|succeed|go through|apply|take effect)|does(?: not|n['’]t) (?:work|compile|build|pass))\b/i,
  ),
  worded(
    'could|able to|can',
    /\b(?:could(?: not|n['’]t)|was(?: not|n['’]t) able to|were(?: not|n['’]t) able to|(?:was|were|been) unable to|can(?:not|['’]t) (?:reproduce|find|access|connect|reach|open|complete|finish|get|verify|confirm)) ?(?!offer|provide)\w*/i,
  ),
  worded(
    'error|issue|problem|exception',
    /\b(?:ran into|encounter(?:ed|ing)|hit|getting|got|there (?:is|was)|due to|returned) (?:an? )?(?:\w+ )?(?:error|issue|problem|exception)s?\b/i,
  ),
  worded(
    'still|not |no luck|gave up',
    /\b(?:is|are|was|were) still (?:broken|failing|red|open|unresolved)\b|\bnot (?:yet )?(?:fixed|done|finished|complete|resolved|working)\b|\bno luck\b|\bgave up\b/i,
  ),
];
export const DENIAL = worded(
  'policy|not allowed|not permitted|not eligible|non-refundable|cannot be|regular fare|basic economy',
  /\b(?:policy|not allowed|not permitted|not eligible|non-refundable|cannot be (?:modified|changed|cancell?ed|refunded)|regular fare|basic economy)\b/i,
);
export const HAND_OFF: readonly Worded[] = [
  worded(
    'transfer|escalat|forward|hand|connect|pass',
    /\b(?:i (?:will|shall) (?:now )?|i['’]ll (?:now )?|i am |i['’]m |let me |proceed to |have |been |now )(?:transfer(?:ring|red)?|escalat(?:e|ed|ing)|forward(?:ed|ing)?|hand(?:ed|ing)?|connect(?:ed|ing)?|pass(?:ed|ing)?)\b.{0,40}\b(?:to|over|off|with)\b/i,
  ),
  worded(
    'transfer|escalat|handed|hold on|over to you',
    /\b(?:transferred|escalated|handed (?:this |it )?(?:over|off)) to\b|\bhold on (?:for a moment )?while i\b|\bproceed with the transfer\b|\bover to you\b/i,
  ),
  worded(
    'agent|human|colleague|teammate|specialist|maintainer|reviewer',
    /\b(?:a|your) (?:human )?(?:agent|human|colleague|teammate|specialist|maintainer|reviewer) (?:will|has to|needs to|must) (?:take|look|decide|handle|assist|continue|follow)/i,
  ),
  worded(
    'needs|requires|waiting|please take',
    /\b(?:needs|requires|waiting (?:for|on)) (?:your|a human|human|manual|someone['’]s) (?:decision|approval|review|input|action|sign-?off)\b|\bplease take (?:it|this) from here\b/i,
  ),
];
export const POLITE =
  /^(?:you(?:['’]re| are) (?:very |most )?welcome|thank(?:s| you)|of course|sure|certainly|hello|hi\b|hey\b|good (?:morning|day|evening)|have a|safe travels|take care|i['’]m (?:glad|happy|sorry|truly|very|here)|i am (?:glad|happy|sorry|here)|glad|happy|great|perfect|got it|understood|no problem|my pleasure|i understand|i see|i appreciate|i hope|sorry|apologies|i apologi[sz]e|don['’]t hesitate|feel free|let me know|if you|if there|should you|please (?:let|feel|hold|reach|wait)|wait|okay|ok|yes|alright|sounds good|welcome|enjoy|goodbye|bye|best|otherwise|i['’]ll be here|looking forward|reach out)\b/i;
export const STANCE = worded(
  'feel free|let me know|reach out|need|happy to help|here to|have a|anything else|can i help',
  /\b(?:feel free|let me know|reach out|need(?:ed)? (?:further|any|more)|happy to help|here to (?:help|assist)|have a (?:great|good|nice|safe)|anything else|how can i help|can i help)\b/i,
);
export const OFFER = worded(
  "would|shall i|do you|should|may|could|can|'d|’d|please|recommend|you |might|need to|let's |let’s ",
  /\b(?:would you like|shall i|do you want|should i|may i|could you|can you|i can (?:also |then |now |help|assist|transfer|offer|look|do|proceed|try|run|add)|i could|i(?:['’]d| would) (?:need|recommend|suggest|like|be happy)|please (?:provide|confirm|share|tell|specify|choose|send|give|check|review|contact)|i recommend|you (?:can|could|may|might|should|need to|will need)|it may help|(?:may|might) (?:have|be able)|let['’]s |(?:we|i) (?:should|might|need to))\b/i,
);
export const PLAN = worded(
  "i will|i'll|i’ll|going to|let me|next|plan|now i|i'm|i’m|about to|to do this|first|we |once ",
  /\b(?:i will|i['’]ll|i am going to|i['’]m going to|let me|next,? i|i plan to|now i|i['’]m (?:now )?(?:checking|looking|running|working)|going to|about to|the plan|to do this|first,? i|we (?:will|can then)|once (?:i|you|we|this|that))\b/i,
);
export const CONDITION = /^(?:if|once|when|after|before|unless|should|assuming|in case)\b/i;
/** Of a text whose deeds are marked. */
export const NEGATED = worded(
  MARKS,
  new RegExp(
    `\\b(?:not|never|n['’]t|without|nothing|no one|nobody|none of|yet to|hardly|would have|could have|to be) ${A_WORD}{0,3}${A_DEED}`,
    'i',
  ),
);
export const UNSURE = worded(
  'verify|confirm|tell|say|check',
  /\b(?:could(?: not|n['’]t)|can(?:not|['’]t)|(?:was|am|were|are)(?: not|n['’]t) able to|unable to) (?:verify|confirm|tell|say|check)\b/i,
);
export const PAST_STATE = worded(
  'before|earlier|previously|originally|yesterday|last |by ',
  /\b(?:as (?:requested )?(?:before|earlier)|previously|originally|yesterday|last (?:week|month|year)|by (?:the|another|a) \w+)\b/i,
);
