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
  let timed = -1;
  let prefix = '';
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
      if (timed !== last) {
        timed = last;
        prefix = timeText(last);
      }
      return `${prefix}-${(0x7000 | sequence).toString(16)}-${randomText(bytes, at + 8)}`;
    },
  };
}

const ID_BYTES = 16;
/** Random bytes drawn at once: asking the system for a few at a time costs more than all the rest of an id. */
const POOL_BYTES = 256 * ID_BYTES;

/** Where the random bytes of the next id stand. */
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

const LATEST = 2 ** 48 - 1;

/** The 48 bits of the time, which ids of one millisecond share. */
function timeText(time: number): string {
  const hex = Math.floor(Math.min(Math.max(time, 0), LATEST))
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

/** The last 64 bits: the variant and what is random. */
function randomText(bytes: Buffer, at: number): string {
  bytes[at] = ((bytes[at] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex', at, at + 8);
  return `${hex.slice(0, 4)}-${hex.slice(4)}`;
}
