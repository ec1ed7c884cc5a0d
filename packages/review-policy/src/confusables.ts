import type { Finding } from './lint.ts';
import type { Policy } from './policy.ts';
import { hasControl } from './text.ts';

/** Letters of other scripts that look like Latin ones: the usual means of passing for somebody else. */
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑα',
    b: 'ЬƄ',
    c: 'сϲⅽ',
    d: 'ԁⅾ',
    e: 'еҽ',
    g: 'ɡ',
    h: 'һ',
    i: 'іıɩι',
    j: 'ј',
    k: 'κк',
    l: 'ӏⅼ|1I',
    m: 'ⅿм',
    n: 'ոп',
    o: 'оοօ0',
    p: 'рρ',
    q: 'ԛ',
    r: 'гᴦ',
    s: 'ѕ',
    t: 'τт',
    u: 'υս',
    v: 'νѵⅴ',
    w: 'ԝω',
    x: 'хχⅹ',
    y: 'уγ',
    z: 'ᴢ',
  }).flatMap(([plain, others]) => Array.from(others, (other) => [other, plain] as const)),
);

/** What a name looks like: two names of one look are easily taken for each other. */
function look(name: string): string {
  const bare = name.normalize('NFKD').replace(/[\p{Cf}\p{Mn}\p{White_Space}]/gu, '');
  return Array.from(bare, (letter) => LOOKALIKES.get(letter) ?? letter)
    .join('')
    .toLowerCase()
    .replace(/[-_.]+/g, '-');
}

/**
 * Actors of a policy that can be taken for another one of it or of `known`, and those with invisible or mixed letters.
 * Beside `lint`, since names that only look alike are no fault of the policy.
 */
export function lintActorNames(policy: Policy, known: readonly string[] = []): readonly Finding[] {
  const names = policy.rules.flatMap((rule, index) => [
    ...[...(rule.actors ?? [])].map((name) => ({ name, path: `/rules/${index}/when/actor` })),
    ...[...(rule.notActors ?? [])].map((name) => ({ name, path: `/rules/${index}/when/actor_not_in` })),
  ]);
  const looks = new Map<string, Set<string>>();
  for (const name of [...names.map((item) => item.name), ...known]) {
    looks.set(look(name), (looks.get(look(name)) ?? new Set()).add(name));
  }
  return names.flatMap(({ name, path }): readonly Finding[] => {
    const isAmbiguous = (looks.get(look(name))?.size ?? 0) > 1;
    return isAmbiguous || isOdd(name) ? [{ code: 'policy_confusable_actor', path, severity: 'warning' }] : [];
  });
}

function isOdd(name: string): boolean {
  const hasLatin = /\p{Script=Latin}/u.test(name);
  const hasLookalike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(name);
  return /\p{Cf}/u.test(name) || hasControl(name) || (hasLatin && hasLookalike);
}
