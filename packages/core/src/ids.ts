import { createHash, randomFillSync } from 'node:crypto';
import { type Clock, systemClock } from './clock.ts';

/** Where new ids come from. Ids are UUIDs of version 7 (RFC 9562): they sort by time of making. */
export interface IdSource {
  next(): string;
}

/** Ids of one source always ascend, also within a millisecond and when the clock goes back. */
export function createIdSource(
  options: { readonly clock?: Clock; readonly random?: (bytes: Uint8Array) => void } = {},
): IdSource {
  const clock = options.clock ?? systemClock;
  const draw = options.random === undefined ? fromPool : drawingFrom(options.random);
  let last = -1;
  let sequence = 0;
  return {
    next: () => {
      const { bytes, at } = draw();
      const now = clock.now();
      if (now > last) {
        last = now;
        // Half of the 12 bits, so that the counter has room to grow within the millisecond.
        sequence = (((bytes[at + 6] as number) << 8) | (bytes[at + 7] as number)) & 0x7ff;
      } else {
        sequence += 1;
        if (sequence > 0xfff) {
          last += 1;
          sequence = 0;
        }
      }
      return format(bytes, at, { time: last, sequence });
    },
  };
}

const ID_BYTES = 16;
/** Random bytes drawn at once: asking the system for a few at a time costs more than all the rest of an id. */
const POOL_BYTES = 256 * ID_BYTES;

/** Where the random bytes of the next id stand. The id is written over them. */
type Drawn = { readonly bytes: Buffer; at: number };

/** One pool for all sources: many are made for a few ids each. */
let pool: Drawn | undefined;

/** Hands out each random byte once. */
function fromPool(): Drawn {
  pool ??= { bytes: Buffer.alloc(POOL_BYTES), at: POOL_BYTES };
  pool.at += ID_BYTES;
  if (pool.at >= POOL_BYTES) {
    randomFillSync(pool.bytes);
    pool.at = 0;
  }
  return pool;
}

function drawingFrom(random: (bytes: Uint8Array) => void): () => Drawn {
  const drawn: Drawn = { bytes: Buffer.alloc(ID_BYTES), at: 0 };
  return () => {
    random(drawn.bytes);
    return drawn;
  };
}

/** The same ids for the same seed, for tests and fixtures. */
export function createSeededIds(seed: string, clock: Clock = { now: () => 0 }): IdSource {
  let counter = 0;
  return createIdSource({
    clock,
    random: (bytes) => {
      counter += 1;
      bytes.set(createHash('sha256').update(`${seed}/${counter}`).digest().subarray(0, bytes.length));
    },
  });
}

function format(bytes: Buffer, at: number, { time, sequence }: { time: number; sequence: number }): string {
  bytes.writeUIntBE(time, at, 6);
  bytes.writeUInt16BE(0x7000 | sequence, at + 6);
  bytes[at + 8] = ((bytes[at + 8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', at, at + ID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
