import type { MemoryRecord } from '@warrant/core';

/** Where snapshots of directories lie. */
export const TRACKING_PREFIX = 'memory/working/directory_tracking/';

/** Whether a record may be put before a model by itself: instructions and snapshots of directories may not. */
export function isInjected(record: Pick<MemoryRecord, 'key'>): boolean {
  return !record.key.startsWith(TRACKING_PREFIX) && !record.key.startsWith('skills/');
}
