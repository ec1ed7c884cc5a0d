import type { MemoryRecord } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import type { Setup } from './setup.ts';
import { timeOf } from './times.ts';

export type SweepSettings = {
  /** Confidence lost a day since a record was last of use. At least 0. @default 0 */
  readonly decayPerDay?: number;
  /** Confidence under which a record is archived. 0 to 1. @default 0.1 */
  readonly archivalThreshold?: number;
  /** Whole days without use after which a record is archived. @default 90 */
  readonly stalenessDays?: number;
};
export type SweepReason = 'expired' | 'decayed' | 'stale';
export type SweepReport = { readonly looked: number; readonly archived: { readonly [reason in SweepReason]: number } };

const DAY_MS = 86_400_000;
/** Rows of one transaction and one audit entry. */
const BATCH = 1000;

/**
 * Why a record is to be archived, or `null`. Decay goes by the time that passed, never by how often it is looked at, so
 * a second sweep finds nothing more. Records of people stay.
 */
export function decideSweep(record: MemoryRecord, settings: SweepSettings, now: string): SweepReason | null {
  if (record.origin === 'human-approved' || record.archived || record.closedAt !== null) return null;
  const time = Date.parse(now);
  if (timeOf(record.expiresAt) <= time) return 'expired';
  const used = record.lastRetrievedAt === null ? timeOf(record.recordedAt) : timeOf(record.lastRetrievedAt);
  const days = Math.max(0, time - used) / DAY_MS;
  if (record.confidence - (settings.decayPerDay ?? 0) * days < (settings.archivalThreshold ?? 0.1)) return 'decayed';
  return Math.floor(days) >= (settings.stalenessDays ?? 90) ? 'stale' : null;
}

/** Archives what has had its time. Stopped half-way, the next sweep does the rest. */
export async function sweep(setup: Setup, actor: Actor, settings: SweepSettings): Promise<SweepReport> {
  const archived = { expired: 0, decayed: 0, stale: 0 };
  const at = setup.now();
  let looked = 0;
  let batch: { readonly id: string; readonly reason: SweepReason }[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const data = { records: batch.map(({ id, reason }) => [id, reason]), settings: { ...settings } };
    const audit = auditEntry(setup.ids, actor, 'memory.swept', data);
    await setup.store.commit(
      batch.map(({ id }) => ({ type: 'archive', id, at }) as const),
      { expected: {}, audit: [audit] },
    );
    batch = [];
  };
  for await (const record of setup.store.scan()) {
    looked += 1;
    const reason = decideSweep(record, settings, at);
    if (reason === null) continue;
    archived[reason] += 1;
    batch.push({ id: record.id, reason });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return { looked, archived };
}
