import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The reference as a child process that times its own work. */
export type GroundingGatePeer = {
  /** CPU seconds that `count` operations took. */
  seconds(work: string, count: number): Promise<number>;
  stop(): void;
};

const SCRIPT = new URL('../peers/grounding-gate.py', import.meta.url).pathname;

/** The reference, or null where no Python has it. */
export async function startGroundingGate(): Promise<GroundingGatePeer | null> {
  const python = process.env['WARRANT_GROUNDING_GATE_PYTHON'] ?? 'python3';
  const child = spawn(python, [SCRIPT], { stdio: ['pipe', 'pipe', 'ignore'] });
  // Without a listener a missing Python would end the run; its lines end then, and that says it all.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true || first.value !== 'ready') return null;
  return {
    seconds: async (work, count) => {
      child.stdin.write(`${work} ${count}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error('the reference has ended');
      return Number(line.value);
    },
    stop: () => child.stdin.end(),
  };
}
