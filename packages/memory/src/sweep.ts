import type { MemoryChange, MemoryRecord } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { fault } from './errors.ts';
import type { Setup } from './setup.ts';
import { DAY_MS, timeOf } from './times.ts';

export type SweepSettings = {
  /** Confidence lost a day since a record was last of use. 0 to 1. @default 0 */
  readonly decayPerDay?: number;
  /** Confidence that each sweep takes, whatever time passed; stored, so that a second sweep takes it again. 0 to 1. @default 0 */
  readonly decayPerSweep?: number;
  /** Confidence under which a record is archived. 0 to 1. @default 0.1 */
  readonly archivalThreshold?: number;
  /** Whole days without use after which a record is archived. @default 90 */
  readonly stalenessDays?: number;
};
export type SweepReason = 'expired' | 'decayed' | 'stale';
export type SweepReport = {
  readonly looked: number;
  /** Records whose stored confidence a `decayPerSweep` lowered. */
  readonly lowered: number;
  readonly archived: { readonly [reason in SweepReason]: number };
};

/** Rows of one transaction and one audit entry. */
const BATCH = 1000;

/**
 * Why a record is to be archived, or `null`. Decay goes by the time that passed, never by how often it is looked at, so
 * a second sweep finds nothing more. Records of people stay.
 */
export function decideSweep(record: MemoryRecord, settings: SweepSettings, now: string): SweepReason | null {
  if (!isSwept(record)) return null;
  const time = Date.parse(now);
  if (timeOf(record.expiresAt) <= time) return 'expired';
  const used = record.lastRetrievedAt === null ? timeOf(record.recordedAt) : timeOf(record.lastRetrievedAt);
  const days = Math.max(0, time - used) / DAY_MS;
  const confidence = lowered(record, settings) - (settings.decayPerDay ?? 0) * days;
  if (confidence < (settings.archivalThreshold ?? 0.1)) return 'decayed';
  return Math.floor(days) >= (settings.stalenessDays ?? 90) ? 'stale' : null;
}

function isSwept(record: MemoryRecord): boolean {
  return record.origin !== 'human-approved' && !record.archived && record.closedAt === null;
}

/** The confidence that is left once this sweep has taken its part. */
function lowered(record: MemoryRecord, { decayPerSweep = 0 }: SweepSettings): number {
  return Math.max(0, Math.round((record.confidence - decayPerSweep) * 1e10) / 1e10);
}

/** Archives what has had its time. Stopped half-way, the next sweep does the rest. @throws MEMORY_INVALID_ARGUMENT */
export async function sweep(setup: Setup, actor: Actor, asked: SweepSettings): Promise<SweepReport> {
  const settings = settingsOf(setup, asked);
  const archived = { expired: 0, decayed: 0, stale: 0 };
  const at = setup.now();
  let looked = 0;
  let less = 0;
  let batch: Swept[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const records = batch.map(({ id, reason }) => [id, reason ?? 'lowered']);
    const audit = auditEntry(setup.ids, actor, 'memory.swept', { records, settings: { ...settings } });
    await setup.store.commit(
      batch.flatMap((one) => changesOf(one, at)),
      { expected: {}, audit: [audit] },
    );
    batch = [];
  };
  for await (const record of setup.store.scan()) {
    looked += 1;
    if (!isSwept(record)) continue;
    const reason = decideSweep(record, settings, at);
    const after = reason === 'expired' ? record.confidence : lowered(record, settings);
    const confidence = after === record.confidence ? null : after;
    if (reason === null && confidence === null) continue;
    if (reason !== null) archived[reason] += 1;
    if (confidence !== null) less += 1;
    batch.push({ id: record.id, reason, confidence });
    if (batch.length === BATCH) await flush();
  }
  await flush();
  return { looked, lowered: less, archived };
}

type Swept = { readonly id: string; readonly reason: SweepReason | null; readonly confidence: number | null };

function changesOf({ id, reason, confidence }: Swept, at: string): readonly MemoryChange[] {
  return [
    ...(confidence === null ? [] : [{ type: 'adjust', id, confidence, at } as const]),
    ...(reason === null ? [] : [{ type: 'archive', id, at } as const]),
  ];
}

/** What was asked for, else what is configured. */
function settingsOf(setup: Setup, asked: SweepSettings): SweepSettings {
  for (const name of ['decayPerDay', 'decayPerSweep', 'archivalThreshold'] as const)
    if (asked[name] !== undefined && !(asked[name] >= 0 && asked[name] <= 1))
      throw invalid(name, 'a number from 0 to 1');
  const days = asked.stalenessDays;
  if (days !== undefined && !(Number.isSafeInteger(days) && days >= 0))
    throw invalid('stalenessDays', 'a whole number from 0');
  if (setup.config === null) return asked;
  const { confidenceDecayRate, archivalThreshold, stalenessDays } = setup.config.profile.lifecycle;
  return {
    decayPerDay: asked.decayPerSweep === undefined ? confidenceDecayRate : 0,
    archivalThreshold,
    stalenessDays,
    ...asked,
  };
}

function invalid(field: string, what: string): Error {
  return fault('MEMORY_INVALID_ARGUMENT', `${field} is ${what}`, { field });
}
