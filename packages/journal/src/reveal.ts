import type { Json, Recorded } from '@warrant/core';
import { fault } from './errors.ts';
import type { KeyStore } from './keys.ts';
import { isTime, type Row, toRecorded } from './row.ts';
import { entryContext, openText } from './sealing.ts';

/** Turns rows into what readers get. @internal */
export type Reveal = (rows: readonly Row[]) => Promise<readonly Recorded[]> | readonly Recorded[];

/**
 * Keys are asked for page by page and forgotten after it, so that a destroyed one is of no use to a running reader.
 * @internal
 */
export function createReveal(keys: KeyStore | undefined): Reveal {
  return (rows) => {
    if (!rows.some((row) => row.sealed !== undefined)) return rows.map((row) => recorded(row, clearData(row)));
    return keys === undefined ? rows.map((row) => recorded(row, clearData(row))) : openRows(rows, keys);
  };
}

async function openRows(rows: readonly Row[], keys: KeyStore): Promise<readonly Recorded[]> {
  const found = new Map<string, Uint8Array | undefined>();
  for (const { sealed, subject } of rows) {
    if (sealed === undefined || subject === undefined || found.has(subject)) continue;
    const result = await keys.find(subject);
    found.set(subject, result.type === 'key' ? result.key : undefined);
  }
  return rows.map((row) => {
    const key = row.sealed === undefined ? undefined : found.get(row.subject as string);
    if (key === undefined) return recorded(row, clearData(row));
    const text = openText(key, entryContext(row.subject as string, row.id), row.sealed as string);
    if (text === undefined) throw damaged(row, 'its ciphertext does not open under its subject');
    return recorded(row, JSON.parse(text) as Json);
  });
}

function recorded(row: Row, data: Json): Recorded {
  if (!isTime(row.time)) throw damaged(row, 'its time is none');
  return toRecorded(row, data);
}

function clearData(row: Row): Json {
  if (row.sealed !== undefined) return null;
  if (row.data === undefined) {
    const { stream, position, segment } = row;
    throw fault('JOURNAL_ARCHIVED', `entry ${position} of ${stream} was moved to the archive ${segment}`, {
      stream,
      position,
      segment: segment ?? '',
    });
  }
  try {
    return JSON.parse(row.data) as Json;
  } catch (cause) {
    throw damaged(row, 'its data is not JSON', cause);
  }
}

function damaged(row: Row, what: string, cause?: unknown): Error {
  const { stream, position } = row;
  return fault('JOURNAL_DAMAGED', `entry ${position} of ${stream}: ${what}`, { stream, position }, cause);
}
