import type { MemoryRecord, MemoryStore } from '@warrant/core';

export type Query = Parameters<MemoryStore['search']>[0];
/** What a search gives for one record; scores are not below 0. */
export type Found = {
  readonly record: MemoryRecord;
  /** By the record's own words. */
  readonly own: number;
  /** By its own words and those that it borrows. */
  readonly context: number;
  readonly cosine: number | null;
  /** No other row has its key. */
  readonly alone?: boolean;
};
/** What the text index gives for one row. */
export type TextHit = { readonly seq: number; readonly own: number; readonly context: number };
/** How similar one row is to what was asked. */
export type Similar = { readonly seq: number; readonly cosine: number };

type Hit = { readonly seq: number; own: number; context: number; cosine: number | null; tagged: boolean };

/** What the signals of one search found, row by row. */
export class Hits {
  readonly #hits = new Map<number, Hit>();

  has(seq: number): boolean {
    return this.#hits.has(seq);
  }

  seqs(): readonly number[] {
    return [...this.#hits.keys()];
  }

  byText({ seq, own, context }: TextHit): void {
    Object.assign(this.#hit(seq), { own, context });
  }

  byEntity(seq: number): void {
    this.#hit(seq).tagged = true;
  }

  byVector({ seq, cosine }: Similar): void {
    this.#hit(seq).cosine = cosine;
  }

  /** Rows of all signals, best first. */
  best(limit: number): readonly (TextHit & { readonly cosine: number | null })[] {
    return [...this.#hits.values()].sort((a, b) => order(b) - order(a) || a.seq - b.seq).slice(0, limit);
  }

  #hit(seq: number): Hit {
    const known = this.#hits.get(seq);
    if (known !== undefined) return known;
    const begun = { seq, own: 0, context: 0, cosine: null, tagged: false };
    this.#hits.set(seq, begun);
    return begun;
  }
}

function order(hit: Hit): number {
  return hit.context + (hit.tagged ? 100 : 0) + (hit.cosine ?? 0) * 10;
}
