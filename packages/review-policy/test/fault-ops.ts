import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createFileOps, type FileOps } from '../src/files/file-ops.ts';

/** The process died here. */
export class Killed extends Error {}

const CHANGES = ['makeDirectory', 'write', 'overwrite', 'rename', 'remove', 'append', 'truncate', 'flush'] as const;

/**
 * File operations that die at the given change, counted from 1: before it, or (`torn`) in the middle of the bytes that it
 * writes. `count` says how many there were. After death nothing more is changed.
 */
export function faultyOps(at: number, torn: boolean): FileOps & { count(): number } {
  const real = createFileOps(false);
  let count = 0;
  let isDead = false;
  const ops = { ...real } as unknown as Record<string, (...args: never[]) => unknown>;
  for (const name of CHANGES) {
    const act = real[name] as (...args: unknown[]) => unknown;
    ops[name] = (...args: unknown[]) => {
      if (isDead) throw new Killed();
      count += 1;
      if (count !== at) return act(...args);
      isDead = true;
      if (torn && (name === 'write' || name === 'overwrite' || name === 'append')) {
        tear(args[0] as string, Buffer.from(args[1] as string), name);
      }
      throw new Killed();
    };
  }
  return { ...(ops as unknown as FileOps), count: () => count };
}

function tear(path: string, bytes: Buffer, name: 'write' | 'overwrite' | 'append'): void {
  const part = bytes.subarray(0, Math.floor(bytes.length / 2));
  const rest = name === 'overwrite' && existsSync(path) ? readFileSync(path).subarray(part.length) : '';
  if (name === 'append') appendFileSync(path, part);
  else writeFileSync(path, Buffer.concat([part, Buffer.from(rest)]));
}
