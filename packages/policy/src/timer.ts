/** Where waiting comes from; nothing else of the layer sets a timer. */
export interface Timer {
  /** Runs `run` once after so many milliseconds; the returned function takes it back. */
  after(milliseconds: number, run: () => void): () => void;
}

/** The machine's timers. */
export const systemTimer: Timer = {
  after: (milliseconds, run) => {
    const handle = setTimeout(run, milliseconds);
    return () => {
      clearTimeout(handle);
    };
  },
};
