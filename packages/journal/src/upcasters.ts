import type { Json, Recorded } from '@warrant/core';
import { fault } from './errors.ts';
import type { Entries } from './replay.ts';

/** Brings the data of one type from one schemaVersion to the next. Pure. */
export type Upcaster = {
  readonly type: string;
  /** The schemaVersion it takes; it gives `from + 1`. */
  readonly from: number;
  readonly upcast: (data: Json, entry: Recorded) => Json;
};
export type Upcasters = {
  /** The entry at its newest schemaVersion. Its digest stays that of what is stored. @throws JOURNAL_SCHEMA_VERSION_UNKNOWN */
  upcast(entry: Recorded): Recorded;
  /** The same for each of them. */
  all(entries: Entries): AsyncIterable<Recorded>;
};

/**
 * Chains upcasters by type.
 * @throws JOURNAL_UPCASTER_GAP when a type's steps are not consecutive, or one is given twice
 */
export function createUpcasters(steps: readonly Upcaster[]): Upcasters {
  const chains = new Map<string, Upcaster[]>();
  for (const step of [...steps].sort((a, b) => a.from - b.from)) {
    const chain = chains.get(step.type) ?? [];
    const last = chain.at(-1);
    if (!Number.isSafeInteger(step.from) || step.from < 1 || (last !== undefined && step.from !== last.from + 1)) {
      throw fault('JOURNAL_UPCASTER_GAP', `${step.type}: no step or two steps lead to schemaVersion ${step.from}`, {
        type: step.type,
        from: step.from,
      });
    }
    chain.push(step);
    chains.set(step.type, chain);
  }
  const upcast = (entry: Recorded): Recorded => {
    const chain = chains.get(entry.type);
    return chain === undefined ? entry : upcastBy(chain, entry);
  };
  return {
    upcast,
    all: async function* (entries) {
      for await (const entry of entries) yield upcast(entry);
    },
  };
}

function upcastBy(chain: readonly Upcaster[], entry: Recorded): Recorded {
  const first = (chain[0] as Upcaster).from;
  const newest = (chain[chain.length - 1] as Upcaster).from + 1;
  if (entry.schemaVersion < first || entry.schemaVersion > newest) {
    throw fault(
      'JOURNAL_SCHEMA_VERSION_UNKNOWN',
      `entry ${entry.id} has schemaVersion ${entry.schemaVersion} of ${entry.type}; known are ${first} to ${newest}`,
      { id: entry.id, type: entry.type, schemaVersion: entry.schemaVersion },
    );
  }
  // There is nothing to bring up to date in data that nobody can read any more.
  if (entry.sealed !== undefined && entry.data === null) return entry;
  let data = entry.data;
  for (const step of chain.slice(entry.schemaVersion - first)) data = step.upcast(data, entry);
  return { ...entry, data, schemaVersion: newest };
}
