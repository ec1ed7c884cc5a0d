import { foldName, type Gap, type GraphStore, type Primitive } from '@warrant/core';

/** What `count` has gathered about one concept, known to the graph or not. */
export type ConceptMetrics = {
  /** The name as it was counted first. */
  readonly concept: string;
  /** How often it was counted: one call of `count` names a concept once a check. */
  readonly checked: number;
  readonly grounded: number;
  readonly existence: number;
  readonly depth: number;
  readonly relational: number;
  readonly reachability: number;
  /** ISO-8601 UTC, or null when never. */
  readonly lastGroundedAt: string | null;
  readonly lastFailedAt: string | null;
};

/** A store of this package: one can also ask it for a primitive by id, and read its counts back. */
export interface LocalGraphStore extends GraphStore {
  byId(id: string): Promise<Primitive | undefined>;
  /** Everything counted so far, most often checked first. */
  metrics(): Promise<readonly ConceptMetrics[]>;
}

type Outcome = 'grounded' | Gap['type'];
type Tally = { -readonly [Key in keyof ConceptMetrics]: ConceptMetrics[Key] };

const MAX_CONCEPTS = 100_000;
const OUTCOMES: readonly Outcome[] = ['grounded', 'existence', 'depth', 'relational', 'reachability'];

/** Counts by fold key; what is malformed or beyond 100,000 concepts is dropped: metrics are best effort. */
export type Tallies = {
  readonly add: (concept: string, outcome: Outcome, at: string) => void;
  readonly entries: () => readonly (readonly [string, ConceptMetrics])[];
  readonly clear: () => void;
  readonly size: () => number;
};

/** An empty count. */
export function createTallies(): Tallies {
  const byKey = new Map<string, Tally>();
  return {
    add: (concept, outcome, at) => {
      if (typeof concept !== 'string' || concept.length > 512 || !OUTCOMES.includes(outcome)) return;
      const key = foldName(concept);
      let tally = byKey.get(key);
      if (tally === undefined) {
        if (byKey.size >= MAX_CONCEPTS) return;
        tally = emptyTally(concept);
        byKey.set(key, tally);
      }
      tally.checked += 1;
      tally[outcome] += 1;
      if (outcome === 'grounded') tally.lastGroundedAt = at;
      else tally.lastFailedAt = at;
    },
    entries: () => [...byKey].map(([key, tally]) => [key, { ...tally }] as const),
    clear: () => byKey.clear(),
    size: () => byKey.size,
  };
}

function emptyTally(concept: string): Tally {
  return {
    concept,
    checked: 0,
    grounded: 0,
    existence: 0,
    depth: 0,
    relational: 0,
    reachability: 0,
    lastGroundedAt: null,
    lastFailedAt: null,
  };
}

/** Most often checked first, then by name. */
export function sortMetrics(metrics: readonly ConceptMetrics[]): readonly ConceptMetrics[] {
  return [...metrics].sort((a, b) => b.checked - a.checked || (a.concept < b.concept ? -1 : 1));
}

/** What is stored, by fold key, with what could not be written yet. */
export function mergeMetrics(
  rows: readonly (ConceptMetrics & { readonly key: string })[],
  pending: Pick<Tallies, 'entries'>,
): readonly ConceptMetrics[] {
  const merged = new Map<string, ConceptMetrics>(rows.map(({ key, ...metrics }) => [key, metrics]));
  for (const [key, more] of pending.entries()) {
    const stored = merged.get(key);
    merged.set(key, stored === undefined ? more : sum(stored, more));
  }
  return [...merged.values()];
}

function sum(stored: ConceptMetrics, more: ConceptMetrics): ConceptMetrics {
  return {
    concept: stored.concept,
    checked: stored.checked + more.checked,
    grounded: stored.grounded + more.grounded,
    existence: stored.existence + more.existence,
    depth: stored.depth + more.depth,
    relational: stored.relational + more.relational,
    reachability: stored.reachability + more.reachability,
    lastGroundedAt: more.lastGroundedAt ?? stored.lastGroundedAt,
    lastFailedAt: more.lastFailedAt ?? stored.lastFailedAt,
  };
}
