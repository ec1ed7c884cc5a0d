import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock, WarrantError } from '@warrant/core';

/** Who holds the lock. `started` tells a process from a later one with the same number. */
type LockOwner = { readonly pid: number; readonly host: string; readonly started: string };

export type FolderLock = {
  /** Runs `work` while no other process that uses this lock works in the folder. */
  hold<T>(work: () => T | Promise<T>): Promise<T>;
};

/**
 * A lock file with its owner in it. A lock whose owner no longer runs on this host is taken over.
 * @throws REVIEW_LOCKED (retryable) when another process held it for longer than `waitMs`
 */
export function createFolderLock(
  path: string,
  options: { readonly waitMs?: number; readonly clock?: Clock } = {},
): FolderLock {
  const clock = options.clock ?? systemClock;
  const waitMs = options.waitMs ?? 30_000;
  const owner: LockOwner = { pid: process.pid, host: hostname(), started: startOf(process.pid) };
  let queue: Promise<unknown> = Promise.resolve();
  let count = 0;
  const acquire = async (): Promise<void> => {
    const until = clock.now() + waitMs;
    count += 1;
    const own = `${path}.${owner.pid}.${count}`;
    writeFileSync(own, JSON.stringify(owner));
    try {
      for (let pause = 0.5; ; pause = Math.min(8, pause * 1.5)) {
        if (tryLink(own, path)) return;
        if (takeOver(path, own, owner)) continue;
        if (clock.now() > until) {
          throw new WarrantError('REVIEW_LOCKED', 'another process holds the review folder', {
            data: { waitMs },
            retryable: true,
          });
        }
        await sleep(pause);
      }
    } finally {
      removeQuietly(own);
    }
  };
  return {
    hold: (work) => {
      const run = queue.then(async () => {
        await acquire();
        try {
          return await work();
        } finally {
          removeQuietly(path);
        }
      });
      queue = run.catch(() => undefined);
      return run;
    },
  };
}

// A link appears as a whole, with its content, or not at all.
function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

// Only one process at a time may remove a dead owner's lock, else a second could remove the lock that follows it.
function takeOver(path: string, own: string, self: LockOwner): boolean {
  const held = readOwner(path);
  if (held === null || isAlive(held, self)) return false;
  const breaker = `${path}.breaking`;
  if (!tryLink(own, breaker)) {
    const other = readOwner(breaker);
    if (other !== null && !isAlive(other, self)) removeQuietly(breaker);
    return false;
  }
  try {
    const again = readOwner(path);
    if (again === null || isAlive(again, self)) return false;
    removeQuietly(path);
    return true;
  } finally {
    removeQuietly(breaker);
  }
}

function readOwner(path: string): LockOwner | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return null;
    const host = 'host' in value && typeof value.host === 'string' ? value.host : '';
    const started = 'started' in value && typeof value.started === 'string' ? value.started : '';
    return { pid: value.pid, host, started };
  } catch {
    return null;
  }
}

function isAlive(owner: LockOwner, self: LockOwner): boolean {
  // Nothing can be known about a process of another machine.
  if (owner.host !== self.host) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
  return owner.started === '' || startOf(owner.pid) === '' || startOf(owner.pid) === owner.started;
}

/** When a process started, in the kernel's own unit; empty where the system does not tell. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold blanks and parentheses; fields are counted after it.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
