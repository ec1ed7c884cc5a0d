/** Where waiting comes from: nothing else sets timers, so that tests and replays need not wait. */
export interface Timer {
  /** Runs once after so many milliseconds, unless the returned function is called before. */
  after(milliseconds: number, run: () => void): () => void;
}

/** Longest delay that the platform's timers know. */
export const LONGEST_DELAY_MS = 2_147_483_647;

/** The machine's timers. */
export const systemTimer: Timer = {
  after: (milliseconds, run) => {
    const handle = setTimeout(run, Math.min(Math.max(milliseconds, 0), LONGEST_DELAY_MS));
    return () => clearTimeout(handle);
  },
};

/** Timers that fire only when told, for tests and replays. */
export interface VirtualTimer extends Timer {
  /** Fires, in order, what falls due within so many milliseconds from now. */
  advance(milliseconds: number): void;
}

export function createVirtualTimer(): VirtualTimer {
  const waiting = new Set<{ readonly due: number; readonly run: () => void }>();
  let now = 0;
  return {
    after: (milliseconds, run) => {
      const entry = { due: now + Math.max(milliseconds, 0), run };
      waiting.add(entry);
      return () => void waiting.delete(entry);
    },
    advance: (milliseconds) => {
      const end = now + milliseconds;
      for (;;) {
        const next = [...waiting].filter((entry) => entry.due <= end).sort((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        waiting.delete(next);
        now = next.due;
        next.run();
      }
      now = end;
    },
  };
}
