import type { SqliteDb } from './database.ts';
import { closedError } from './errors.ts';
import type { Transactions } from './transactions.ts';

/** Most works that share one transaction; more wait for the next, so that readers get their turn. */
const MAX_GROUP = 1024;

type Waiting = {
  readonly work: (db: SqliteDb) => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Gathers works of one turn of the event loop into one transaction, and so into one flush to the disk. */
export interface GroupCommit {
  add<T>(work: (db: SqliteDb) => T): Promise<T>;
  /** Commits what waits, at once, and takes nothing more. */
  close(): void;
}

export function createGroupCommit(transactions: Transactions, path: string): GroupCommit {
  let waiting: Waiting[] = [];
  let scheduled = false;
  let closed = false;
  const flush = (): void => {
    scheduled = false;
    const group = waiting.slice(0, MAX_GROUP);
    waiting = waiting.slice(MAX_GROUP);
    if (group.length > 0) commitGroup(transactions, group);
    if (waiting.length > 0) schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  return {
    add: <T>(work: (db: SqliteDb) => T) =>
      new Promise<T>((resolve, reject) => {
        if (closed) return reject(closedError(path));
        waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
        schedule();
      }),
    close: () => {
      closed = true;
      while (waiting.length > 0) flush();
    },
  };
}

function commitGroup(transactions: Transactions, group: readonly Waiting[]): void {
  try {
    const results = transactions.writeAll(group.map((one) => one.work));
    group.forEach((one, index) => {
      const result = results[index];
      if (result?.type === 'done') one.resolve(result.value);
      else one.reject(result?.error);
    });
  } catch (error) {
    // Nothing was committed: no caller may believe otherwise.
    for (const one of group) one.reject(error);
  }
}
