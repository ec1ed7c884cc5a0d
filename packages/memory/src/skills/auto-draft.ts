import type { Actor } from '../actor.ts';
import type { Setup } from '../setup.ts';
import { type DraftResult, pendingDrafts, proposeSkill } from './draft.ts';
import { subjectWords } from './subject-words.ts';

/** Keys that the draft names. */
const NAMED = 3;

/** What agents do again and again without an instruction for it: a skill is asked for, unless one on the same subject waits. */
export async function proposeFromCluster(
  setup: Setup,
  actor: Actor,
  cluster: { readonly words: readonly string[]; readonly keys: readonly string[] },
): Promise<DraftResult | { readonly type: 'none' }> {
  if (setup.reviewer === null) return { type: 'none' };
  const words = subjectWords(cluster.words);
  const [longest] = [...words].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  if (longest === undefined) return { type: 'none' };
  const taken = new Set((await pendingDrafts(setup.reviewer)).flatMap(({ draft }) => draft.words));
  if (words.some((word) => taken.has(word))) return { type: 'none' };
  const from = cluster.keys.slice(0, NAMED);
  return proposeSkill(setup, actor, {
    name: titleOf(longest),
    content: `What was learned about ${words.join(', ')}. Written from: ${from.join(', ') || 'unnamed records'}.`,
    scope: [actor.key],
    words,
    from,
  });
}

function titleOf(word: string): string {
  return word
    .split(/[-_ ]+/)
    .filter((part) => part !== '')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join(' ');
}
