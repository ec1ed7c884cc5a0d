import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

export type FileStat = {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
  readonly kind: FileKind;
};
export type FileKind = 'file' | 'directory' | 'link' | 'other';

/** The file operations of a folder store, one by one, so that tests can stop at each. None follows a symbolic link at its end. */
export type FileOps = {
  stat(path: string): FileStat | null;
  read(path: string): Buffer | null;
  /** Bytes from `from` to the end. */
  readFrom(path: string, from: number): Buffer;
  list(path: string): readonly string[];
  makeDirectory(path: string): void;
  /** Creates or overwrites, and flushes to disk. */
  write(path: string, bytes: string | Uint8Array): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  append(path: string, bytes: string | Uint8Array): void;
  truncate(path: string, size: number): void;
  /** Makes renames and removals in the directory last. */
  syncDirectory(path: string): void;
};

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;

/** @param durable flush to the disk; without it a crash of the machine (not of the process) may lose the last changes */
export function createFileOps(durable = true): FileOps {
  const flush = (file: number): void => {
    if (durable) fsyncSync(file);
  };
  return {
    stat: statFile,
    read: (path) => orNull(() => withFile(path, O_RDONLY | O_NOFOLLOW, (file) => readFileSync(file))),
    readFrom: (path, from) => withFile(path, O_RDONLY | O_NOFOLLOW, (file) => readRest(file, from)),
    list: (path) => orNull(() => readdirSync(path)) ?? [],
    makeDirectory: (path) => void mkdirSync(path, { recursive: true }),
    write: (path, bytes) =>
      withFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, (file) => {
        writeAll(file, bytes);
        flush(file);
      }),
    rename: renameSync,
    remove: (path) => void orNull(() => unlinkSync(path)),
    append: (path, bytes) =>
      withFile(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, (file) => {
        writeAll(file, bytes);
        flush(file);
      }),
    truncate: (path, size) => withFile(path, O_WRONLY | O_NOFOLLOW, (file) => ftruncateSync(file, size)),
    syncDirectory: (path) => {
      if (durable) withFile(path, O_RDONLY, flush);
    },
  };
}

function statFile(path: string): FileStat | null {
  return orNull(() => {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    const kind = found.isFile()
      ? 'file'
      : found.isDirectory()
        ? 'directory'
        : found.isSymbolicLink()
          ? 'link'
          : 'other';
    return { size: found.size, mtimeMs: found.mtimeMs, ino: found.ino, kind };
  });
}

function withFile<T>(path: string, flags: number, use: (file: number) => T): T {
  const file = openSync(path, flags, 0o644);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

function writeAll(file: number, bytes: string | Uint8Array): void {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  let written = 0;
  while (written < buffer.length) written += writeSync(file, buffer, written);
}

function readRest(file: number, from: number): Buffer {
  const size = fstatSync(file).size;
  const buffer = Buffer.alloc(Math.max(0, size - from));
  let count = 0;
  while (count < buffer.length) {
    const read = readSync(file, buffer, count, buffer.length - count, from + count);
    if (read === 0) break;
    count += read;
  }
  return buffer.subarray(0, count);
}

function orNull<T>(act: () => T): T | null {
  try {
    return act();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'ENOTDIR';
}

/** Replaces a file as a whole: readers see the old or the new one. */
export function replaceFile(files: FileOps, path: string, bytes: string | Uint8Array): void {
  const temporary = `${path}.new`;
  files.write(temporary, bytes);
  files.rename(temporary, path);
  files.syncDirectory(dirname(path));
}
