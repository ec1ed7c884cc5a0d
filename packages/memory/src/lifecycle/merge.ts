import { canonicalJson, combineLabels, type Json, type MemoryRecord } from '@warrant/core';
import { termOf, valueText, wordsOf } from '../words.ts';
import type { Grouping } from './cluster.ts';

/** Share of a value's words that another must have to say the same. */
const SAID = 0.8;

/** What a cluster says, without a model: nothing that one of its records says is lost. @param cluster the most certain first */
export function mergedValue(cluster: readonly MemoryRecord[], grouping: Grouping): Json {
  const values = cluster.map(({ value }) => value);
  const [first] = values as [Json];
  if (grouping === 'key-words') return first;
  const distinct = values.filter((value, index) => !values.slice(0, index).some((earlier) => says(earlier, value)));
  if (distinct.length === 1) return first;
  return distinct.every((value) => typeof value === 'string') ? distinct.join('\n') : distinct;
}

/** True when everything that a value says is said by an earlier one. */
function says(earlier: Json, value: Json): boolean {
  if (canonicalJson(earlier) === canonicalJson(value)) return true;
  const said = new Set(wordsOf(valueText(earlier)).map(termOf));
  const words = [...new Set(wordsOf(valueText(value)).map(termOf))];
  return words.length > 0 && words.every((word) => said.has(word)) && words.length / said.size >= SAID;
}

/** The record that takes a cluster's place, under the key of its most certain one. */
export function mergedRecord(
  cluster: readonly MemoryRecord[],
  made: {
    readonly id: string;
    readonly auditEntry: string;
    readonly now: string;
    readonly value: Json;
    readonly inferred: boolean;
  },
): MemoryRecord {
  const [survivor] = cluster as readonly [MemoryRecord, ...MemoryRecord[]];
  return {
    ...survivor,
    id: made.id,
    auditEntry: made.auditEntry,
    value: made.value,
    inferred: survivor.inferred || made.inferred,
    validFrom: made.now,
    recordedAt: made.now,
    closedAt: null,
    label: combineLabels(cluster.map(({ label }) => label)),
    entities: [...new Set(cluster.flatMap(({ entities }) => entities))],
    directories: [...new Set(cluster.flatMap(({ directories }) => directories))],
    sources: cluster.map(({ id }) => id),
    version: survivor.version + 1,
    conflicts: [],
    archived: false,
    consolidated: true,
  };
}
