import type { Appended, Journal } from '@warrant/core';
import { fault } from './errors.ts';
import { entryDigest, type Prepared, type Row } from './row.ts';

export type Expected = Parameters<Journal['append']>[2]['expected'];
type Skipped = { readonly id: string; readonly position: number };
export type AppendPlan =
  | { readonly type: 'append'; readonly fresh: readonly Prepared[]; readonly skipped: readonly Skipped[] }
  | Exclude<Appended, { type: 'appended' }>;

/**
 * What an append comes to, given the rows that already have one of its ids and the head's position (0 when there is
 * no stream). Known ids come before `expected`, so that a redelivery is a duplicate whatever else happened since.
 * @throws JOURNAL_ID_REUSED for a known id with other content, JOURNAL_SUBJECT_ERASED for a new entry of an erased subject.
 */
export function decideAppend(
  entries: readonly Prepared[],
  known: ReadonlyMap<string, Row>,
  head: number,
  expected: Expected,
): AppendPlan {
  const fresh: Prepared[] = [];
  const skipped: Skipped[] = [];
  const positions: number[] = [];
  const inBatch = new Map<string, number>();
  for (const entry of entries) {
    const row = known.get(entry.id);
    const index = row === undefined ? inBatch.get(entry.id) : undefined;
    if (row !== undefined) {
      if (!isSameContent(entry, row)) throw reused(entry.id, row.position);
      skipped.push({ id: entry.id, position: row.position });
      positions.push(row.position);
    } else if (index !== undefined) {
      if (contentOf(entry) !== contentOf(fresh[index] as Prepared)) throw reused(entry.id, head + index + 1);
      skipped.push({ id: entry.id, position: head + index + 1 });
    } else {
      inBatch.set(entry.id, fresh.length);
      fresh.push(entry);
    }
  }
  if (fresh.length === 0) return { type: 'duplicate', positions };
  if (!isExpected(expected, head)) return { type: 'conflict', actual: head };
  for (const entry of fresh) {
    if (entry.erased === true) {
      throw fault('JOURNAL_SUBJECT_ERASED', `entry ${entry.id} is of a subject that was erased`, { id: entry.id });
    }
  }
  return { type: 'append', fresh, skipped };
}

function isExpected(expected: Expected, head: number): boolean {
  if (expected === 'any') return true;
  return expected === 'none' ? head === 0 : expected === head;
}

/** Whether the caller gave the same once more: the entry, put in the row's place, has the row's digest. */
function isSameContent(entry: Prepared, row: Row): boolean {
  if (entry.subject !== row.subject) return false;
  // Without the subject's key nothing of the data is left to compare, and what is stored is never written again.
  if (row.sealed !== undefined && entry.sealed === undefined) return isSameHead(entry, row);
  const archived = row.data === undefined && row.sealed === undefined;
  if (archived && entry.subject !== undefined && entry.sealed === undefined) return isSameHead(entry, row);
  if (row.sealed === undefined && entryDigest(entry, row, { data: entry.data }) === row.digest) return true;
  return entry.sealed !== undefined && entryDigest(entry, row, { sealed: entry.sealed }) === row.digest;
}

/** Whether they agree in all that is stored in clear, whatever their data. */
function isSameHead(entry: Prepared, row: Row): boolean {
  return JSON.stringify(clearPart(entry)) === JSON.stringify(clearPart(row));
}

function clearPart(entry: Prepared | Row): readonly unknown[] {
  const { type, schemaVersion, causationId, correlationId, agentId } = entry;
  return [type, schemaVersion, causationId, correlationId, agentId];
}

function contentOf(entry: Prepared): string {
  const { id, type, schemaVersion, causationId, correlationId, agentId, subject, data } = entry;
  return JSON.stringify([id, type, schemaVersion, causationId, correlationId, agentId, subject, data]);
}

function reused(id: string, position: number): Error {
  return fault('JOURNAL_ID_REUSED', `id ${id} is at position ${position} with other content`, { id, position });
}
