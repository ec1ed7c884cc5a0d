import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, defaultServerConditions } from 'vite';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));
const OUT = join(PACKAGE, 'node_modules', '.cache', `writer-${process.pid}`);
const WRITER = join(OUT, 'writer.mjs');

/** One file that starts fast, so that hundreds of processes cost little. Call it before all tests. */
export async function bundleWriter(): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: PACKAGE,
    ssr: { noExternal: [/^@warrant\//], resolve: { conditions: ['@warrant/source', ...defaultServerConditions] } },
    build: {
      ssr: join(PACKAGE, 'test', 'writer.ts'),
      outDir: OUT,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: 'writer.mjs' } },
    },
  });
}

export function removeWriter(): void {
  rmSync(OUT, { recursive: true, force: true });
}

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
      ? spawn(process.execPath, [WRITER, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn('bash', ['-c', `${options.before}; exec "$0" "$@"`, process.execPath, WRITER, ...args], {
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
