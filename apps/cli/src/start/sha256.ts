/**
 * SHA-256 (FIPS 180-4) as lower-case hex, for a few short texts: Node's own is many times as fast, and loading it takes
 * longer than a thousand bytes take here.
 */
export function sha256(bytes: Uint8Array): string {
  const { rounds, initial } = constants();
  const state = Int32Array.from(initial);
  const blocks = padded(bytes);
  const schedule = new Int32Array(64);
  for (let at = 0; at < blocks.length; at += 16) {
    fillSchedule(schedule, blocks, at);
    compress(state, schedule, rounds);
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** The message as big-endian words: a one bit, zeros, and its length in bits, in whole blocks of 16. */
function padded(bytes: Uint8Array): Int32Array {
  const { length } = bytes;
  const words = new Int32Array((((length + 8) >> 6) + 1) * 16);
  for (let at = 0; at <= length; at += 1) {
    const byte = at === length ? 0x80 : (bytes[at] as number);
    (words[at >> 2] as number) |= byte << ((3 - (at & 3)) * 8);
  }
  words[words.length - 1] = length << 3;
  return words;
}

function fillSchedule(schedule: Int32Array, blocks: Int32Array, at: number): void {
  for (let round = 0; round < 16; round += 1) schedule[round] = blocks[at + round] as number;
  for (let round = 16; round < 64; round += 1) {
    const near = schedule[round - 2] as number;
    const far = schedule[round - 15] as number;
    const small0 = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const small1 = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    schedule[round] = (schedule[round - 16] as number) + small0 + (schedule[round - 7] as number) + small1;
  }
}

function compress(state: Int32Array, schedule: Int32Array, rounds: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < 64; round += 1) {
    const large1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + large1 + choice + (rounds[round] as number) + (schedule[round] as number)) | 0;
    const large0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + large0 + majority) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, at) => {
    state[at] = (state[at] as number) + word;
  });
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

let made: { readonly rounds: Int32Array; readonly initial: Int32Array } | undefined;

/** The standard's constants: fractions of the cube roots of the first 64 primes, and of the square roots of the first 8. */
function constants() {
  if (made !== undefined) return made;
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
  made = {
    rounds: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    initial: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
  return made;
}
