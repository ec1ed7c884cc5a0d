import { appendFileSync, closeSync, mkdirSync, openSync, readdirSync, readSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, isoTime, type Json, systemClock, WarrantError } from '@warrant/core';
import { type Trace, type TraceSink, traceRecord } from '../trace.ts';
import { TRACE_FILE } from './file-name.ts';

/** Where and how long traces are kept. */
export type TraceFilesOptions = {
  /** Made when missing. */
  readonly directory: string;
  /** A file that has reached this size is closed and the next begun. @default 10 MiB */
  readonly maxBytes?: number;
  /** Files whose day lies further back are removed, one day of use later where no younger one is there. @default 30 days */
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

const DAY_MS = 86_400_000;

/**
 * Opens trace files. Lines of one process never mix; each line is one append, so those of several processes do not either.
 * @throws GROUNDING_TRACE_OPTIONS_INVALID for limits that are not positive
 */
export function createTraceFiles(options: TraceFilesOptions): TraceFiles {
  const { directory, clock = systemClock, redact } = options;
  const maxBytes = positive(options.maxBytes ?? 10 * 1024 * 1024, 'maxBytes');
  const maxAgeMs = positive(options.maxAgeMs ?? 30 * DAY_MS, 'maxAgeMs');
  const lines = createLines({ directory, clock, maxBytes, maxAgeMs });
  return {
    write: async (trace) => {
      if (lines.closed()) throw new WarrantError('GROUNDING_TRACE_CLOSED', 'the trace files are closed');
      const record: Json = traceRecord(trace);
      await lines.add(`${JSON.stringify(redact === undefined ? record : redact(record))}\n`);
    },
    close: async () => lines.close(),
  };
}

type Waiting = { readonly line: string; readonly done: () => void; readonly failed: (cause: unknown) => void };
type Lines = {
  readonly add: (line: string) => Promise<void>;
  readonly closed: () => boolean;
  readonly close: () => void;
};

/**
 * Lines of one turn of the event loop are written together after it: nobody waits for them, and writing them at once
 * takes less than handing each to another thread.
 */
function createLines(setup: {
  readonly directory: string;
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}): Lines {
  const { directory, clock, maxBytes, maxAgeMs } = setup;
  let current: OpenFile | undefined;
  let waiting: Waiting[] = [];
  let closed = false;
  const append = (line: string): void => {
    const day = isoTime(clock).replace(/T.*/, '');
    if (current === undefined || current.day !== day || current.bytes >= maxBytes) {
      if (current !== undefined) closeSync(current.file);
      current = undefined;
      current = openFile(directory, day, maxBytes);
      removeOld(directory, day, { now: clock.now(), maxAgeMs });
    }
    appendFileSync(current.file, line);
    current.bytes += Buffer.byteLength(line);
  };
  const flush = (): void => {
    const taken = waiting;
    waiting = [];
    for (const { line, done, failed } of taken) {
      try {
        append(line);
        done();
      } catch (error) {
        failed(error);
      }
    }
  };
  return {
    add: (line) =>
      new Promise((done, failed) => {
        if (waiting.length === 0) setImmediate(flush);
        waiting.push({ line, done, failed });
      }),
    closed: () => closed,
    close: () => {
      closed = true;
      flush();
      if (current !== undefined) closeSync(current.file);
      current = undefined;
    },
  };
}

type OpenFile = { readonly file: number; readonly day: string; bytes: number };

/** The day's newest file, or the next one when that is full. */
function openFile(directory: string, day: string, maxBytes: number): OpenFile {
  mkdirSync(directory, { recursive: true });
  const parts = readdirSync(directory).flatMap((name) => {
    const match = TRACE_FILE.exec(name);
    return match?.[1] === day ? [Number(match[2] ?? 0)] : [];
  });
  let part = Math.max(0, ...parts);
  let bytes = sizeOf(join(directory, nameOf(day, part)));
  if (bytes >= maxBytes) {
    part += 1;
    bytes = 0;
  }
  const path = join(directory, nameOf(day, part));
  const file = openSync(path, 'a+');
  // A line that a crash cut off must not swallow the next one.
  if (bytes > 0 && lastByte(file, bytes) !== NEWLINE) {
    appendFileSync(file, '\n');
    bytes += 1;
  }
  return { file, day, bytes };
}

const NEWLINE = 0x0a;

function lastByte(file: number, size: number): number | undefined {
  const bytes = Buffer.alloc(1);
  return readSync(file, bytes, 0, 1, size - 1) === 1 ? bytes[0] : undefined;
}

function nameOf(day: string, part: number): string {
  return part === 0 ? `${day}.jsonl` : `${day}.${part}.jsonl`;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Only files that are named like ours go; one that another process removed first is gone as wanted. Where every earlier
 * file would go, nothing does before the next day: so it looks when the clock leaps, and soon it is set right.
 */
function removeOld(directory: string, today: string, { now, maxAgeMs }: { now: number; maxAgeMs: number }): void {
  const isOld = (day: string): boolean => endOf(day) <= now - maxAgeMs;
  const files = readdirSync(directory).flatMap((name) => {
    const day = TRACE_FILE.exec(name)?.[1];
    return day === undefined || day === today ? [] : [{ name, day }];
  });
  if (files.every(({ day }) => isOld(day))) return;
  for (const { name } of files.filter(({ day }) => isOld(day))) {
    try {
      unlinkSync(join(directory, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

function endOf(day: string): number {
  return Date.parse(`${day}T00:00:00.000Z`) + DAY_MS;
}

function positive(value: number, name: string): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new WarrantError('GROUNDING_TRACE_OPTIONS_INVALID', `${name} is a positive number`, { data: { name } });
}
