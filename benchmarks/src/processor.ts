import { readFileSync } from 'node:fs';

/** Time on the processor that this process has had, in milliseconds: beside other work the clock on the wall says little. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The same of this thread alone, without those that compile and collect beside it; of the process where that is not told. */
export function threadMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return cpuMs();
  }
}

export type Taken = { readonly wall: number; readonly cpu: number };

/** What a piece of work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<Taken> {
  const [start, before] = [performance.now(), cpuMs()];
  await work();
  return { wall: performance.now() - start, cpu: cpuMs() - before };
}

/** The same of another process, in steps of ten milliseconds; only Linux tells. */
export function cpuMsOf(pid: number | undefined): number {
  return ticksOf(String(pid), 11);
}

/** The same of all children of this process that have ended. */
export function childrenCpuMs(): number {
  return ticksOf('self', 13);
}

const TICK_MS = 10;

/** @param first the field behind the name at which user time stands, with system time next to it */
function ticksOf(pid: string, first: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}
