import { wordsOf } from '../words.ts';

/** What people say to let somebody go on: nothing is meant by it that could be looked for. */
const STOP_PHRASES: ReadonlySet<string> = new Set(
  [
    'ok, okay, yes, yep, yeah, no, nope, sure, fine, right, great, good, perfect, nice, thanks, thank you, continue, proceed, next, done',
    'go ahead, go on, carry on, keep going, do it, do that, do so, got it, makes sense, sounds good, looks good, looks good to me, lgtm',
    'all right, all good, of course, no problem, no thanks, not now, try again, once more, one more time, that is fine, that is right',
    'that is correct, that sounds good, that looks good, that works, that works for me, i agree, i see, as you wish, up to you',
    'what do you think, let us do it, let us go, lets go, lets do it, lets do that, and now, what now, what next, and then',
  ]
    .join(', ')
    .split(', '),
);
/** Words that may stand around such a phrase. */
const AROUND: ReadonlySet<string> = new Set('please now then just so yes ok okay sure thanks great'.split(' '));

/** True for a query that only lets somebody go on, such as `yes, please go ahead`. */
export function isStopPhrase(query: string): boolean {
  const words = wordsOf(query.replaceAll(/['’]s\b/gu, ' is').replaceAll(/['’]/gu, ''));
  for (let from = 0; from <= words.length; from += 1) {
    for (let to = words.length; to > from; to -= 1) {
      if (STOP_PHRASES.has(words.slice(from, to).join(' ')) && words.slice(to).every((word) => AROUND.has(word)))
        return true;
    }
    if (!AROUND.has(words[from] ?? '')) return false;
  }
  return false;
}
