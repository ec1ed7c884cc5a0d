import type { Recorded } from '@warrant/core';

/** Entries as they come from `read`, or from an array. */
export type Entries = AsyncIterable<Recorded> | Iterable<Recorded>;

/**
 * Folds entries into a state, in their order. `evolve` has to be pure: replay calls no model, tool or person.
 * @throws what reading throws
 */
export async function replay<State>(
  entries: Entries,
  initial: State,
  evolve: (state: State, entry: Recorded) => State,
): Promise<State> {
  let state = initial;
  for await (const entry of entries) state = evolve(state, entry);
  return state;
}
