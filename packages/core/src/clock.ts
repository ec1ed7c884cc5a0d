/** Where time comes from; nothing else reads the machine's clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

/** A clock that moves only when told, for tests and replays. */
export interface VirtualClock extends Clock {
  advance(milliseconds: number): void;
  set(milliseconds: number): void;
}

/** @param start first reading, as ISO-8601 text or in milliseconds. @default 2026-01-01T00:00:00.000Z */
export function createVirtualClock(start: string | number = '2026-01-01T00:00:00.000Z'): VirtualClock {
  let time = typeof start === 'number' ? start : Date.parse(start);
  return {
    now: () => time,
    advance: (milliseconds) => {
      time += milliseconds;
    },
    set: (milliseconds) => {
      time = milliseconds;
    },
  };
}

/** The clock's reading as ISO-8601 UTC with milliseconds. */
export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}
