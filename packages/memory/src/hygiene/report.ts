import { canonicalJson, type MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { rankOf } from '../current.ts';
import { disagreements } from '../disagreement.ts';
import { settle } from '../note-recall.ts';
import { listCurrent } from '../read.ts';
import type { Setup } from '../setup.ts';
import { DAY_MS } from '../times.ts';
import { likelyPairs, likeness, type Said, saidBy } from './similar.ts';

type Pair = { readonly records: readonly [string, string]; readonly keys: readonly [string, string] };
/** What is wrong with what is remembered, as far as words and counters show. Lists hold at most 100, counts are whole. */
export type HygieneReport = {
  readonly looked: number;
  readonly counts: { readonly [finding in Finding]: number };
  /** The same value under several keys. */
  readonly duplicates: readonly { readonly records: readonly string[]; readonly keys: readonly string[] }[];
  readonly nearDuplicates: readonly (Pair & { readonly likeness: number })[];
  readonly contradictions: readonly (Pair & { readonly by: string })[];
  /** Made from records that are not there any more. */
  readonly orphans: readonly { readonly record: string; readonly key: string; readonly missing: readonly string[] }[];
  /** Never handed out in the 30 days or more that they are there. */
  readonly neverRetrieved: readonly { readonly record: string; readonly key: string; readonly days: number }[];
  /** Made from what was recalled, and saying nothing else. */
  readonly echoes: readonly { readonly record: string; readonly key: string; readonly of: readonly string[] }[];
  readonly growth: readonly {
    readonly agent: string;
    readonly records: number;
    readonly lastWeek: number;
    readonly lastMonth: number;
  }[];
  /** What could be archived, and why. People's records are never among it. */
  readonly cleanUp: readonly CleanUpItem[];
};
type Finding = 'duplicates' | 'nearDuplicates' | 'contradictions' | 'orphans' | 'neverRetrieved' | 'echoes';
export type CleanUpItem = { readonly record: string; readonly why: 'duplicate' | 'near-duplicate' | 'echo' };

const MOST = 100;
const NEAR = 0.85;
const UNUSED_DAYS = 30;

/** Looks through everything that is current. Changes nothing. */
export async function hygiene(setup: Setup): Promise<HygieneReport> {
  await settle(setup);
  const everybody: Actor = { type: 'human', key: 'hygiene' };
  const current = (await listCurrent(setup, everybody, '')).filter((record) => !record.key.startsWith('skills/'));
  const now = Date.parse(setup.now());
  const said = current.map(saidBy);
  const nearFrom = setup.config?.profile.retrieval.conflictThreshold ?? NEAR;
  const duplicates = sameValues(current);
  const alike = duplicates.length === 0 ? new Map<string, string>() : groupsOf(duplicates);
  const pairs = [...likelyPairs(said)].filter(
    ([a, b]) => alike.get(a.record.id) === undefined || alike.get(a.record.id) !== alike.get(b.record.id),
  );
  const near = pairs
    .map(([a, b]) => ({ ...pairOf(a, b), likeness: likeness(a, b), sides: [a, b] as const }))
    .filter((one) => one.likeness >= nearFrom && !disagree(one.sides));
  const contradictions = pairs.flatMap(([a, b]) => contradictionOf(a, b));
  const sources = await sourcesOf(setup, current);
  const orphans = current.flatMap((record) => {
    const missing = record.sources.filter((id) => !sources.has(id));
    return missing.length === 0 ? [] : [{ record: record.id, key: record.key, missing }];
  });
  const echoes = said.flatMap((one) => echoOf(one, sources));
  const neverRetrieved = current.flatMap((record) => unused(record, now));
  return {
    looked: current.length,
    counts: {
      duplicates: duplicates.length,
      nearDuplicates: near.length,
      contradictions: contradictions.length,
      orphans: orphans.length,
      neverRetrieved: neverRetrieved.length,
      echoes: echoes.length,
    },
    duplicates: duplicates.slice(0, MOST).map(namesOf),
    nearDuplicates: near.slice(0, MOST).map(({ sides: _sides, ...pair }) => pair),
    contradictions: contradictions.slice(0, MOST),
    orphans: orphans.slice(0, MOST),
    neverRetrieved: neverRetrieved.slice(0, MOST),
    echoes: echoes.slice(0, MOST),
    growth: growthOf(current, now),
    cleanUp: cleanUpOf(
      duplicates,
      near.map(({ sides }) => sides),
      echoes.map(({ record }) => record),
      current,
    ),
  };
}

type Group = readonly MemoryRecord[];

/** Records of one owner, subject and trust that hold the same value. */
function sameValues(current: readonly MemoryRecord[]): readonly Group[] {
  const groups = new Map<string, MemoryRecord[]>();
  for (const record of current) {
    const name = `${record.agent}\n${record.subject ?? ''}\n${canonicalJson(record.value)}`;
    groups.set(name, [...(groups.get(name) ?? []), record]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

function groupsOf(groups: readonly Group[]): Map<string, string> {
  return new Map(groups.flatMap((group) => group.map(({ id }) => [id, (group[0] as MemoryRecord).id] as const)));
}

function namesOf(group: Group): HygieneReport['duplicates'][number] {
  return { records: group.map(({ id }) => id), keys: group.map(({ key }) => key) };
}

function pairOf(a: Said, b: Said): Pair {
  return { records: [a.record.id, b.record.id], keys: [a.record.key, b.record.key] };
}

function disagree([a, b]: readonly [Said, Said]): boolean {
  return disagreements(a.text, b.text).length > 0;
}

/** Two records about different people or things do not contradict each other. */
function contradictionOf(a: Said, b: Said): HygieneReport['contradictions'] {
  if (a.record.subject !== b.record.subject) return [];
  const [first] = disagreements(a.text, b.text);
  return first === undefined ? [] : [{ ...pairOf(a, b), by: first.by }];
}

async function sourcesOf(setup: Setup, current: readonly MemoryRecord[]): Promise<ReadonlyMap<string, MemoryRecord>> {
  const ids = [...new Set(current.flatMap(({ sources }) => sources))];
  return new Map((await setup.store.records(ids)).map((record) => [record.id, record]));
}

/** What is made from records by consolidation or promotion repeats them on purpose; those are out of force by then. */
function echoOf(one: Said, sources: ReadonlyMap<string, MemoryRecord>): HygieneReport['echoes'] {
  const of = one.record.sources
    .flatMap((id) => sources.get(id) ?? [])
    .filter((source) => !source.archived && source.closedAt === null);
  if (of.length === 0 || one.terms.size === 0) return [];
  const known = new Set(of.flatMap((source) => [...saidBy(source).terms]));
  if (![...one.terms].every((term) => known.has(term))) return [];
  return [{ record: one.record.id, key: one.record.key, of: of.map(({ id }) => id) }];
}

function unused(record: MemoryRecord, now: number): HygieneReport['neverRetrieved'] {
  const days = Math.floor((now - Date.parse(record.recordedAt)) / DAY_MS);
  if (record.retrievals > 0 || record.origin === 'human-approved' || days < UNUSED_DAYS) return [];
  return [{ record: record.id, key: record.key, days }];
}

function growthOf(current: readonly MemoryRecord[], now: number): HygieneReport['growth'] {
  const agents = new Map<string, MemoryRecord[]>();
  for (const record of current) agents.set(record.agent, [...(agents.get(record.agent) ?? []), record]);
  const since = (records: readonly MemoryRecord[], days: number): number =>
    records.filter(({ recordedAt }) => now - Date.parse(recordedAt) <= days * DAY_MS).length;
  return [...agents]
    .map(([agent, records]) => ({
      agent,
      records: records.length,
      lastWeek: since(records, 7),
      lastMonth: since(records, 30),
    }))
    .sort((a, b) => b.records - a.records || (a.agent < b.agent ? -1 : 1));
}

/** Of each group and pair the most trusted, then most certain, then oldest stays. */
function cleanUpOf(
  duplicates: readonly Group[],
  near: readonly (readonly [Said, Said])[],
  echoes: readonly string[],
  current: readonly MemoryRecord[],
): readonly CleanUpItem[] {
  const human = new Set(current.filter(({ origin }) => origin === 'human-approved').map(({ id }) => id));
  const items = new Map<string, CleanUpItem>();
  const add = (record: string, why: CleanUpItem['why']): void => {
    if (!human.has(record) && !items.has(record)) items.set(record, { record, why });
  };
  for (const group of duplicates) for (const { id } of byWorth(group).slice(1)) add(id, 'duplicate');
  for (const [a, b] of near) {
    // One pair may stand on another: what is to go is never what another is kept for.
    if (
      items.has(a.record.id) ||
      items.has(b.record.id) ||
      a.record.agent !== b.record.agent ||
      a.record.subject !== b.record.subject
    )
      continue;
    add((byWorth([a.record, b.record])[1] as MemoryRecord).id, 'near-duplicate');
  }
  for (const id of echoes) add(id, 'echo');
  return [...items.values()];
}

function byWorth(records: Group): Group {
  return [...records].sort((a, b) => rankOf(b) - rankOf(a) || b.confidence - a.confidence || (a.id < b.id ? -1 : 1));
}
