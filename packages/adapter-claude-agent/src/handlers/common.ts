import { digest, type Entry, type Json } from '@warrant/core';
import type { HookCall, HookEvent } from '../hook-event.ts';
import type { MemoryScene } from '../memory/turn-memory.ts';
import type { Setup } from '../settings.ts';

/** A call's name in the record: the same in every process that is told of it. */
export function callId(event: HookEvent, call: HookCall): string {
  if (call.id !== null) return `${event.session}/${call.id}`;
  // A client that names no calls: the same call twice at once is one.
  return `${event.session}/${digest([call.tool, call.arguments]).slice(7, 27)}`;
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
