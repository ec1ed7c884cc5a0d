import type { Actor } from './actor.ts';
import { readsEverything } from './permissions.ts';
import type { Candidate } from './ranking.ts';
import type { Setup } from './setup.ts';
import { mayRead } from './shown.ts';

/**
 * Candidates as somebody may find them: whoever may not read a record does not find its neighbours by its words either.
 * @param readable what the asker may read
 */
export async function withoutForbiddenWords(
  setup: Setup,
  actor: Actor,
  readable: readonly Candidate[],
): Promise<readonly Candidate[]> {
  if (readsEverything(setup.permissions, actor)) return readable;
  const borrowing = readable.filter(({ record, context }) => record.session !== null && context > 0);
  if (borrowing.length === 0) return readable;
  const lenders = await setup.store.lenders?.(borrowing.map(({ record }) => record.id));
  const forbidden = new Set(
    borrowing.flatMap(({ record: { id } }) =>
      lenders?.get(id)?.every((lender) => mayRead(setup, actor, lender)) === true ? [] : [id],
    ),
  );
  return readable.flatMap((one) => {
    if (!forbidden.has(one.record.id)) return [one];
    const isFound = one.own > 0 || one.entities > 0 || (one.cosine ?? 0) > 0;
    return isFound ? [{ ...one, context: one.own }] : [];
  });
}
