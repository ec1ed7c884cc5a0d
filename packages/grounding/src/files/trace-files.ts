import { type FileHandle, mkdir, open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, isoTime, type Json, systemClock, WarrantError } from '@warrant/core';
import { type Trace, type TraceSink, traceRecord } from '../trace.ts';

/** Where and how long traces are kept. */
export type TraceFilesOptions = {
  /** Made when missing. */
  readonly directory: string;
  /** A file that has reached this size is closed and the next begun. @default 10 MiB */
  readonly maxBytes?: number;
  /** Files whose day lies further back are removed. @default 30 days */
  readonly maxAgeMs?: number;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Replaces what must not be stored, such as secrets, before a line is written. @default nothing */
  readonly redact?: (record: Json) => Json;
};

/** A sink that appends one JSON line a check to a file a day: `2026-01-31.jsonl`, `2026-01-31.1.jsonl`, … (UTC). */
export interface TraceFiles extends TraceSink {
  /** Resolves once the line is in the file. */
  write(trace: Trace): Promise<void>;
  close(): Promise<void>;
}

const FILE = /^(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.jsonl$/;
const DAY_MS = 86_400_000;

/**
 * Opens trace files. Lines of one process never mix; each line is one append, so those of several processes do not either.
 * @throws GROUNDING_TRACE_OPTIONS_INVALID for limits that are not positive
 */
export function createTraceFiles(options: TraceFilesOptions): TraceFiles {
  const { directory, clock = systemClock, redact } = options;
  const maxBytes = positive(options.maxBytes ?? 10 * 1024 * 1024, 'maxBytes');
  const maxAgeMs = positive(options.maxAgeMs ?? 30 * DAY_MS, 'maxAgeMs');
  let current: OpenFile | undefined;
  let queue: Promise<void> = Promise.resolve();
  let closed = false;

  const append = async (line: string) => {
    const day = isoTime(clock).slice(0, 10);
    if (current === undefined || current.day !== day || current.bytes >= maxBytes) {
      await current?.handle.close();
      current = undefined;
      current = await openFile(directory, day, maxBytes);
      await removeOld(directory, clock.now() - maxAgeMs);
    }
    await current.handle.appendFile(line);
    current.bytes += Buffer.byteLength(line);
  };
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => undefined);
    return done;
  };

  return {
    write: async (trace) => {
      if (closed) throw new WarrantError('GROUNDING_TRACE_CLOSED', 'the trace files are closed');
      const record: Json = traceRecord(trace);
      const line = `${JSON.stringify(redact === undefined ? record : redact(record))}\n`;
      await enqueue(() => append(line));
    },
    close: () => {
      closed = true;
      return enqueue(async () => {
        await current?.handle.close();
        current = undefined;
      });
    },
  };
}

type OpenFile = { readonly handle: FileHandle; readonly day: string; bytes: number };

/** The day's newest file, or the next one when that is full. */
async function openFile(directory: string, day: string, maxBytes: number): Promise<OpenFile> {
  await mkdir(directory, { recursive: true });
  const parts = (await readdir(directory)).flatMap((name) => {
    const match = FILE.exec(name);
    return match?.[1] === day ? [Number(match[2] ?? 0)] : [];
  });
  let part = Math.max(0, ...parts);
  let bytes = await sizeOf(join(directory, nameOf(day, part)));
  if (bytes >= maxBytes) {
    part += 1;
    bytes = 0;
  }
  const path = join(directory, nameOf(day, part));
  const handle = await open(path, 'a+');
  // A line that a crash cut off must not swallow the next one.
  if (bytes > 0 && (await lastByte(handle, bytes)) !== NEWLINE) {
    await handle.appendFile('\n');
    bytes += 1;
  }
  return { handle, day, bytes };
}

const NEWLINE = 0x0a;

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0];
}

function nameOf(day: string, part: number): string {
  return part === 0 ? `${day}.jsonl` : `${day}.${part}.jsonl`;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Only files that are named like ours go; one that another process removed first is gone as wanted. */
async function removeOld(directory: string, before: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const day = FILE.exec(name)?.[1];
    if (day === undefined || !(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS <= before)) continue;
    await unlink(join(directory, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

function positive(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new WarrantError('GROUNDING_TRACE_OPTIONS_INVALID', `${name} is a positive number`, { data: { name } });
}
