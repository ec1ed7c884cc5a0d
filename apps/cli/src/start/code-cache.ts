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
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Script } from 'node:vm';

/** Where the compiled form of one script stands in the file, and its sum. */
type Section = readonly [offset: number, length: number, sum: number];
type Header = { readonly kinds: readonly string[]; readonly sections: { readonly [script: string]: Section } };

/** What an earlier run has compiled, for the next. */
export interface CodeCache {
  /** The compiled form of a script, where one is kept. */
  find(name: string): Buffer | undefined;
  /** Keeps what these scripts have compiled until now, where no run of this kind is in it yet. Never throws. */
  keep(kind: string, scripts: ReadonlyMap<string, Script>): void;
}

const EMPTY: Header = { kinds: [], sections: {} };
/** The engine reads compiled code at multiples of this. */
const ALIGNMENT = 8;
/** Bytes read at once, so that the header is whole with the first read as a rule. */
const FIRST_READ = 16_384;
const MAX_KINDS = 64;
/** Files kept at most: one for each version of Node and set of its options. */
const MAX_FILES = 8;

/**
 * Opens the file beside the code it was made from: whoever can write there can change the code itself, and nobody else.
 * A folder that this user may not write, as after an installation by another, has none.
 */
export function openCodeCache(folder: string, name: string): CodeCache {
  const path = join(folder, name);
  const file = openFile(path);
  const header = file === undefined ? EMPTY : readHeader(file);
  const find = (script: string): Buffer | undefined => {
    const section = Object.hasOwn(header.sections, script) ? header.sections[script] : undefined;
    return section === undefined || file === undefined ? undefined : readSection(file, section);
  };
  return {
    find,
    keep: (kind, scripts) => {
      try {
        const rejected = [...scripts.values()].some((script) => script.cachedDataRejected === true);
        const before = rejected ? EMPTY : header;
        if (before.kinds.includes(kind) || before.kinds.length >= MAX_KINDS || !mayWrite(folder, name)) return;
        const parts = new Map<string, Buffer>();
        for (const script of Object.keys(before.sections)) {
          const kept = scripts.has(script) ? undefined : find(script);
          if (kept !== undefined) parts.set(script, kept);
        }
        for (const [script, compiled] of scripts) parts.set(script, compiled.createCachedData());
        replaceFile(path, encode([...before.kinds, kind], parts));
      } catch {
        // The next run compiles again.
      }
    },
  };
}

function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

function readHeader(file: number): Header {
  try {
    let bytes = Buffer.allocUnsafe(FIRST_READ);
    let read = readSync(file, bytes, 0, FIRST_READ, 0);
    const end = ALIGNMENT + bytes.readUInt32LE(0);
    if (end > read) {
      bytes = Buffer.allocUnsafe(end);
      read = readSync(file, bytes, 0, end, 0);
    }
    return JSON.parse(bytes.toString('utf8', ALIGNMENT, end)) as Header;
  } catch {
    return EMPTY;
  }
}

function readSection(file: number, [offset, length, sum]: Section): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(length);
  return readSync(file, bytes, 0, length, offset) === length && sumOf(bytes) === sum ? bytes : undefined;
}

/** Words between two that go into the sum: a part of the file that was never written shows, at next to no price. */
const SUM_STEP = 16;

/** The engine does not look whether compiled code is whole. */
function sumOf(bytes: Buffer): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
  let sum = bytes.length;
  for (let at = 0; at < words.length; at += SUM_STEP) sum = (Math.imul(sum, 31) + (words[at] as number)) | 0;
  return sum;
}

function encode(kinds: readonly string[], parts: ReadonlyMap<string, Buffer>): readonly Buffer[] {
  const layout = (start: number): Header => {
    const sections: { [script: string]: Section } = {};
    let offset = start;
    for (const [script, bytes] of parts) {
      sections[script] = [offset, bytes.length, sumOf(bytes)];
      offset = aligned(offset + bytes.length);
    }
    return { kinds, sections };
  };
  // Offsets grow no longer when counted from further on than the longest header can end.
  const start = aligned(ALIGNMENT + JSON.stringify(layout(Number.MAX_SAFE_INTEGER / 2)).length);
  const text = Buffer.from(JSON.stringify(layout(start)));
  const head = Buffer.alloc(start);
  head.writeUInt32LE(text.length, 0);
  text.copy(head, ALIGNMENT);
  const padded = [...parts.values()].flatMap((bytes) => [bytes, Buffer.alloc(aligned(bytes.length) - bytes.length)]);
  return [head, ...padded];
}

function aligned(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}

function mayWrite(folder: string, name: string): boolean {
  mkdirSync(folder, { recursive: true });
  accessSync(folder, constants.W_OK);
  const files = readdirSync(folder);
  return files.includes(name) || files.length < MAX_FILES;
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
