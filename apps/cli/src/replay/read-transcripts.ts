import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { isWarrantError } from '@warrant/core';
import { readTrace, type Trace } from '@warrant/submit-gate';
import { fitToJudge } from './fit-to-judge.ts';

/** One line of work in a transcript: the session itself, or one of its subagents. */
export type Thread = { readonly file: string; readonly name: string; readonly trace: Trace };
/** A line that could not be read. */
export type DamagedLine = {
  readonly file: string;
  readonly line: number;
  readonly why: 'not-json' | 'too-deep' | 'nothing-known';
};
export type Transcript = { readonly threads: readonly Thread[]; readonly damaged: readonly DamagedLine[] };

type Line = { readonly [name: string]: unknown };
type Sorted = { readonly threads: Map<string, string[]>; readonly damaged: DamagedLine[] };

/** Reads one transcript or trace; what is damaged is reported and left out. @throws what Node says of the file */
export async function readTranscript(path: string): Promise<Transcript> {
  const file = basename(path);
  const sorted: Sorted = { threads: new Map(), damaged: [] };
  let number = 0;
  let first: string | undefined;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    const text = number === 1 ? line.replace(/^\uFEFF/, '') : line;
    if (text.trim() === '') continue;
    first ??= text.trim();
    sortLine(sorted, { file, number, text });
  }
  // A list of messages is one JSON value over many lines: none of them is whole by itself.
  const whole = sorted.threads.size === 0 && first !== undefined && /^[[{]/.test(first);
  if (whole) return readWhole(path, file, sorted.damaged);
  const threads: Thread[] = [];
  for (const [name, lines] of sorted.threads) {
    const trace = traceOf(lines);
    if (trace === undefined) continue;
    threads.push({ file, name, trace });
  }
  if (threads.length === 0 && number > 0) sorted.damaged.push({ file, line: 1, why: 'nothing-known' });
  return { threads, damaged: sorted.damaged };
}

function sortLine(
  sorted: Sorted,
  line: { readonly file: string; readonly number: number; readonly text: string },
): void {
  const value = parsed(line.text);
  if (typeof value !== 'object' || value === null) {
    sorted.damaged.push({ file: line.file, line: line.number, why: 'not-json' });
    return;
  }
  const fit = fitToJudge(value, line.text);
  if (fit === undefined) {
    sorted.damaged.push({ file: line.file, line: line.number, why: 'too-deep' });
    return;
  }
  const item = fit as Line;
  const side = item['isSidechain'] === true;
  const name = side ? `subagent ${textOf(item['agentId']) ?? ''}`.trim() : 'main';
  const lines = sorted.threads.get(name) ?? [];
  sorted.threads.set(name, lines);
  // The reader of transcripts leaves subagents out; here each is a thread of its own.
  lines.push(side ? JSON.stringify({ ...item, isSidechain: false }) : fit === value ? line.text : JSON.stringify(fit));
}

async function readWhole(path: string, file: string, damaged: readonly DamagedLine[]): Promise<Transcript> {
  const { readFile } = await import('node:fs/promises');
  const text = await readFile(path, 'utf8');
  const value = parsed(text);
  if (value === undefined) return { threads: [], damaged };
  const fit = fitToJudge(value, text);
  if (fit === undefined) return { threads: [], damaged: [{ file, line: 1, why: 'too-deep' }] };
  const trace = traceOf([fit === value ? text : JSON.stringify(fit)]);
  if (trace === undefined) return { threads: [], damaged };
  return { threads: [{ file, name: 'main', trace }], damaged: [] };
}

function traceOf(lines: readonly string[]): Trace | undefined {
  try {
    return readTrace(lines.join('\n'));
  } catch (error) {
    if (isWarrantError(error, 'SUBMIT_GATE_TRACE_INVALID')) return undefined;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
