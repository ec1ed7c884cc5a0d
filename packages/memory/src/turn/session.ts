import type { MemoryChange } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { fault } from '../errors.ts';
import type { Setup } from '../setup.ts';

export type SessionStart = {
  readonly session: string;
  /** Working folders, as absolute paths. @default [] */
  readonly directories?: readonly string[];
};
export type Sessions = {
  /** How many sessions the agent has started. */
  readonly starts: number;
  /** Starts since its records were last consolidated. */
  readonly sinceConsolidation: number;
  /** When that was, else when its first session started; ISO-8601. `null` before the first. */
  readonly countedFrom: string | null;
  readonly ranBefore: boolean;
};

const STARTS = 'starts/';
export const CONSOLIDATED = 'consolidated/';

/** Counts a session of an agent and tells of it. Starting the same session twice counts twice: nobody can tell a retry from a return. */
export async function startSession(setup: Setup, actor: Actor, start: SessionStart): Promise<Sessions> {
  const { session, directories = [] } = start;
  if (typeof session !== 'string' || session === '')
    throw fault('MEMORY_INVALID_ARGUMENT', 'a session has an id', { field: 'session' });
  const at = setup.now();
  const { countedFrom } = await sessionsOf(setup, actor.key);
  const changes: readonly MemoryChange[] = [
    { type: 'count', name: `${STARTS}${actor.key}`, by: 1, at },
    // Days are counted from the first start until there was a consolidation.
    ...(countedFrom === null ? [{ type: 'count', name: `${CONSOLIDATED}${actor.key}`, by: 0, at } as const] : []),
  ];
  const audit = auditEntry(setup.ids, actor, 'memory.session-started', { session, directories: directories.length });
  await setup.store.commit(changes, { expected: {}, audit: [audit] });
  setup.hub.tell([{ type: 'conversation-started', session, agent: actor.key, directories }]);
  return sessionsOf(setup, actor.key);
}

/** How often an agent started a session, and how long ago its records were consolidated. */
export async function sessionsOf(setup: Setup, agent: string): Promise<Sessions> {
  const counter = async (name: string) => (await setup.store.counters(name)).find((one) => one.name === name);
  const starts = (await counter(`${STARTS}${agent}`))?.value ?? 0;
  const last = await counter(`${CONSOLIDATED}${agent}`);
  const value = last?.value ?? 0;
  return { starts, sinceConsolidation: starts - value, countedFrom: last?.at ?? null, ranBefore: value > 0 };
}
