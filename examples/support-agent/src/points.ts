import type { Journal } from '@warrant/core';

/** The journal with a point before and after each append. */
export function withPoints(journal: Journal, point: (name: string) => Promise<void> | void): Journal {
  return {
    append: async (...given) => {
      await point('before append');
      const appended = await journal.append(...given);
      await point('after append');
      return appended;
    },
    read: (...given) => journal.read(...given),
    readAll: (...given) => journal.readAll(...given),
    subscribe: (...given) => journal.subscribe(...given),
    streams: (...given) => journal.streams(...given),
    head: (...given) => journal.head(...given),
    fork: (...given) => journal.fork(...given),
    close: () => journal.close(),
  };
}
