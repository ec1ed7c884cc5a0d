import type { MemoryRecord } from '@warrant/core';
import { overlap } from '../ranking.ts';
import { DAY_MS, timeOf } from '../times.ts';
import type { ReferenceSettings, ReferenceWeights } from './settings.ts';
import { referenceText, referenceTokens } from './text.ts';

export type ReferenceCall = {
  readonly query: string;
  readonly agent: string;
  readonly session: string | null;
  readonly directories: readonly string[];
  readonly includeConsolidated: boolean;
  /** The asker sees its own records only. */
  readonly isolated: boolean;
  /** Working folders of the session that was opened under `session`; empty when none was. */
  readonly sessionDirectories: readonly string[];
  /** ISO-8601. */
  readonly now: string;
};
export type ReferenceScored = {
  readonly record: MemoryRecord;
  readonly composite: number;
  readonly parts: ReferenceWeights;
  readonly stale: boolean;
};
export type ReferenceRecall = {
  /** Before limit, minimum and budget. */
  readonly ranked: readonly ReferenceScored[];
  readonly returned: readonly MemoryRecord[];
  readonly tokens: number;
  readonly truncated: boolean;
};

const CANDIDATES = 50;

/** Recall as the reference does it: substrings in insertion order, no relevance in the score, budget in order. Pure. */
export function referenceRecall(
  records: readonly MemoryRecord[],
  call: ReferenceCall,
  settings: ReferenceSettings,
): ReferenceRecall {
  const ranked = candidatesOf(records, call, settings)
    .map((record) => score(record, call, settings))
    .sort((a, b) => b.composite - a.composite);
  const passing = ranked.filter(({ composite }) => composite >= settings.minScore).slice(0, settings.limit);
  const returned: MemoryRecord[] = [];
  let tokens = 0;
  for (const { record } of passing) {
    const cost = referenceTokens(record.value);
    if (tokens + cost > settings.budgetTokens) break;
    tokens += cost;
    returned.push(record);
  }
  return { ranked, returned, tokens, truncated: returned.length < passing.length };
}

function candidatesOf(
  records: readonly MemoryRecord[],
  call: ReferenceCall,
  settings: ReferenceSettings,
): readonly MemoryRecord[] {
  const pieces = call.query
    .toLowerCase()
    .split(/\s+/)
    .filter((piece) => piece !== '');
  const holds = (record: MemoryRecord): boolean => {
    const key = record.key.toLowerCase();
    const text = referenceText(record.value).toLowerCase();
    return pieces.some((piece) => key.includes(piece) || text.includes(piece));
  };
  return records
    .filter((record) => !record.archived && (!call.isolated || record.agent === call.agent) && holds(record))
    .slice(0, Math.max(settings.limit, CANDIDATES))
    .filter((record) => call.includeConsolidated || !record.consolidated)
    .filter((record) => ofSession(record, call) && ofRepository(record, call));
}

function ofSession(record: MemoryRecord, call: ReferenceCall): boolean {
  return call.session === null || !record.key.includes('memory/episodic/') || record.key.includes(`/${call.session}/`);
}

function ofRepository(record: MemoryRecord, call: ReferenceCall): boolean {
  const last = record.directories.at(-1);
  if (call.sessionDirectories.length === 0 || last === undefined) return true;
  return call.sessionDirectories.some((directory) => baseName(directory) === baseName(last));
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const PROVENANCE: { readonly [origin in MemoryRecord['origin']]: number } = {
  'human-approved': 1,
  'provider-ingested': 0.6,
  'agent-inferred': 0.3,
};

function score(record: MemoryRecord, call: ReferenceCall, settings: ReferenceSettings): ReferenceScored {
  const used = timeOf(record.lastRetrievedAt ?? record.recordedAt);
  const days = Math.max(0, Date.parse(call.now) - used) / DAY_MS;
  const recency = Math.min(1, Math.exp(-0.01 * days) * (1 + 0.1 * Math.log1p(record.retrievals)));
  const parts: ReferenceWeights = {
    provenance: PROVENANCE[record.origin],
    recency,
    confidence: record.confidence,
    causal: record.retrievals === 0 ? 0 : Math.min(1, Math.log1p(record.retrievals) / Math.log(101)) * recency,
    semantic: 0,
    workspace: overlap(record.directories, call.directories),
  };
  const names = Object.keys(parts) as (keyof ReferenceWeights)[];
  const sum = names.reduce((total, name) => total + parts[name] * settings.weights[name], 0);
  return { record, composite: Math.min(1, Math.max(0, sum)), parts, stale: Math.floor(days) >= settings.stalenessDays };
}
