import type { ProvenJournal } from './journal.ts';
import { type Chunks, type Line, splitLines } from './json-lines.ts';
import { type ForkLine, parseLine } from './jsonl-form.ts';
import { DEFAULT_MAX_ENTRY_BYTES } from './prepare.ts';
import { GENESIS, type Row } from './row.ts';
import type { JournalStore } from './store.ts';

/** A line that was not taken over, and why. Lines count from 1. */
export type ImportProblem = {
  readonly line: number;
  /**
   * - `torn`: the last line, cut short
   * - `foreign`: not a line that the journal writes
   * - `changed`: its digest does not cover its content
   * - `duplicate`: the journal has this very entry or fork already
   * - `conflict`: the journal has something else there
   * - `gap`: what it builds on is not in the journal
   * - `too-large`: beyond the journal's limit for an entry
   */
  readonly kind: 'torn' | 'foreign' | 'changed' | 'duplicate' | 'conflict' | 'gap' | 'too-large';
  readonly message: string;
  readonly stream?: string;
  readonly position?: number;
};
export type Imported = {
  readonly entries: number;
  readonly forks: number;
  /** In the order of lines; beyond the first 1,000 only counted. */
  readonly problems: readonly ImportProblem[];
  readonly problemCount: number;
};
export type ImportOptions = {
  readonly onProgress?: (progress: { readonly lines: number; readonly entries: number }) => void;
  readonly signal?: AbortSignal;
};

const BATCH = 500;
const MAX_PROBLEMS = 1000;

/**
 * Takes entries over as they are, with their times and digests, each after its digest and its link were checked. Lines
 * that cannot be taken over are reported, the rest is kept.
 */
export async function importJsonl(
  journal: ProvenJournal,
  chunks: Chunks,
  options: ImportOptions = {},
): Promise<Imported> {
  const run = new ImportRun(journal.store, journal.options.maxEntryBytes ?? DEFAULT_MAX_ENTRY_BYTES);
  for await (const line of splitLines(chunks)) {
    options.signal?.throwIfAborted();
    await run.take(line);
    if (line.number % 10_000 === 0) options.onProgress?.({ lines: line.number, entries: run.entries });
  }
  return run.finish();
}

type Head = { readonly position: number; readonly digest: string };
type Problem = Omit<ImportProblem, 'line'>;

class ImportRun {
  readonly #store: JournalStore;
  readonly #maxEntryBytes: number;
  readonly #problems: ImportProblem[] = [];
  readonly #heads = new Map<string, Head>();
  #waiting: Omit<Row, 'cursor'>[] = [];
  #ids = new Set<string>();
  #problemCount = 0;
  #forks = 0;
  entries = 0;

  constructor(store: JournalStore, maxEntryBytes: number) {
    this.#store = store;
    this.#maxEntryBytes = maxEntryBytes;
  }

  async take(line: Line): Promise<void> {
    if (line.text === '' && line.whole) return;
    const problem = line.text === undefined ? foreignOf(line, 'it is not UTF-8') : await this.#text(line, line.text);
    if (problem === undefined) return;
    this.#problemCount += 1;
    if (this.#problems.length < MAX_PROBLEMS) this.#problems.push({ line: line.number, ...problem });
  }

  async finish(): Promise<Imported> {
    await this.#flush();
    return { entries: this.entries, forks: this.#forks, problems: this.#problems, problemCount: this.#problemCount };
  }

  async #text(line: Line, text: string): Promise<Problem | undefined> {
    const parsed = parseLine(text);
    switch (parsed.type) {
      case 'entry':
        return this.#entry(parsed.row);
      case 'fork':
        return this.#fork(parsed.fork);
      case 'foreign':
        return foreignOf(line, parsed.message);
      case 'changed':
        return { kind: 'changed', message: parsed.message };
    }
  }

  async #entry(row: Omit<Row, 'cursor'>): Promise<Problem | undefined> {
    const { stream, position, id } = row;
    const place = { stream, position };
    // Ciphertext is base64, nonce and tag.
    const limit = row.sealed === undefined ? this.#maxEntryBytes : Math.ceil(this.#maxEntryBytes / 3) * 4 + 64;
    if (Buffer.byteLength(row.data ?? row.sealed ?? '') > limit) {
      return { kind: 'too-large', message: `entry ${id} is beyond the limit`, ...place };
    }
    const head = await this.#head(stream);
    if (position <= head.position) return this.#existing(row);
    if (position !== head.position + 1 || row.previous !== head.digest) {
      return { kind: 'gap', message: `the stream's head is at ${head.position} and does not lead to it`, ...place };
    }
    if (await this.#isIdTaken(stream, id)) {
      return { kind: 'conflict', message: `the stream has another entry with the id ${id}`, ...place };
    }
    this.#waiting.push(row);
    this.#ids.add(JSON.stringify([stream, id]));
    this.#heads.set(stream, { position, digest: row.digest });
    this.entries += 1;
    if (this.#waiting.length >= BATCH) await this.#flush();
    return undefined;
  }

  async #existing(row: Omit<Row, 'cursor'>): Promise<Problem> {
    await this.#flush();
    const { stream, position, id } = row;
    const found = (await this.#store.known(stream, [id])).get(id);
    if (found?.digest === row.digest) return { kind: 'duplicate', message: `entry ${id} is there`, stream, position };
    return { kind: 'conflict', message: 'the journal has another entry at this position', stream, position };
  }

  async #isIdTaken(stream: string, id: string): Promise<boolean> {
    return this.#ids.has(JSON.stringify([stream, id])) || (await this.#store.known(stream, [id])).has(id);
  }

  async #fork(fork: ForkLine): Promise<Problem | undefined> {
    await this.#flush();
    const { stream, parent, position, digest } = fork;
    const there = (await this.#store.lineage(stream))?.row;
    const from = await this.#store.lineage(parent);
    const segment = from?.segments.find((one) => position >= one.from && position <= one.to);
    const at = { from: position, to: position, limit: 1, direction: 'forward' as const };
    const row = segment && (await this.#store.page({ key: segment.key, ...at }))[0];
    if (there !== undefined) {
      const same = there.parent?.key === from?.row.key && there.parent?.digest === digest;
      if (same && there.parent?.position === position)
        return { kind: 'duplicate', message: 'the fork is there', stream };
      return { kind: 'conflict', message: 'the journal has another stream of this name', stream };
    }
    if (row === undefined) return { kind: 'gap', message: `what it was forked from is not there`, stream, position };
    if (row.digest !== digest) {
      return { kind: 'conflict', message: 'its parent has another entry at that position', stream, position };
    }
    await this.#store.fork(parent, position, stream);
    this.#forks += 1;
    return undefined;
  }

  async #head(stream: string): Promise<Head> {
    const known = this.#heads.get(stream);
    if (known !== undefined) return known;
    const row = (await this.#store.lineage(stream))?.row;
    const head = row === undefined ? { position: 0, digest: GENESIS } : { position: row.position, digest: row.digest };
    this.#heads.set(stream, head);
    return head;
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#ids = new Set();
    this.#heads.clear();
    if (rows.length > 0) await this.#store.restore(rows);
  }
}

function foreignOf(line: Line, message: string): Problem {
  return line.whole ? { kind: 'foreign', message } : { kind: 'torn', message: 'the last line was cut short' };
}
