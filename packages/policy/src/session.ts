import type { Answer } from '@warrant/core';

/** What a call that a person decided came to, so that the same call is never decided, or run, twice. */
export type SettledCall = {
  readonly subject: string;
  readonly outcome: { readonly type: 'ran' } | { readonly type: 'declined'; readonly answer: Answer | null };
};

/** What several guarded tools share: the order of their calls and the confirmations that last for the session. */
export interface GuardSession {
  /** Orders starts and ends of parallel calls without a clock. */
  readonly next: () => number;
  readonly covers: (confirmation: string) => boolean;
  readonly remember: (confirmation: string) => void;
  readonly settled: (callId: string) => SettledCall | undefined;
  readonly settle: (callId: string, call: SettledCall) => void;
  /** Takes back what was settled: the run did not happen after all. */
  readonly reopen: (callId: string) => void;
  /** Forgets every confirmation that was to last; later ones are not kept either. */
  readonly end: () => void;
}

/** Calls whose end a session remembers; the oldest go first. */
const MAX_SETTLED_CALLS = 10_000;

export function createGuardSession(): GuardSession {
  let sequence = 0;
  let ended = false;
  const confirmations = new Set<string>();
  const calls = new Map<string, SettledCall>();
  return Object.freeze({
    next: () => {
      sequence += 1;
      return sequence;
    },
    covers: (confirmation: string) => confirmations.has(confirmation),
    remember: (confirmation: string) => {
      if (!ended) confirmations.add(confirmation);
    },
    settled: (callId: string) => calls.get(callId),
    settle: (callId: string, call: SettledCall) => {
      calls.delete(callId);
      calls.set(callId, call);
      if (calls.size > MAX_SETTLED_CALLS) {
        const oldest = calls.keys().next();
        if (oldest.done !== true) calls.delete(oldest.value);
      }
    },
    reopen: (callId: string) => {
      calls.delete(callId);
    },
    end: () => {
      ended = true;
      confirmations.clear();
    },
  } satisfies GuardSession);
}
