import { dirname } from 'node:path';
import type { FileOps } from '../src/files/file-ops.ts';
import { Killed } from './fault-ops.ts';

/** What a disk holds: bytes by path; directories have none. */
export type Disk = ReadonlyMap<string, Buffer | null>;

type Node = { readonly id: number; readonly isFolder: boolean; bytes: Buffer; lasting: Buffer };
type Step = (names: Map<string, Node>) => void;

/** File operations on a disk in memory that loses its power at the given change, counted from 1. */
export type PoweredOps = FileOps & {
  count(): number;
  /** What programs see now. */
  current(): Disk;
  /**
   * What is on the disk afterwards. Of names, what was done since the last flush of a directory survives up to some
   * point, in order; of contents, each file's last flushed ones, its newest ones, a part of these or nothing.
   * @param pick a number below its argument
   */
  remains(pick: (below: number) => number): Disk;
};

/** @param disk what is there and lasts; @param at 0: the power stays on */
export function poweredOps(disk: Disk, at: number): PoweredOps {
  let ids = 0;
  const node = (bytes: Buffer | null): Node => {
    ids += 1;
    return { id: ids, isFolder: bytes === null, bytes: bytes ?? Buffer.alloc(0), lasting: bytes ?? Buffer.alloc(0) };
  };
  const names = new Map([...disk].map(([path, bytes]) => [path, node(bytes)]));
  const lasting = new Map(names);
  const steps: Step[] = [];
  let count = 0;
  let isOff = false;
  const step = (change: Step): void => {
    change(names);
    steps.push(change);
  };
  const powered = <A extends readonly unknown[], R>(act: (...args: A) => R): ((...args: A) => R) => {
    return (...args) => {
      if (isOff) throw new Killed();
      count += 1;
      if (count === at) {
        isOff = true;
        // The change itself is under way when the power goes; a flush has not ended.
        if (act !== (flushNow as unknown)) act(...args);
        throw new Killed();
      }
      return act(...args);
    };
  };
  const file = (path: string): Node => {
    const found = names.get(path);
    if (found !== undefined) return found;
    const made = { ...node(Buffer.alloc(0)), lasting: Buffer.alloc(0) };
    step((all) => void all.set(path, made));
    return made;
  };
  const flushNow = async (paths: readonly string[]): Promise<void> => {
    for (const path of paths) {
      const found = names.get(path);
      if (found === undefined) continue;
      found.lasting = found.bytes;
      if (found.isFolder) for (const change of steps.splice(0)) change(lasting);
    }
  };
  return {
    stat: (path) => {
      const found = names.get(path);
      if (found === undefined) return null;
      return { size: found.bytes.length, mtimeMs: 0, ino: found.id, kind: found.isFolder ? 'directory' : 'file' };
    },
    read: (path) => names.get(path)?.bytes ?? null,
    first: (path) => names.get(path)?.bytes[0] ?? null,
    readFrom: (path, from) => (names.get(path) as Node).bytes.subarray(from),
    list: (path) =>
      [...names.keys()].filter((name) => dirname(name) === path).map((name) => name.slice(path.length + 1)),
    makeDirectory: powered((path: string) => {
      if (names.has(path)) return;
      const made = node(null);
      step((all) => void all.set(path, made));
    }),
    write: powered((path: string, bytes: string | Uint8Array) => {
      file(path).bytes = Buffer.from(bytes as string);
    }),
    overwrite: powered((path: string, bytes: string | Uint8Array) => {
      const found = file(path);
      const start = Buffer.from(bytes as string);
      found.bytes = Buffer.concat([start, found.bytes.subarray(start.length)]);
    }),
    append: powered((path: string, bytes: string | Uint8Array) => {
      const found = file(path);
      found.bytes = Buffer.concat([found.bytes, Buffer.from(bytes as string)]);
    }),
    truncate: powered((path: string, size: number) => {
      const found = file(path);
      found.bytes = found.bytes.subarray(0, size);
    }),
    rename: powered((from: string, to: string) => {
      step((all) => {
        const found = all.get(from);
        if (found === undefined) return;
        all.delete(from);
        all.set(to, found);
      });
    }),
    remove: powered((path: string) => step((all) => void all.delete(path))),
    flush: powered(flushNow),
    count: () => count,
    current: () => new Map([...names].map(([path, found]) => [path, found.isFolder ? null : found.bytes])),
    remains: (pick) => {
      const left = new Map(lasting);
      for (const change of steps.slice(0, pick(steps.length + 1))) change(left);
      return new Map([...left].map(([path, found]) => [path, found.isFolder ? null : survivor(found, pick)]));
    },
  };
}

function survivor({ bytes, lasting }: Node, pick: (below: number) => number): Buffer {
  if (bytes.equals(lasting)) return lasting;
  switch (pick(5)) {
    case 0:
      return lasting;
    case 1:
      return bytes;
    case 2:
      return Buffer.concat([lasting.subarray(0, commonLength(lasting, bytes)), torn(bytes, lasting, pick)]);
    case 3: {
      // Some of the new bytes lie over the old ones.
      const reached = pick(bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, reached), lasting.subarray(reached)]);
    }
    default:
      // Its length was noted, its contents were not.
      return bytes.length > lasting.length && bytes.subarray(0, lasting.length).equals(lasting)
        ? Buffer.concat([lasting, Buffer.alloc(bytes.length - lasting.length)])
        : Buffer.alloc(0);
  }
}

function commonLength(left: Buffer, right: Buffer): number {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length += 1;
  return length;
}

function torn(bytes: Buffer, lasting: Buffer, pick: (below: number) => number): Buffer {
  const from = commonLength(lasting, bytes);
  return bytes.subarray(from, from + pick(bytes.length - from + 1));
}
