import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** What runs of one kind use: parts of the program, in the order of their first use, and their compiled form. */
export type Kept = { readonly parts: readonly string[]; readonly code: Buffer | undefined };

/** What earlier runs have used and compiled, for the next. */
export interface CodeCache {
  /** What runs of this kind used, where it is kept. */
  find(kind: string): Kept | undefined;
  /** Keeps it in place of what was there. Never throws. */
  keep(kind: string, kept: Kept): void;
}

type Header = { readonly parts: readonly string[]; readonly length: number; readonly sum: number };

/** The engine reads compiled code at multiples of this. */
const ALIGNMENT = 8;
/** Bytes read at once, so that the header is whole with the first read as a rule. */
const FIRST_READ = 4096;
/** Files kept at most, each for one kind of run, one version of Node and one set of its options; the oldest goes. */
const MAX_FILES = 48;

/**
 * Opens the folder beside the code it was made from: whoever can write there can change the code itself, and nobody else.
 * A folder that this user may not write, as after an installation by another, has none.
 * @param name of the program, the engine and its options: each compiles anew
 */
export function openCodeCache(folder: string, name: string): CodeCache {
  const pathOf = (kind: string): string => join(folder, `${name}-${kind.replace(/[^A-Za-z0-9]+/g, '_')}`);
  return {
    find: (kind) => {
      try {
        return read(pathOf(kind));
      } catch {
        return undefined;
      }
    },
    keep: (kind, kept) => {
      try {
        const path = pathOf(kind);
        mkdirSync(folder, { recursive: true });
        accessSync(folder, constants.W_OK);
        makeRoom(folder);
        replaceFile(path, encode(kept));
      } catch {
        // The next run compiles again.
      }
    },
  };
}

/** Undefined where the file is not whole. @throws where there is none */
function read(path: string): Kept | undefined {
  const file = openSync(path, 'r');
  try {
    let bytes = Buffer.allocUnsafe(FIRST_READ);
    let length = readSync(file, bytes, 0, FIRST_READ, 0);
    const end = ALIGNMENT + bytes.readUInt32LE(0);
    if (end > length) {
      bytes = Buffer.allocUnsafe(end);
      length = readSync(file, bytes, 0, end, 0);
    }
    const header = JSON.parse(bytes.toString('utf8', ALIGNMENT, end)) as Header;
    if (header.length === 0) return { parts: header.parts, code: undefined };
    const code = Buffer.allocUnsafeSlow(header.length);
    const whole = readSync(file, code, 0, header.length, aligned(end)) === header.length;
    return whole && sumOf(code) === header.sum ? { parts: header.parts, code } : undefined;
  } finally {
    closeSync(file);
  }
}

/** Words between two that go into the sum: a sector of the file that was never written shows, at next to no price. */
const SUM_STEP = 128;

/** The engine does not look whether compiled code is whole. */
function sumOf(bytes: Buffer): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let sum = bytes.length ^ (words[words.length - 1] ?? 0);
  for (let at = 0; at < words.length; at += SUM_STEP) sum = (Math.imul(sum, 31) + (words[at] as number)) | 0;
  return sum;
}

function encode({ parts, code }: Kept): readonly Buffer[] {
  const header: Header = { parts, length: code?.length ?? 0, sum: code === undefined ? 0 : sumOf(code) };
  const text = Buffer.from(JSON.stringify(header));
  const head = Buffer.alloc(aligned(ALIGNMENT + text.length));
  head.writeUInt32LE(text.length, 0);
  text.copy(head, ALIGNMENT);
  return code === undefined ? [head] : [head, code];
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function makeRoom(folder: string): void {
  const files = readdirSync(folder);
  if (files.length < MAX_FILES) return;
  const age = (file: string): number => statSync(join(folder, file)).mtimeMs;
  const [oldest] = files.map((file) => ({ file, age: age(file) })).sort((one, other) => one.age - other.age);
  if (oldest !== undefined) unlinkSync(join(folder, oldest.file));
}

/** Whole or not at all, whoever else writes at the same time. */
function replaceFile(path: string, parts: readonly Buffer[]): void {
  const temporary = `${path}.${process.pid}`;
  const file = openSync(temporary, 'wx');
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at);
    fsyncSync(file);
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
}
