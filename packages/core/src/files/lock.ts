import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { WarrantError } from '../error.ts';
import { systemTimer, type Timer } from '../timer.ts';
import { asFileError } from './atomic.ts';
import { createOwner, isAlive, type LockOwner } from './owner.ts';

export type FileLockOptions = {
  /** Longest wait for another holder; milliseconds. @default 10_000 */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** @default systemClock */
  readonly clock?: Clock;
  /** @default systemTimer */
  readonly timer?: Timer;
};

const FIRST_WAIT_MS = 2;
const LONGEST_WAIT_MS = 50;

/**
 * Runs the work while this process alone holds the lock, a small folder at `path`. The lock of a process that died is
 * taken over, its number being in use again or not; that of another host is waited for.
 *
 * The folder holds numbered files; the highest is the lock. It is taken by linking the next number, which succeeds for
 * one process alone, and given back by marking it free. The highest file is never removed, so nobody can take a lock
 * away that was taken meanwhile: a taker who acted on an old view finds a higher number and starts again.
 * @throws FILE_LOCK_TIMEOUT (retryable), FILE_IO, and the signal's reason
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, options: FileLockOptions = {}): Promise<T> {
  const owner = createOwner();
  const held = await asFileError(path, () => acquire(path, owner, options));
  try {
    return await work();
  } finally {
    await asFileError(path, () => release(path, held, owner));
  }
}

async function acquire(path: string, owner: LockOwner, options: FileLockOptions): Promise<number> {
  const clock = options.clock ?? systemClock;
  const timeoutMs = options.timeoutMs ?? 10_000;
  const deadline = clock.now() + timeoutMs;
  // A clock that goes back never reaches the deadline: what was waited for counts as well.
  let waited = 0;
  await mkdir(path, { recursive: true });
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    options.signal?.throwIfAborted();
    const highest = Math.max(0, ...(await generations(path)));
    const holder = highest === 0 ? undefined : await readOwner(fileOf(path, highest));
    if (holder === undefined || !isAlive(holder)) {
      if (await take(path, highest + 1, owner)) return highest + 1;
      continue;
    }
    if (clock.now() >= deadline || waited >= timeoutMs) throw timeout(path, holder);
    await pause(options.timer ?? systemTimer, wait, options.signal);
    waited += wait;
  }
}

/** True when the number was free and no higher one exists: a higher one shows that the view was old. */
async function take(path: string, generation: number, owner: LockOwner): Promise<boolean> {
  const own = join(path, takingName(owner));
  await writeFile(own, JSON.stringify(owner));
  try {
    await link(own, fileOf(path, generation));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(own, { force: true });
  }
  const others = await generations(path);
  if (others.some((other) => other > generation)) {
    await rm(fileOf(path, generation), { force: true });
    return false;
  }
  for (const other of others) if (other < generation) await rm(fileOf(path, other), { force: true });
  await clearLeftovers(path);
  return true;
}

/** What processes left that were killed on their way. A holder alone gives back, so nothing of that kind is in use now. */
async function clearLeftovers(path: string): Promise<void> {
  for (const name of await readdir(path)) {
    const file = join(path, name);
    if (name.endsWith('.free')) await rm(file, { force: true });
    if (!name.endsWith('.taking')) continue;
    const taker = (await readOwner(file)) ?? takerOf(name);
    if (taker !== undefined && !isAlive(taker)) await rm(file, { force: true });
  }
}

/** The name tells the process too: one that was killed before it had written left an empty file. */
function takingName({ token, pid, host }: LockOwner): string {
  return `${token}.${pid}.${encodeURIComponent(host)}.taking`;
}

function takerOf(name: string): LockOwner | undefined {
  const [, token, pid, host] = /^([^.]+)\.(\d+)\.(.+)\.taking$/.exec(name) ?? [];
  if (token === undefined || pid === undefined || host === undefined) return undefined;
  return { token, pid: Number(pid), host: decodeURIComponent(host), started: null };
}

async function release(path: string, generation: number, owner: LockOwner): Promise<void> {
  const free = join(path, `${owner.token}.free`);
  await writeFile(free, 'free');
  await rename(free, fileOf(path, generation));
}

async function generations(path: string): Promise<number[]> {
  return (await readdir(path)).filter((name) => /^\d+$/.test(name)).map(Number);
}

/** The holder, or undefined when the lock is free. */
async function readOwner(file: string): Promise<LockOwner | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    return text === 'free' ? undefined : (JSON.parse(text) as LockOwner);
  } catch (error) {
    // Removed by the holder of a higher number, or torn by the machine's crash, which no holder survived: whole files
    // are linked and renamed, so a living process leaves no half-written one.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fileOf(path: string, generation: number): string {
  return join(path, String(generation).padStart(12, '0'));
}

function timeout(path: string, holder: LockOwner): WarrantError<'FILE_LOCK_TIMEOUT'> {
  const { pid, host } = holder;
  return new WarrantError('FILE_LOCK_TIMEOUT', `the lock is held by process ${pid} on ${host}: ${path}`, {
    data: { path, pid, host },
    retryable: true,
  });
}

function pause(timer: Timer, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = timer.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
