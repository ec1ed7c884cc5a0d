import { FUNCTION_WORDS, type MemoryWrite } from '@warrant/memory';

const VOCABULARY = 4000;
/** Characters of one memory. */
const LENGTH = 150;

/** Numbers from 0 to 1 by a linear congruential generator of 32 bits, from a fixed seed. */
export function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Words whose rank decides how often they come: a Zipf law over 4,000 words. As in English the most frequent ones, half
 * of a text, are those that carry grammar, which queries leave out; the others are made up.
 */
export function createWords(next: () => number): (count: number) => string {
  const word = (): string => {
    const rank = Math.floor(VOCABULARY ** next());
    return FUNCTION_WORDS[rank - 1] ?? `w${rank.toString(36)}`;
  };
  return (count) => Array.from({ length: count }, word).join(' ');
}

/** Memories of 150 characters, each under a key of its own; every second one is of little confidence. */
export function createWrites(words: (count: number) => string, prefix: string): () => MemoryWrite {
  let made = 0;
  return () => {
    made += 1;
    const confidence = made % 2 === 0 ? 0.05 : 1;
    return { key: `memory/working/${prefix}${made}`, value: words(40).slice(0, LENGTH), confidence };
  };
}

/** The same as turns of sessions of 32. */
export function inSessions(write: () => MemoryWrite): () => MemoryWrite {
  let made = 0;
  return () => {
    const place = { session: `s${made >> 5}`, sequence: made & 31 };
    made += 1;
    return { ...write(), ...place };
  };
}

/** Vectors around 1,000 centres: centres from a normal distribution, members with 0.6 of its spread around theirs. */
export function createClusters(next: () => number, dimensions: number): () => Float32Array {
  const normal = (): number => Math.sqrt(-2 * Math.log(next() + 1e-12)) * Math.cos(2 * Math.PI * next());
  const centres = Array.from({ length: 1000 }, () => Float32Array.from({ length: dimensions }, normal));
  return () => {
    const centre = centres[Math.floor(next() * centres.length)] as Float32Array;
    return centre.map((value) => value + 0.6 * normal());
  };
}
