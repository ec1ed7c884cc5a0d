import type { Appended } from '@warrant/core';
import { fault } from './errors.ts';
import { asDigest, type Row } from './row.ts';

/** @internal */
export function appendedOf(
  rows: readonly Pick<Row, 'position' | 'digest'>[],
  cursor: string,
  skipped: Extract<Appended, { type: 'appended' }>['skipped'],
): Appended {
  const first = rows[0] as Row;
  const last = rows[rows.length - 1] as Row;
  return {
    type: 'appended',
    first: first.position,
    last: last.position,
    cursor,
    digest: asDigest(last.digest),
    skipped,
  };
}

/** Cursors of stores that number the whole log 1, 2, 3, ...; 0 for none. @internal */
export function parseCursor(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^(0|[1-9]\d{0,14})$/.test(cursor)) throw fault('JOURNAL_INVALID_CURSOR', 'not a cursor of this journal');
  return Number(cursor);
}

/** Whether a cursor lies after another of the same journal: both are numbers with dots between them. @internal */
export function isAfter(cursor: string, other: string): boolean {
  const [mine, theirs] = [cursor.split('.').map(Number), other.split('.').map(Number)];
  for (let index = 0; index < mine.length; index += 1) {
    const difference = (mine[index] as number) - (theirs[index] ?? -1);
    if (difference !== 0) return difference > 0;
  }
  return false;
}

/** The order of databases that compare text by its UTF-8 bytes. @internal */
export function compareUtf8(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
