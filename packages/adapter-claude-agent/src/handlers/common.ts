import type { Entry, Json } from '@warrant/core';
import { callContent } from '../event-id.ts';
import type { HookCall, HookEvent } from '../hook-event.ts';
import type { MemoryScene } from '../memory/turn-memory.ts';
import type { SessionState } from '../session-state.ts';
import type { Setup } from '../settings.ts';

/**
 * A call's name in the record: the same in every process that is told of it.
 * @param count which of several calls with the client's id it is
 */
export function callId(event: HookEvent, call: HookCall, count: number): string {
  const name = baseName(event, call);
  return count === 1 || call.id === null ? name : `${name}~${count}`;
}

/** The name of the last call with the client's id that began and has not ended; null where there is none. */
export function runningCall(state: SessionState, event: HookEvent, call: HookCall): string | null {
  const name = baseName(event, call);
  return state.gate.running.findLast(({ id }) => id === name || id.startsWith(`${name}~`))?.id ?? null;
}

function baseName(event: HookEvent, call: HookCall): string {
  const { session, agent } = event;
  const own = agent === null ? session : `${session}/${agent}`;
  // A client that names no calls: the same call twice at once is one.
  const name = `${own}/${call.id ?? callContent(call)}`;
  // No id of the model's has a slash in it.
  return event.type === 'tool-starting' && event.skill !== null ? `${name}/skill` : name;
}

/** For whom memory is used in an event. */
export function sceneOf(setup: Setup, event: HookEvent): MemoryScene {
  const agent = setup.options.guard?.actor ?? 'agent';
  return {
    session: event.session,
    agent: event.agent === null ? agent : `${agent}/${event.agent}`,
    directory: event.directory,
  };
}

/** An entry about an event. */
export function entryOf(
  event: HookEvent,
  entry: {
    readonly id: string;
    readonly type: string;
    readonly data: Json;
    readonly correlationId?: string;
    readonly causationId?: string;
  },
): Entry {
  const { correlationId = event.session, ...rest } = entry;
  return { schemaVersion: 1, correlationId, ...rest };
}
