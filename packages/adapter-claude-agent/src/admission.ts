/** Code and quotations are not what the agent says of its own work. */
const NOT_SAID = /```[\s\S]*?(?:```|(?![\s\S]))|`[^`\n]*`|^[ \t]*>.*$|"[^"\n]{0,400}"|“[^”\n]{0,400}”/gm;
const SENTENCE = /[^.!?\n;]+[.!?;]?/g;

const ABLE = "(?:could|can|did|do|have|has|was|were|is|are|am)(?: ?n[o'’]t|not)";
const LATER = '(?:yet |been |be |being |able to |have |actually |fully |independently )*';
const ADMITS: readonly RegExp[] = [
  `\\b(?:is|are|was|were|be|remains?|stays?|left|leav(?:es?|ing)|still|as|it|this|that|changes?) ${LATER}unverified\\b`,
  '^[\\s*_#-]*(?:note|status|caveat)?[\\s:*_-]*unverified\\b',
  `\\b${ABLE} ${LATER}verif(?:y|ied)\\b`,
  '\\b(?:unable|failed|impossible) to verify\\b',
  `\\b(?:not|never|yet to be) ${LATER}verified\\b|\\bwithout (?:having )?verif(?:ying|ied|ication)\\b`,
].map((pattern) => new RegExp(pattern, 'i'));
const DENIES =
  /\b(?:no longer|not|nothing|none|no|never|neither) (?:\w+ ){0,4}unverified\b|^\s*(?:if|unless|until|when|whether|should|before)\b/i;

/** True where a message says in plain words that what it tells of was not verified: that is no claim that it is done. */
export function admitsUnverified(message: string): boolean {
  const said = message.replace(NOT_SAID, ' ');
  const sentences = said.match(SENTENCE) ?? [];
  return sentences.some(
    (sentence) => !sentence.endsWith('?') && !DENIES.test(sentence) && ADMITS.some((pattern) => pattern.test(sentence)),
  );
}
