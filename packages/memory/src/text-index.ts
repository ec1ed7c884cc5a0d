import { termOf, wordsOf } from './words.ts';

const K1 = 1.2;
const B = 0.75;

type Document = { readonly terms: ReadonlyMap<string, number>; readonly length: number };

/** An inverted index in memory with the scores of Okapi BM25. */
export class TextIndex {
  readonly #documents = new Map<string, Document>();
  readonly #postings = new Map<string, Set<string>>();
  #length = 0;

  put(id: string, text: string): void {
    this.remove(id);
    const terms = new Map<string, number>();
    const words = wordsOf(text);
    for (const word of words) terms.set(termOf(word), (terms.get(termOf(word)) ?? 0) + 1);
    this.#documents.set(id, { terms, length: words.length });
    this.#length += words.length;
    for (const term of terms.keys()) {
      const posting = this.#postings.get(term) ?? new Set<string>();
      this.#postings.set(term, posting.add(id));
    }
  }

  remove(id: string): void {
    const document = this.#documents.get(id);
    if (document === undefined) return;
    this.#documents.delete(id);
    this.#length -= document.length;
    for (const term of document.terms.keys()) {
      const posting = this.#postings.get(term);
      posting?.delete(id);
      if (posting?.size === 0) this.#postings.delete(term);
    }
  }

  has(id: string): boolean {
    return this.#documents.has(id);
  }

  get size(): number {
    return this.#documents.size;
  }

  /** Every document with at least one of the words. */
  scores(words: readonly string[]): ReadonlyMap<string, number> {
    const scores = new Map<string, number>();
    const average = this.#length / Math.max(1, this.#documents.size);
    for (const term of new Set(words.map(termOf))) {
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      const rarity = Math.log(1 + (this.#documents.size - posting.size + 0.5) / (posting.size + 0.5));
      for (const id of posting) {
        const document = this.#documents.get(id) as Document;
        const count = document.terms.get(term) as number;
        const part =
          (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * document.length) / Math.max(1, average)));
        scores.set(id, (scores.get(id) ?? 0) + part);
      }
    }
    return scores;
  }
}
