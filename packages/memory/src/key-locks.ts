import { foldName } from '@warrant/core';

/** Lets writers of one key in this process go one after the other; those of other keys pass. */
export type KeyLocks = { readonly hold: <T>(keys: readonly string[], work: () => Promise<T>) => Promise<T> };

export function createKeyLocks(): KeyLocks {
  const tails = new Map<string, Promise<unknown>>();
  return {
    // Takes its place for all keys at once, before anything is awaited, so that no two wait for each other.
    hold: async (keys, work) => {
      const names = [...new Set(keys.map(foldName))];
      const before = names.flatMap((name) => tails.get(name) ?? []);
      const mine = (before.length === 0 ? Promise.resolve() : Promise.allSettled(before)).then(work);
      const tail = mine.catch(() => undefined);
      for (const name of names) tails.set(name, tail);
      try {
        return await mine;
      } finally {
        for (const name of names) if (tails.get(name) === tail) tails.delete(name);
      }
    },
  };
}
