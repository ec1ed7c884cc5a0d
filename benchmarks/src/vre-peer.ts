import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { VreGraphKind } from './vre-graph.ts';

/** The reference as a child process that times its own work. */
export type VrePeer = {
  /** A new SQLite file with the generated graph. @returns the processor seconds that saving took */
  fill(kind: VreGraphKind, count: number): Promise<number>;
  /** @returns the processor milliseconds of each of so many checks on the graph that was filled last */
  check(concepts: number, count: number): Promise<readonly number[]>;
  stop(): void;
};

const SCRIPT = new URL('../peers/vre-reference.py', import.meta.url).pathname;

/** The reference, or null where no Python (that of WARRANT_VRE_PYTHON, or the machine's own) has vre 1.0.1. */
export async function startVre(): Promise<VrePeer | null> {
  const python = process.env['WARRANT_VRE_PYTHON'] ?? 'python3';
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] });
  // Without a listener a missing Python would end the run; its lines end then, and that says it all.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const line = await lines.next();
    if (line.done === true) throw new Error('the reference has ended');
    return JSON.parse(line.value);
  };
  const ask = (work: string): Promise<unknown> => {
    child.stdin.write(`${work}\n`);
    return answer();
  };
  if ((await answer().catch(() => null)) !== 'ready') return null;
  return {
    fill: async (kind, count) => Number(await ask(`fill ${kind} ${count}`)),
    check: async (concepts, count) => (await ask(`check ${concepts} ${count}`)) as readonly number[],
    stop: () => child.stdin.end(),
  };
}
