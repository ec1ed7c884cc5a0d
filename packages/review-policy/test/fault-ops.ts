import { writeFileSync } from 'node:fs';
import { createFileOps, type FileOps } from '../src/files/file-ops.ts';

/** The process died here. */
export class Killed extends Error {}

const CHANGES = ['makeDirectory', 'write', 'rename', 'remove', 'append', 'truncate', 'syncDirectory'] as const;

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
      if (torn && (name === 'write' || name === 'append')) tear(args[0] as string, String(args[1]), name);
      throw new Killed();
    };
  }
  return { ...(ops as unknown as FileOps), count: () => count };
}

function tear(path: string, text: string, name: 'write' | 'append'): void {
  writeFileSync(path, text.slice(0, Math.floor(text.length / 2)), { flag: name === 'append' ? 'a' : 'w' });
}
