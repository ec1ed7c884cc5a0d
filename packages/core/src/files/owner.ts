import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { createIdSource } from '../ids.ts';

/** Who holds a lock. A process number alone would do until it is given out again. */
export type LockOwner = {
  readonly pid: number;
  readonly host: string;
  /** When the process started, in the words of its system; null where it cannot be known. */
  readonly started: string | null;
  /** One acquisition. */
  readonly token: string;
};

export function createOwner(): LockOwner {
  return { pid: process.pid, host: hostname(), started: startOf(process.pid), token: createIdSource().next() };
}

/** False only when the owner is known to be gone. A process on another host counts as alive. */
export function isAlive(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return true;
  if (!exists(owner.pid)) return false;
  const started = startOf(owner.pid);
  return owner.started === null || started === null || owner.started === started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The system's boot and the process's start within it (proc(5): field 22 of stat), or what ps knows. */
function startOf(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may hold spaces and parentheses: fields count from the last one.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return `${boot}/${fields[19]}`;
    }
    if (process.platform === 'win32') return null;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}
