import type { RecordedReviewEvent, ReviewChain, ReviewEvent } from '@warrant/core';
import { GENESIS, parseLine, verifyLines } from '../chain.ts';
import { eventLine, readEvent } from '../event-line.ts';
import type { FileOps } from './file-ops.ts';

const BLOCK = 65_536;

/** Where the next event goes: the log's length, the hash to link to, and whether the last line must be closed first. */
export type LogTail = { readonly size: number; readonly hash: string; readonly isTorn: boolean };

/** Reads the tail only, however long the log is. An unparsable last line is left alone; the chain goes on from the last line with a hash. */
export function readTail(files: FileOps, path: string): LogTail {
  const stat = files.stat(path);
  if (stat === null || stat.size === 0) return { size: 0, hash: GENESIS, isTorn: false };
  let from = stat.size;
  for (let reach = BLOCK; ; reach *= 4) {
    from = Math.max(0, stat.size - reach);
    const bytes = files.readFrom(path, from);
    const isTorn = bytes.length > 0 && bytes.at(-1) !== 0x0a;
    const hash = lastHash(bytes, from === 0);
    if (hash !== null || from === 0) return { size: stat.size, hash: hash ?? GENESIS, isTorn };
  }
}

// The first line of a block may be cut; it counts only when the block starts the file.
function lastHash(bytes: Buffer, isWhole: boolean): string | null {
  const lines = bytes.toString('utf8').split('\n');
  for (let index = lines.length - 1; index >= (isWhole ? 0 : 1); index -= 1) {
    const event = parseLine(lines[index] as string);
    const hash = event?.['hash'];
    if (typeof hash === 'string' && hash !== '') return hash;
  }
  return null;
}

/** The bytes that append the events after the tail. */
export function appendedText(
  tail: LogTail,
  events: readonly ReviewEvent[],
  link: { readonly kbId: string | null; newId(): string },
): string {
  let text = tail.isTorn ? '\n' : '';
  let previous = tail.hash;
  for (const event of events) {
    const { line, hash } = eventLine(event, { id: link.newId(), kbId: link.kbId, previous });
    text += `${line}\n`;
    previous = hash;
  }
  return text;
}

/** What a log holds: its events, and the numbers of lines that cannot be parsed (from 1). */
export type LogContent = {
  readonly events: readonly RecordedReviewEvent[];
  readonly lines: number;
  readonly unparsable: readonly number[];
};

export function readLog(files: FileOps, path: string): LogContent {
  const lines = linesOf(files, path);
  const events: RecordedReviewEvent[] = [];
  const unparsable: number[] = [];
  lines.forEach((line, index) => {
    if (line.trim() === '') return;
    const event = parseLine(line);
    if (event === null) unparsable.push(index + 1);
    else events.push(readEvent(event));
  });
  return { events, lines: lines.length, unparsable };
}

export function verifyLog(files: FileOps, path: string): ReviewChain {
  return verifyLines(linesOf(files, path));
}

function linesOf(files: FileOps, path: string): readonly string[] {
  const lines = (files.read(path)?.toString('utf8') ?? '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
