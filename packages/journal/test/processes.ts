import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const WRITER = fileURLToPath(new URL('./writer.ts', import.meta.url));
const NODE = ['--import', 'tsx', '--conditions=@warrant/source', WRITER];

export type Writer = {
  readonly process: ChildProcess;
  /** What it has said so far, a JSON text a line; an unfinished last line left out. */
  readonly said: () => readonly unknown[];
  /** Resolves at its end with all that it said. */
  readonly ended: Promise<readonly unknown[]>;
};

export function startWriter(
  args: readonly [mode: string, target: string, name: string],
  options: { readonly env?: { readonly [name: string]: string }; readonly before?: string } = {},
): Writer {
  const env = { ...process.env, ...options.env };
  const child =
    options.before === undefined
      ? spawn(process.execPath, [...NODE, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('bash', ['-c', `${options.before}; exec "$0" "$@"`, process.execPath, ...NODE, ...args], {
          env,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
  let out = '';
  let problems = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr?.on('data', (bytes: Buffer) => {
    problems += bytes.toString();
  });
  const said = (): readonly unknown[] =>
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as unknown);
  const ended = new Promise<readonly unknown[]>((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (code === 0 || signal === 'SIGKILL') resolve(said());
      else reject(new Error(`the writer ended with ${code ?? signal}: ${problems}`));
    });
  });
  return { process: child, said, ended };
}

/** Resolves once the writer has said something that passes. */
export async function untilSaid(writer: Writer, passes: (value: unknown) => boolean): Promise<void> {
  while (!writer.said().some(passes)) {
    if (writer.process.exitCode !== null) await writer.ended;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
