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
  const random = options.random ?? ((bytes: Uint8Array) => void randomFillSync(bytes));
  const bytes = new Uint8Array(16);
  let last = -1;
  let sequence = 0;
  return {
    next: () => {
      random(bytes);
      const now = clock.now();
      if (now > last) {
        last = now;
        // Half of the 12 bits, so that the counter has room to grow within the millisecond.
        sequence = (((bytes[6] as number) << 8) | (bytes[7] as number)) & 0x7ff;
      } else {
        sequence += 1;
        if (sequence > 0xfff) {
          last += 1;
          sequence = 0;
        }
      }
      return format(bytes, last, sequence);
    },
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

function format(bytes: Uint8Array, time: number, sequence: number): string {
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(time / 0x1_0000_0000));
  view.setUint32(2, time % 0x1_0000_0000);
  view.setUint16(6, 0x7000 | sequence);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
