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
export type SessionStarted = {
  /** How many sessions this agent has started, this one included. */
  readonly starts: number;
  /** Starts since the agent's records were last consolidated. */
  readonly sinceConsolidation: number;
  /** ISO-8601; `null` when they never were. */
  readonly consolidatedAt: string | null;
};

export const STARTS = 'starts/';
export const CONSOLIDATED = 'consolidated/';

/** Counts a session of an agent and tells of it. Starting the same session twice counts twice: nobody can tell a retry from a return. */
export async function startSession(setup: Setup, actor: Actor, start: SessionStart): Promise<SessionStarted> {
  const { session, directories = [] } = start;
  if (typeof session !== 'string' || session === '')
    throw fault('MEMORY_INVALID_ARGUMENT', 'a session has an id', { field: 'session' });
  const at = setup.now();
  const change: MemoryChange = { type: 'count', name: `${STARTS}${actor.key}`, by: 1, at };
  const audit = auditEntry(setup.ids, actor, 'memory.session-started', { session, directories: directories.length });
  await setup.store.commit([change], { expected: {}, audit: [audit] });
  setup.hub.tell([{ type: 'conversation-started', session, agent: actor.key, directories }]);
  return sessionsOf(setup, actor.key);
}

/** How often an agent started a session, and how long ago its records were consolidated. */
export async function sessionsOf(setup: Setup, agent: string): Promise<SessionStarted> {
  const counter = async (name: string) => (await setup.store.counters(name)).find((one) => one.name === name);
  const starts = (await counter(`${STARTS}${agent}`))?.value ?? 0;
  const last = await counter(`${CONSOLIDATED}${agent}`);
  return { starts, sinceConsolidation: starts - (last?.value ?? 0), consolidatedAt: last?.at ?? null };
}
