import { foldName, isWarrantError, type MemoryRecord, type Reason } from '@warrant/core';
import type { Actor } from './actor.ts';
import { withoutForbiddenWords } from './borrowed.ts';
import { currentOf, type Moment } from './current.ts';
import { isWanted, type RecallFilters } from './filters.ts';
import type { Found, Query } from './hits.ts';
import { namedSpeakers, withoutNames } from './named-speakers.ts';
import { readablePrefixes } from './permissions.ts';
import type { Candidate } from './ranking.ts';
import type { RankingFactors } from './ranking-factors.ts';
import { momentOf } from './read.ts';
import type { Setup } from './setup.ts';
import { mayRead } from './shown.ts';
import { timeOf } from './times.ts';
import { isStopPhrase } from './turn/stop-phrases.ts';
import { queryWords, termOf, textOf, wordsOf } from './words.ts';

type Asked = RecallFilters & {
  readonly query: string;
  readonly entities?: readonly string[];
  readonly session?: string;
  readonly directories?: readonly string[];
  readonly explain?: boolean;
  readonly factors: RankingFactors;
  readonly signal?: AbortSignal;
};
export type Gathered = {
  readonly moment: Moment;
  readonly candidates: readonly Candidate[];
  readonly superseded: readonly string[];
  readonly expired: readonly string[];
  readonly filtered: readonly string[];
  readonly unreadable: readonly string[];
  readonly notes: readonly Reason[];
};

/** Candidates for each record that is wanted; more only where filters take too many away. */
const FACTOR = 10;
const MIN_PAGE = 100;
/** Where neighbours and sessions count, they have to be among the candidates. */
const MIN_PAGE_OF_DIALOGUE = 200;
const MAX_PAGE = 100_000;

/** Current, readable candidates: as many as there are, or enough to choose from. */
export async function gather(setup: Setup, actor: Actor, asked: Asked, limit: number): Promise<Gathered> {
  const moment = momentOf(setup, {});
  const words = queryWords(asked.query);
  const entities = new Set((asked.entities ?? []).map(foldName));
  const base = {
    words,
    entities: [...entities],
    readable: readablePrefixes(setup.permissions, actor),
    ...moment,
    ...(asked.signal === undefined ? {} : { signal: asked.signal }),
  };
  const past = asked.explain === true ? await pastOf(setup, actor, words) : NO_PAST;
  const { session, following, vicinity, answer } = asked.factors;
  const least = session + following + vicinity + answer > 0 ? MIN_PAGE_OF_DIALOGUE : MIN_PAGE;
  const search = async (page: number, vector: Float32Array | undefined): Promise<readonly Candidate[]> =>
    words.length === 0 && entities.size === 0 && vector === undefined
      ? []
      : searched(setup, { ...base, ...(vector === undefined ? {} : { vector }), limit: page }, entities);
  let vector = await queryVector(setup, asked.query);
  for (let page = Math.max(least, limit * FACTOR), isFirst = true; ; page *= 8, isFirst = false) {
    let found = await search(page, vector);
    const plain = isFirst && vector !== undefined ? await plainVector(setup, actor, asked, found) : undefined;
    if (plain !== undefined) {
      vector = plain;
      found = await search(page, vector);
    }
    const sorted = await sort(setup, actor, { found, moment, filters: asked });
    if (sorted.candidates.length >= limit || found.length < page || page > MAX_PAGE)
      return {
        ...sorted,
        superseded: [...sorted.superseded, ...past.superseded],
        moment,
        expired: past.expired,
        notes: notesOf(words, entities.size),
      };
  }
}

async function searched(setup: Setup, query: Query, entities: ReadonlySet<string>): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for await (const { record, own, context, cosine, alone } of setup.store.search(query) as AsyncIterable<Found>)
    found.push({
      record,
      own,
      context,
      cosine,
      alone: alone === true,
      entities: entities.size === 0 ? 0 : sharedEntities(record, entities),
    });
  return found;
}

type Sorted = Pick<Gathered, 'candidates' | 'superseded' | 'filtered' | 'unreadable'>;

async function sort(
  setup: Setup,
  actor: Actor,
  asked: { readonly found: readonly Candidate[]; readonly moment: Moment; readonly filters: Asked },
): Promise<Sorted> {
  const current = await currentIds(setup, asked.found, asked.moment);
  const candidates: Candidate[] = [];
  const superseded: string[] = [];
  const filtered: string[] = [];
  const unreadable: string[] = [];
  const readable: Candidate[] = [];
  for (const one of asked.found)
    if (mayRead(setup, actor, one.record)) readable.push(one);
    else unreadable.push(one.record.id);
  for (const one of await withoutForbiddenWords(setup, actor, readable)) {
    const { record } = one;
    if (!isWanted(record, actor.key, asked.filters)) filtered.push(record.id);
    else if (current !== null && one.alone !== true && !current.has(record.id)) superseded.push(record.id);
    else candidates.push(one);
  }
  return { candidates, superseded, filtered, unreadable };
}

/** What is current under the keys of several rows; `null` where nothing supersedes anything. */
async function currentIds(
  setup: Setup,
  found: readonly Candidate[],
  moment: Moment,
): Promise<ReadonlySet<string> | null> {
  if (setup.resolution === 'record-only') return null;
  const keys = new Set<string>();
  for (const { record, alone } of found) if (alone !== true) keys.add(record.key);
  const current = new Set<string>();
  if (keys.size === 0) return current;
  for (const { records } of await headsOf(setup, [...keys])) {
    const record = currentOf(records, moment, setup.resolution);
    if (record !== undefined) current.add(record.id);
  }
  return current;
}

/** A key with a damaged row has nothing that is current; it keeps nobody from the others. */
async function headsOf(setup: Setup, keys: readonly string[]): ReturnType<Setup['store']['heads']> {
  try {
    return await setup.store.heads(keys);
  } catch (error) {
    if (!isWarrantError(error, 'MEMORY_DAMAGED')) throw error;
    if (keys.length < 2) return [];
    return (await Promise.all(keys.map((key) => headsOf(setup, [key])))).flat();
  }
}

function sharedEntities(record: MemoryRecord, asked: ReadonlySet<string>): number {
  return record.entities.filter((entity) => asked.has(foldName(entity))).length;
}

async function queryVector(setup: Setup, query: string): Promise<Float32Array | undefined> {
  if (setup.embedder === null || wordsOf(query).length < setup.minVectorWords || isStopPhrase(query)) return undefined;
  return (await setup.embedder.embed([query]))[0];
}

/**
 * The query without the speakers that it names: they make everything alike that one of them said. Who speaks counts by
 * itself. `undefined` where nobody is named.
 */
async function plainVector(
  setup: Setup,
  actor: Actor,
  { query, factors }: Asked,
  found: readonly Candidate[],
): Promise<Float32Array | undefined> {
  if (factors.speaker === 0) return undefined;
  const readable = found.filter(({ record }) => record.speaker !== null && mayRead(setup, actor, record));
  const names = namedSpeakers(readable, query);
  return names.length === 0 ? undefined : queryVector(setup, withoutNames(query, names));
}

type Past = Pick<Gathered, 'expired' | 'superseded'>;
const NO_PAST: Past = { expired: [], superseded: [] };

/** What speaks of the query and had its time: it expired, or something else took its place. */
async function pastOf(setup: Setup, actor: Actor, words: readonly string[]): Promise<Past> {
  const now = Date.parse(setup.now());
  const terms = new Set(words.map(termOf));
  const expired: string[] = [];
  const superseded: string[] = [];
  for await (const record of setup.store.scan()) {
    const isSuperseded = record.closedAt !== null && !record.archived;
    const isExpired = record.closedAt === null && timeOf(record.expiresAt) <= now;
    if (!(isSuperseded || isExpired) || !mayRead(setup, actor, record)) continue;
    if (!wordsOf(textOf(record)).some((word) => terms.has(termOf(word)))) continue;
    (isExpired ? expired : superseded).push(record.id);
  }
  return { expired, superseded };
}

function notesOf(words: readonly string[], entities: number): readonly Reason[] {
  if (words.length > 0 || entities > 0) return [];
  return [{ code: 'memory.no-words', message: 'the query has no word to look for', data: {} }];
}
