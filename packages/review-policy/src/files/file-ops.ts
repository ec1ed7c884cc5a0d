import {
  closeSync,
  constants,
  fstatSync,
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
import { open } from 'node:fs/promises';

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
  /** The first byte; `null` when there is none. */
  first(path: string): number | null;
  list(path: string): readonly string[];
  makeDirectory(path: string): void;
  /** Creates or overwrites. */
  write(path: string, bytes: string | Uint8Array): void;
  /** Writes over the start of a file and leaves the rest; creates it when it is missing. */
  overwrite(path: string, bytes: string | Uint8Array): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  append(path: string, bytes: string | Uint8Array): void;
  truncate(path: string, size: number): void;
  /** Makes what was written to these files, and the names in these directories, last. Those that are gone are passed over. */
  flush(paths: readonly string[]): Promise<void>;
};

const { O_RDONLY, O_WRONLY, O_CREAT, O_TRUNC, O_APPEND, O_NOFOLLOW } = constants;

/** @param durable flush to the disk; without it a crash of the machine (not of the process) may lose the last changes */
export function createFileOps(durable = true): FileOps {
  return {
    stat: statFile,
    read: (path) => orNull(() => withFile(path, O_RDONLY | O_NOFOLLOW, (file) => readFileSync(file))),
    readFrom: (path, from) => withFile(path, O_RDONLY | O_NOFOLLOW, (file) => readRest(file, from)),
    first: (path) => orNull(() => withFile(path, O_RDONLY | O_NOFOLLOW, readFirst)),
    list: (path) => orNull(() => readdirSync(path)) ?? [],
    makeDirectory: (path) => void mkdirSync(path, { recursive: true }),
    write: (path, bytes) =>
      withFile(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, (file) => {
        writeAll(file, bytes);
      }),
    overwrite: (path, bytes) =>
      withFile(path, O_WRONLY | O_CREAT | O_NOFOLLOW, (file) => {
        writeAll(file, bytes);
      }),
    rename: renameSync,
    remove: (path) => void orNull(() => unlinkSync(path)),
    append: (path, bytes) =>
      withFile(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, (file) => {
        writeAll(file, bytes);
      }),
    truncate: (path, size) => withFile(path, O_WRONLY | O_NOFOLLOW, (file) => ftruncateSync(file, size)),
    flush: async (paths) => {
      // Side by side: the disk then takes them together.
      if (durable) await Promise.all(paths.map(flushOne));
    },
  };
}

async function flushOne(path: string): Promise<void> {
  try {
    const file = await open(path, O_RDONLY | O_NOFOLLOW);
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
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

function readFirst(file: number): number | null {
  const byte = Buffer.alloc(1);
  return readSync(file, byte, 0, 1, 0) === 0 ? null : (byte[0] as number);
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

/** Replaces a file as a whole: readers see the old or the new one. It lasts once file and directory are flushed. */
export function replaceFile(files: FileOps, path: string, bytes: string | Uint8Array): void {
  const temporary = `${path}.new`;
  files.write(temporary, bytes);
  files.rename(temporary, path);
}
