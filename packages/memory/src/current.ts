import type { MemoryOrigin, MemoryRecord } from '@warrant/core';
import { timeOf } from './times.ts';

/** `supersede`: a new value takes the old one's place. `record-only`: contradictions are noted, the oldest stays. */
export type Resolution = 'supersede' | 'record-only';
/** At which time it is asked what was true, and from which state of knowledge; ISO-8601. */
export type Moment = { readonly validAt: string; readonly knownAt: string };

const RANK: { readonly [origin in MemoryOrigin]: number } = {
  'provider-ingested': 0,
  'agent-inferred': 1,
  'human-approved': 2,
};

/** Human above agent above provider. */
export function rankOf(record: { readonly origin: MemoryOrigin }): number {
  return RANK[record.origin];
}

/** Valid [from, to), known [recorded, closed), not expired when asked, not archived unless that came later. */
export function isLive(record: MemoryRecord, moment: Moment): boolean {
  const valid = Date.parse(moment.validAt);
  const known = Date.parse(moment.knownAt);
  const closed = timeOf(record.closedAt);
  return (
    timeOf(record.validFrom) <= valid &&
    valid < timeOf(record.validTo) &&
    timeOf(record.recordedAt) <= known &&
    known < closed &&
    known < timeOf(record.expiresAt) &&
    (!record.archived || closed !== Number.POSITIVE_INFINITY)
  );
}

/** The one record of a key's rows that is current then: most trusted, then latest in force, then latest learned. */
export function currentOf(
  records: readonly MemoryRecord[],
  moment: Moment,
  resolution: Resolution,
): MemoryRecord | undefined {
  const live = records.filter((record) => isLive(record, moment));
  const order = resolution === 'supersede' ? bySupersession : (a: MemoryRecord, b: MemoryRecord) => byAge(b, a);
  let best: MemoryRecord | undefined;
  for (const record of live) if (best === undefined || order(record, best) > 0) best = record;
  return best;
}

function bySupersession(a: MemoryRecord, b: MemoryRecord): number {
  return rankOf(a) - rankOf(b) || timeOf(a.validFrom) - timeOf(b.validFrom) || byAge(a, b);
}

function byAge(a: MemoryRecord, b: MemoryRecord): number {
  const times = timeOf(a.recordedAt) - timeOf(b.recordedAt);
  if (times !== 0) return times;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
