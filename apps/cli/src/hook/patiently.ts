import type { Mode } from '@warrant/adapter-claude-agent';
import { isWarrantError } from '@warrant/core';

/** Times that a file is waited for, each as long as SQLite waits by itself: together less than a client waits for its hook. */
const ATTEMPTS = 6;

/**
 * Work that changes nothing where the database is held by others, done once they let go of it: with many hooks at once a
 * refusal would only say that there are many. Who only watches does not stand in the way so long.
 */
export async function patiently<T>(mode: Mode, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (mode === 'observe' || attempt === ATTEMPTS || !isWarrantError(error, 'SQLITE_BUSY')) throw error;
    }
  }
}
