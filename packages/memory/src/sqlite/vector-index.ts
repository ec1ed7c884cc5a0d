import type { SqliteDb } from '@warrant/core/sqlite';
import { SIGN_WORDS, signDistance } from './sign-distance.ts';
import { toVector } from './stored-vector.ts';

/** Vectors below which comparing all of them is as fast. */
export const SMALL = 2000;
/** Most vectors that are held in memory, in numbers: a byte and an eighth each. */
const MOST_NUMBERS = 256_000_000;
/** Above the number of vectors that can be held, at one number each. */
const MOST_ROWS = 2 ** 28;
/** Vectors whose mean stands for that of all. */
const SAMPLE = 4096;
const PAGE = 5000;

/**
 * Signs and rounded numbers of all vectors of one length, in this process. Signs are taken around the mean, since
 * vectors of texts all point a little the same way. It only proposes: rows that are gone stay in it until it is made anew.
 */
export class VectorIndex {
  readonly #dimensions: number;
  readonly #words: number;
  #mean: Float32Array | undefined;
  #seqs = new Float64Array(0);
  #signs = new Int32Array(0);
  #rounded = new Int8Array(0);
  #count = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#words = Math.ceil(dimensions / 32 / SIGN_WORDS) * SIGN_WORDS;
  }

  get size(): number {
    return this.#count;
  }

  /** Takes in what was stored since. False when there is more than may be held. */
  refresh(db: SqliteDb): boolean {
    const bytes = this.#dimensions * 4;
    for (;;) {
      const last = this.#count === 0 ? 0 : (this.#seqs[this.#count - 1] as number);
      const page = db.arrays<[number, Uint8Array]>(
        `SELECT record, vector FROM memory_vectors WHERE record > ? AND length(vector) = ? ORDER BY record LIMIT ${PAGE}`,
        last,
        bytes,
      );
      if ((this.#count + page.length) * this.#dimensions > MOST_NUMBERS) return false;
      const seqs = page.map(([seq]) => seq);
      const vectors = page.map(([, vector]) => toVector(vector));
      const mean = this.#mean ?? new Float32Array(this.#dimensions);
      this.#grow(page.length);
      for (const [index, vector] of vectors.entries()) this.#put(seqs[index] as number, vector, mean);
      if (page.length < PAGE) return this.#centred(db) || this.refresh(db);
    }
  }

  /** Once there are enough to tell, the mean of the first is taken, and all are taken in anew around it. */
  #centred(db: SqliteDb): boolean {
    if (this.#mean !== undefined || this.#count < SMALL) return true;
    const first = db.arrays<[Uint8Array]>(
      `SELECT vector FROM memory_vectors WHERE length(vector) = ? ORDER BY record LIMIT ${SAMPLE}`,
      this.#dimensions * 4,
    );
    this.#mean = meanOf(first.map(([vector]) => toVector(vector)));
    this.#count = 0;
    return false;
  }

  #grow(more: number): void {
    const wanted = this.#count + more;
    if (wanted <= this.#seqs.length) return;
    const room = Math.max(wanted, Math.ceil(this.#seqs.length * 1.5));
    const grown = <T extends Float64Array | Int32Array | Int8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.#seqs = grown(this.#seqs, new Float64Array(room));
    this.#signs = grown(this.#signs, new Int32Array(room * this.#words));
    this.#rounded = grown(this.#rounded, new Int8Array(room * this.#dimensions));
  }

  #put(seq: number, vector: Float32Array, mean: Float32Array): void {
    const at = this.#count;
    this.#seqs[at] = seq;
    this.#signs.set(signsOf(vector, mean, this.#words), at * this.#words);
    this.#rounded.set(roundedOf(vector), at * this.#dimensions);
    this.#count += 1;
  }

  /** The rows most likely to be most similar, best first: those of `look` with the fewest other signs are compared by their rounded numbers. */
  nearest(vector: Float32Array, look: number, take: number): readonly number[] {
    const asked = signsOf(vector, this.#mean ?? new Float32Array(this.#dimensions), this.#words);
    const places = this.#fewestOtherSigns(asked, look);
    // Likeness and place in one number each, since numbers sort without a function.
    const keys = new Float64Array(places.length);
    const rounded = roundedOf(vector);
    for (let index = 0; index < places.length; index += 1) {
      const at = places[index] as number;
      keys[index] = this.#product(rounded, at) * MOST_ROWS + at;
    }
    const best = keys
      .sort()
      .subarray(Math.max(0, keys.length - take))
      .reverse();
    return Array.from(best, (key) => this.#seqs[((key % MOST_ROWS) + MOST_ROWS) % MOST_ROWS] as number);
  }

  #product(rounded: Int8Array, at: number): number {
    const others = this.#rounded;
    const from = at * this.#dimensions;
    let dot = 0;
    for (let index = 0; index < rounded.length; index += 1)
      dot = (dot + Math.imul(rounded[index] as number, others[from + index] as number)) | 0;
    return dot;
  }

  #fewestOtherSigns(asked: Int32Array, look: number): Int32Array {
    const words = this.#words;
    const signs = this.#signs;
    const distances = new Uint16Array(this.#count);
    const histogram = new Uint32Array(words * 32 + 1);
    for (let at = 0, from = 0; at < this.#count; at += 1) {
      let distance = 0;
      for (let word = 0; word < words; word += SIGN_WORDS, from += SIGN_WORDS)
        distance += signDistance(signs, from, asked, word);
      distances[at] = distance;
      histogram[distance] = (histogram[distance] as number) + 1;
    }
    let limit = 0;
    let sum = histogram[0] as number;
    while (sum < look && limit + 1 < histogram.length) {
      limit += 1;
      sum += histogram[limit] as number;
    }
    const places = new Int32Array(sum);
    for (let at = 0, found = 0; at < this.#count; at += 1) {
      if ((distances[at] as number) > limit) continue;
      places[found] = at;
      found += 1;
    }
    return places;
  }
}

function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    const length = lengthOf(vector);
    for (const [index, value] of vector.entries())
      mean[index] = (mean[index] as number) + value / length / vectors.length;
  }
  return mean;
}

function lengthOf(vector: Float32Array): number {
  let sum = 0;
  for (const value of vector) sum += value * value;
  return Math.sqrt(sum) || 1;
}

function signsOf(vector: Float32Array, mean: Float32Array, words: number): Int32Array {
  const signs = new Int32Array(words);
  const length = lengthOf(vector);
  for (let index = 0; index < vector.length; index += 1)
    if ((vector[index] as number) / length > (mean[index] as number))
      signs[index >> 5] = (signs[index >> 5] as number) | (1 << (index & 31));
  return signs;
}

/** Of length 1, each number in steps so small that the largest just fits. */
function roundedOf(vector: Float32Array): Int8Array {
  const rounded = new Int8Array(vector.length);
  const length = lengthOf(vector);
  // One scale for all vectors, so that their products compare: numbers beyond it are rare in many dimensions.
  const scale = (127 * Math.sqrt(vector.length)) / 5 / length;
  for (let index = 0; index < vector.length; index += 1)
    rounded[index] = Math.max(-127, Math.min(127, Math.round((vector[index] as number) * scale)));
  return rounded;
}
