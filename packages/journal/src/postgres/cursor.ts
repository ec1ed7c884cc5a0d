import { fault } from '../errors.ts';

/** Transaction, key of the stream and position, in the order of the log; before all of them without a cursor. @throws JOURNAL_INVALID_CURSOR */
export function parseCursor(cursor: string | undefined): { tx: string; stream: string; position: string } {
  if (cursor === undefined) return { tx: '-1', stream: '0', position: '0' };
  const match = /^(\d{1,18})\.(\d{1,18})\.(\d{1,16})$/.exec(cursor);
  if (match === null) throw fault('JOURNAL_INVALID_CURSOR', 'not a cursor of this journal');
  const [, tx, stream, position] = match as unknown as [string, string, string, string];
  return { tx, stream, position };
}
