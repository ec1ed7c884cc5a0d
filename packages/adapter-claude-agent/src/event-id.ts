import { digest } from '@warrant/core';
import type { HookEvent } from './hook-event.ts';
import { hookNameOf } from './hook-input.ts';
import type { SessionState } from './session-state.ts';

const MOST_TOLD = 200;

/** The id of an event that carries one of its own, whoever tells of it; null where content and count have to do. */
export function ownEventId(event: HookEvent): string | null {
  const own = ownKey(event);
  return own === null ? null : `${event.session}/${event.agent ?? ''}/${hookNameOf(event)}/${own}`;
}

function ownKey(event: HookEvent): string | null {
  switch (event.type) {
    case 'tool-starting':
    case 'permission-asked':
    case 'permission-denied':
      return event.call.id;
    // How a call ended is told once, as a success or as a failure.
    case 'tool-ended':
      return event.call.id;
    case 'prompt-submitted':
      return event.prompt;
    default:
      return null;
  }
}

/**
 * The id of an event, and the state with this telling counted. Hooks may be installed twice, for the user and for the
 * project: the first event of some content that one tells is the first that the other tells.
 */
export function identifyEvent(
  event: HookEvent,
  state: SessionState,
): { readonly id: string; readonly state: SessionState } {
  const own = ownEventId(event);
  if (own !== null) return { id: own, state };
  const content = contentOf(event);
  const sources = state.told[content] ?? {};
  const count = (Object.hasOwn(sources, event.source) ? (sources[event.source] as number) : 0) + 1;
  const told = { ...without(state.told, content), [content]: { ...sources, [event.source]: count } };
  const kept = Object.entries(told).slice(-MOST_TOLD);
  return {
    id: `${event.session}/${event.agent ?? ''}/${hookNameOf(event)}/${content}/${count}`,
    state: { ...state, told: Object.fromEntries(kept) },
  };
}

function without<T>(table: { readonly [key: string]: T }, key: string): { readonly [key: string]: T } {
  return Object.fromEntries(Object.entries(table).filter(([name]) => name !== key));
}

function contentOf(event: HookEvent): string {
  const { source: _source, transcript: _transcript, ...content } = event;
  return digest(JSON.parse(JSON.stringify(content))).slice('sha256:'.length, 'sha256:'.length + 20);
}
