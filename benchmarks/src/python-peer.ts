import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A reference in Python as a child process that times its own work: a line asks, a line answers. */
export type PythonPeer = {
  ask(work: string): Promise<string>;
  stop(): void;
};

/** The script of benchmarks/peers once it has said that it is ready, or null where that Python cannot run it. */
export async function startPython(python: string, script: string): Promise<PythonPeer | null> {
  const path = new URL(`../peers/${script}`, import.meta.url).pathname;
  const child = spawn(python, [path], { stdio: ['pipe', 'pipe', 'ignore'] });
  // Without a listener a missing Python would end the run; its lines end then, and that says it all.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true || first.value !== 'ready') return null;
  return {
    ask: async (work) => {
      child.stdin.write(`${work}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error('the reference has ended');
      return line.value;
    },
    stop: () => child.stdin.end(),
  };
}
