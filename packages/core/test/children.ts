import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');

/** A script, its path from this folder, as one file that plain node runs: starting a loader in twenty processes takes too long. */
export async function bundleChild(name: string): Promise<string> {
  // Inside the package, so that the driver is found from there.
  const directory = join(root, 'node_modules/.children', `${basename(name)}-${process.pid}`);
  mkdirSync(directory, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'silent',
    root,
    build: {
      ssr: join(import.meta.dirname, `${name}.ts`),
      outDir: directory,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: 'child.mjs' } },
    },
  });
  return join(directory, 'child.mjs');
}

export type Child = {
  readonly process: ChildProcess;
  /** Lines printed so far. */
  readonly lines: () => readonly string[];
  /** Resolves when it ended, with its exit code, or null when it was killed. */
  readonly ended: Promise<number | null>;
};

export function startChild(script: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  return {
    process: child,
    // What a kill cut off is no line.
    lines: () => text.split('\n').slice(0, -1),
    ended: new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code));
    }),
  };
}
