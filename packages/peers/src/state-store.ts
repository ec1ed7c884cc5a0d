import type { PeerState, PeerStates } from './pins.ts';

/** Where it is remembered which bundle of a key came last, and which key was revoked. */
export interface PeerStateStore {
  read(): Promise<PeerStates>;
  /** Replaces the entry of one key. Called inside of {@link PeerStateStore.exclusively}. */
  write(key: string, state: PeerState): Promise<void>;
  /** Runs the work while nobody else imports or revokes, so that no bundle lands behind a revocation. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
}

/** Remembers in this process only. For tests. */
export function createMemoryPeerStates(): PeerStateStore {
  let states: PeerStates = {};
  let last: Promise<unknown> = Promise.resolve();
  return {
    read: async () => states,
    write: async (key, state) => {
      states = { ...states, [key]: state };
    },
    exclusively: (work) => {
      const turn = last.then(work, work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
