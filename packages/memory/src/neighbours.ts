import type { MemoryRecord } from '@warrant/core';
import { textOf } from './words.ts';

/** How many records before one lend it their words. */
export const CONTEXT_RECORDS = 2;

/** Records that may lend each other words: of one session, agent and subject. `null` outside sessions. */
export function contextGroup(record: Pick<MemoryRecord, 'session' | 'agent' | 'subject'>): string | null {
  return record.session === null ? null : JSON.stringify([record.session, record.agent, record.subject]);
}

/** True while a record lends its words: what was superseded, archived or corrected stays silent. */
export function lends(record: MemoryRecord): boolean {
  return record.closedAt === null && !record.archived;
}

/** The words that a record is found by beside its own. @param before the last lending records of its group, oldest first */
export function contextText(before: readonly MemoryRecord[]): string {
  return before.slice(-CONTEXT_RECORDS).map(textOf).join('\n');
}
