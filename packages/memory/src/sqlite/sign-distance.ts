/** Words that are compared at once. Signs of a vector take a whole number of times as many. */
export const SIGN_WORDS = 8;

const HALVES = 0x55555555;
const PAIRS = 0x33333333;
const NIBBLES = 0x0f0f0f0f;
const BYTES = 0x00ff00ff;

/**
 * How many bits of eight words differ from eight others. Words are first added bit by bit into sums of weights 1, 2 and 4,
 * so that the bits of four words are counted instead of those of eight.
 */
export function signDistance(a: Int32Array, from: number, b: Int32Array, at: number): number {
  const x0 = (a[from] as number) ^ (b[at] as number);
  const x1 = (a[from + 1] as number) ^ (b[at + 1] as number);
  const x2 = (a[from + 2] as number) ^ (b[at + 2] as number);
  const x3 = (a[from + 3] as number) ^ (b[at + 3] as number);
  const x4 = (a[from + 4] as number) ^ (b[at + 4] as number);
  const x5 = (a[from + 5] as number) ^ (b[at + 5] as number);
  const x6 = (a[from + 6] as number) ^ (b[at + 6] as number);
  const last = (a[from + 7] as number) ^ (b[at + 7] as number);
  const left = x0 ^ x1;
  const leftOnes = left ^ x2;
  const leftTwos = (x0 & x1) | (left & x2);
  const right = x3 ^ x4;
  const rightOnes = right ^ x5;
  const rightTwos = (x3 & x4) | (right & x5);
  const both = leftOnes ^ rightOnes;
  const ones = both ^ x6;
  const carried = (leftOnes & rightOnes) | (both & x6);
  const all = leftTwos ^ rightTwos;
  const twos = all ^ carried;
  const fours = (leftTwos & rightTwos) | (all & carried);
  const single = bytesOf(pairsOf(ones) + pairsOf(last));
  const weighted = single + 2 * bytesOf(pairsOf(twos)) + 4 * bytesOf(pairsOf(fours));
  const sums = (weighted & BYTES) + ((weighted >>> 8) & BYTES);
  return (sums + (sums >>> 16)) & 0xffff;
}

/** Bits of each four, as a number there. */
function pairsOf(bits: number): number {
  const halves = bits - ((bits >>> 1) & HALVES);
  return (halves & PAIRS) + ((halves >>> 2) & PAIRS);
}

/** Sums of four bits each to sums of eight. */
function bytesOf(nibbles: number): number {
  return (nibbles & NIBBLES) + ((nibbles >>> 4) & NIBBLES);
}
