import type { ActorKey, MemoryConflict, MemoryOrigin, MemoryRecord } from '@warrant/core';
import { isLive } from '../current.ts';
import { settle } from '../note-recall.ts';
import type { Setup } from '../setup.ts';
import { exportJsonl } from '../transfer/export-jsonl.ts';
import { checkActorKey } from '../write-request.ts';
import { type MemoryStats, statsOf } from './stats.ts';

export type MemoriesQuery = {
  readonly agent?: ActorKey;
  readonly origin?: MemoryOrigin;
  readonly tier?: MemoryRecord['tier'];
  /** Keys that begin so. @default '' */
  readonly prefix?: string;
  /** Rows of the past too: superseded, expired, archived. @default false */
  readonly history?: boolean;
};
/** What one agent holds. */
export type AgentSummary = {
  readonly agent: ActorKey;
  readonly current: number;
  readonly archived: number;
  /** Superseded or expired. */
  readonly past: number;
  /** Of the current ones; `null` without any. */
  readonly averageConfidence: number | null;
  /** ISO-8601, of its newest record. */
  readonly lastWrittenAt: string;
};
/** Questions about the memory as a whole, for whoever runs it: no permission is asked, nothing is counted as a recall. */
export type SystemQueries = {
  /** Records by id. */
  readonly memories: (query?: MemoriesQuery) => AsyncIterable<MemoryRecord>;
  /** By id, whatever their state; those that are not known are left out. */
  readonly records: (ids: readonly string[]) => Promise<readonly MemoryRecord[]>;
  /** By name. */
  readonly agents: () => Promise<readonly AgentSummary[]>;
  readonly conflicts: (state?: MemoryConflict['state']) => AsyncIterable<MemoryConflict>;
  /** @param options.reader counts what this agent may read, and nothing else */
  readonly stats: (options?: { readonly reader?: ActorKey }) => Promise<MemoryStats>;
  /**
   * Everything as lines of JSON with their ends: what it is, every row of every age, every conflict. It is a plain copy:
   * what is forgotten later stays in it.
   */
  readonly exportJsonl: () => AsyncIterable<string>;
};

/** @internal */
export function createSystemQueries(setup: Setup): SystemQueries {
  const all = (query: MemoriesQuery = {}): AsyncIterable<MemoryRecord> => memories(setup, query);
  const conflicts = (state?: MemoryConflict['state']): AsyncIterable<MemoryConflict> =>
    setup.store.conflicts(state === undefined ? {} : { state });
  return {
    memories: all,
    records: (ids) => setup.store.records(ids),
    agents: () => agents(setup),
    conflicts,
    exportJsonl: () => exportJsonl({ memories: all, conflicts }, setup.now()),
    stats: async ({ reader } = {}) => {
      await settle(setup);
      return statsOf(setup, reader === undefined ? null : { type: 'agent', key: checkActorKey(reader) });
    },
  };
}

async function* memories(setup: Setup, query: MemoriesQuery): AsyncGenerator<MemoryRecord> {
  const now = setup.now();
  for await (const record of setup.store.scan(query.prefix === undefined ? {} : { prefix: query.prefix })) {
    if (query.history !== true && !isLive(record, { validAt: now, knownAt: now })) continue;
    if (query.agent !== undefined && record.agent !== query.agent) continue;
    if (query.origin !== undefined && record.origin !== query.origin) continue;
    if (query.tier === undefined || record.tier === query.tier) yield record;
  }
}

type Tally = { current: number; archived: number; past: number; confidence: number; last: string };

async function agents(setup: Setup): Promise<readonly AgentSummary[]> {
  const now = setup.now();
  const tallies = new Map<string, Tally>();
  for await (const record of setup.store.scan()) {
    const tally = tallies.get(record.agent) ?? { current: 0, archived: 0, past: 0, confidence: 0, last: '' };
    tallies.set(record.agent, tally);
    if (record.recordedAt > tally.last) tally.last = record.recordedAt;
    if (record.archived) tally.archived += 1;
    else if (isLive(record, { validAt: now, knownAt: now })) {
      tally.current += 1;
      tally.confidence += record.confidence;
    } else tally.past += 1;
  }
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([agent, { current, archived, past, confidence, last }]) => ({
      agent,
      current,
      archived,
      past,
      averageConfidence: current === 0 ? null : confidence / current,
      lastWrittenAt: last,
    }));
}
