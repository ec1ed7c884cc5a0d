import assert from 'node:assert/strict';
import { type Appended, digest, type Entry, type Journal, type Json, type Recorded } from '@warrant/core';

/** One journal on fresh, isolated data. */
export type JournalHarness = {
  readonly journal: Journal;
  /** Closes the journal and opens one on the same data, as after a restart. Absent where data ends with the process. */
  readonly reopen?: () => Promise<Journal>;
  /** One more handle on the same data, as another process would have. */
  readonly another?: () => Promise<Journal>;
  readonly dispose: () => Promise<void>;
};
export type JournalCase = { readonly name: string; readonly run: (harness: JournalHarness) => Promise<void> };

let count = 0;

/** An entry with an id of its own. */
export function entry(data: Json, more: Partial<Entry> = {}): Entry {
  count += 1;
  return { id: `entry-${String(count).padStart(6, '0')}`, type: 'thing.noted', data, schemaVersion: 1, ...more };
}

export async function collect(entries: AsyncIterable<Recorded>): Promise<Recorded[]> {
  const all: Recorded[] = [];
  for await (const one of entries) all.push(one);
  return all;
}

/** Longest wait for the next entry of a subscription. */
const PATIENCE_MS = 8000;

/** The first so many, then the iteration is left. Rejects when no next one comes in time. */
export async function take(entries: AsyncIterable<Recorded>, limit: number): Promise<Recorded[]> {
  const all: Recorded[] = [];
  const iterator = entries[Symbol.asyncIterator]();
  while (all.length < limit) {
    const next = await inTime(iterator.next(), all.length);
    if (next.done === true) return all;
    all.push(next.value);
  }
  await iterator.return?.();
  return all;
}

async function inTime<T>(promise: Promise<T>, seen: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no entry came after ${seen}`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The whole log, once it has settled: a store may hold back what a slower transaction could still come before. */
export async function settledLog(journal: Journal, entries: number): Promise<Recorded[]> {
  for (let attempt = 0; ; attempt += 1) {
    const all = await collect(journal.readAll());
    if (all.length >= entries || attempt === 200) return all;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export function expectAppended(result: Appended): Extract<Appended, { type: 'appended' }> {
  if (result.type !== 'appended') assert.fail(`expected the batch to be appended, not ${result.type}`);
  return result;
}

const GENESIS = `sha256:${'0'.repeat(64)}`;

/** Positions without gap, each entry linked to the one before, each digest the SHA-256 of the canonical rest. */
export function expectChain(entries: readonly Recorded[]): void {
  let previous: string = GENESIS;
  entries.forEach((one, index) => {
    assert.equal(one.position, index + 1, `position ${index + 1} of ${one.stream}`);
    assert.equal(one.previous, previous, `previous digest at position ${one.position}`);
    const { cursor: _cursor, digest: stored, data, sealed, ...rest } = one;
    const body: { readonly [name: string]: Json } = sealed === undefined ? { data } : { sealed };
    assert.equal(digest({ ...rest, ...body }), stored, `digest at position ${one.position}`);
    previous = stored;
  });
}

/** What the caller gave, out of what was recorded. */
export function givenOf(recorded: Recorded): Entry {
  const { stream: _s, position: _p, cursor: _c, time: _t, previous: _pr, digest: _d, sealed: _se, ...given } = recorded;
  return given;
}

export async function expectCode(work: () => Promise<unknown>, code: string): Promise<void> {
  await assert.rejects(work, (error: unknown) => {
    assert.equal((error as { code?: unknown }).code, code);
    return true;
  });
}
