import type { Digest, Entry, Journal, Trust } from '@warrant/core';
import { joinTrust } from './labels/seen-memory.ts';
import type { Mode } from './mode.ts';
import type { SessionState } from './session-state.ts';

/** Hashes of values that were seen, 8 bytes each or folded into a filter by `joinSeen`, by how far their source is trusted. */
export type SeenHashes = { readonly [trust in Trust]?: Uint8Array };

/** How an event was told. */
export type Told = {
  /** Digest of what makes it this event; empty where its id says all. */
  readonly content: string;
  /** The hooks that told of it. */
  readonly sources: readonly string[];
  /** The strictest mode in which it was answered. */
  readonly mode: Mode;
};

/** What one event comes to: kept in one transaction with its records, or not at all. */
export type SessionStep<T> =
  | {
      readonly type: 'known';
      /** What is known of the event from now on. */
      readonly told?: { readonly event: string; readonly as: Told };
    }
  | {
      readonly type: 'done';
      /** Id of the event: whoever comes with it again is told that it is known. */
      readonly event: string;
      readonly told: Told;
      readonly state: SessionState;
      readonly records: readonly Entry[];
      readonly seen?: SeenHashes;
      readonly value: T;
    };

export type SessionKey = { readonly session: string; readonly agent: string | null };
export type KeptSession = SessionKey & { readonly state: SessionState; readonly at: string };

/** Where sessions live between events. Any number of processes may use one at the same time. */
export interface SessionStore {
  load(key: SessionKey): Promise<SessionState | null>;
  /** How events were told, each null where nobody did, as they are asked for. */
  look<T>(question: (knows: (event: string) => Told | null) => T): Promise<T>;
  /** The step is synchronous and nothing slips in between: it sees the state that the last one left. */
  update<T>(
    key: SessionKey,
    step: (state: SessionState | null, knows: (event: string) => Told | null) => SessionStep<T>,
  ): Promise<Exclude<SessionStep<T>, { type: 'done' }> | { readonly type: 'done'; readonly value: T }>;
  seen(session: string): Promise<SeenHashes>;
  /** Whether records that stand under this digest were kept: whoever judges the next call need not bring them again. */
  holds?(content: Digest): Promise<boolean>;
  sessions(): Promise<readonly KeptSession[]>;
}

/** The stream of all records. Content that several sessions rest on stands in it once. */
export const CLAUDE_STREAM = 'claude';

/** Name of what is kept of a session or of one of its agents. */
export function keyOf({ session, agent }: SessionKey): string {
  return agent === null ? session : `${session}/${agent}`;
}

/** A store that lives as long as the process; with a journal, records are durable before anything is answered. */
export function createMemorySessionStore(options: { readonly journal?: Pick<Journal, 'append'> } = {}): SessionStore {
  const kept = new Map<string, KeptSession>();
  const events = new Map<string, Told>();
  const knows = (event: string): Told | null => events.get(event) ?? null;
  const seen = new Map<string, SeenHashes>();
  let last: Promise<unknown> = Promise.resolve();
  /** One after the other: a step awaits its record. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  return {
    load: async (key) => kept.get(keyOf(key))?.state ?? null,
    look: async (question) => question(knows),
    update: (key, step) =>
      inTurn(async () => {
        const name = keyOf(key);
        const done = step(kept.get(name)?.state ?? null, knows);
        if (done.type === 'known') {
          if (done.told !== undefined) events.set(done.told.event, done.told.as);
          return done;
        }
        if (options.journal !== undefined && done.records.length > 0) {
          await options.journal.append(CLAUDE_STREAM, done.records, { expected: 'any' });
        }
        events.set(done.event, done.told);
        kept.set(name, { ...key, state: done.state, at: '' });
        if (done.seen !== undefined) seen.set(key.session, joinSeen(seen.get(key.session) ?? {}, done.seen));
        return { type: 'done', value: done.value };
      }),
    seen: async (session) => seen.get(session) ?? {},
    sessions: async () => [...kept.values()],
  };
}

/** What was seen in a session, with more of it. */
export function joinSeen(before: SeenHashes, more: SeenHashes): SeenHashes {
  const joined: { [trust in Trust]?: Uint8Array } = { ...before };
  for (const [trust, hashes] of Object.entries(more) as [Trust, Uint8Array][]) {
    joined[trust] = joinTrust(trust, before[trust] ?? new Uint8Array(), hashes);
  }
  return joined;
}
