import type { MemoryChange, MemoryRecord, WarrantError } from '@warrant/core';
import { fault } from './errors.ts';

type RowChange = Exclude<MemoryChange, { type: 'put' | 'put-conflict' | 'erase' | 'count' }>;

/** A row after a change that rows allow. `undefined` when it says nothing about the row. */
export function changeRecord(record: MemoryRecord, change: RowChange): MemoryRecord {
  switch (change.type) {
    case 'close':
      return record.closedAt === null ? { ...record, closedAt: change.at } : record;
    case 'archive':
      return { ...record, archived: true, closedAt: record.closedAt ?? change.at };
    case 'restore':
      return { ...record, archived: false, closedAt: null };
    case 'retrieved':
      return { ...record, retrievals: record.retrievals + 1, lastRetrievedAt: change.at };
    case 'adjust':
      return { ...record, confidence: change.confidence };
  }
}

/** @throws MEMORY_INVALID_ARGUMENT for what no store may hold, MEMORY_SUBJECT_EMPTY */
export function checkChanges(changes: readonly MemoryChange[]): void {
  for (const change of changes) {
    if (change.type === 'adjust') checkConfidence(change.confidence);
    if (change.type === 'put') checkConfidence(change.record.confidence);
    if (change.type === 'count' && !Number.isSafeInteger(change.by))
      throw fault('MEMORY_INVALID_ARGUMENT', 'a counter moves by a whole number', { field: 'by' });
    if (change.type === 'erase' && change.subject === '')
      throw fault('MEMORY_SUBJECT_EMPTY', 'erasing needs a subject');
  }
}

function checkConfidence(confidence: number): void {
  if (confidence >= 0 && confidence <= 1) return;
  throw fault('MEMORY_INVALID_ARGUMENT', 'confidence is a number from 0 to 1', { field: 'confidence' });
}

/** The fault of a commit that changes a row which is not there. */
export function unknownRecord(id: string): WarrantError {
  return fault('MEMORY_INVALID_ARGUMENT', 'a change names a record that is not there', { id });
}

/** Ids of everything that goes with a subject: its records, and what was made from any of them. */
export function erasedWith(
  subject: string,
  records: readonly Pick<MemoryRecord, 'id' | 'subject' | 'sources'>[],
): ReadonlySet<string> {
  const erased = new Set(records.filter((record) => record.subject === subject).map((record) => record.id));
  for (let before = -1; before !== erased.size; ) {
    before = erased.size;
    for (const record of records) if (record.sources.some((source) => erased.has(source))) erased.add(record.id);
  }
  return erased;
}
