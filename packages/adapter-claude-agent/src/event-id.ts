import { digest, isWarrantError, type Json } from '@warrant/core';
import type { HookCall, HookEvent, HookEventOf } from './hook-event.ts';
import { hookNameOf } from './hook-input.ts';
import type { Told } from './session-store.ts';

/** An event by its name in the record, and whether it was told before. */
export type Identified = {
  readonly id: string;
  /** Which of several events with one id of the client it is, from 1. */
  readonly count: number;
  /** `other`: another hook told of it already; `again`: this one did. */
  readonly how: 'new' | 'other' | 'again';
  /** Digest of what makes it this event and not another with the same id. */
  readonly content: string;
};

type Knows = (event: string) => Told | null;

/** Events of one name and id that are told apart, before it is given up. */
const MOST = 10_000;

/**
 * Names an event. Hooks may be installed twice, for the user and for the project: the first event of some id or content
 * that one tells is the first that the other tells. Ids of calls come from the model's side and may come again with
 * another call: that is another event.
 */
export function identifyEvent(event: HookEvent, knows: Knows): Identified {
  switch (event.type) {
    case 'tool-ended':
      return event.call.id === null ? byContent(event, knows) : ended(event, event.call.id, knows);
    case 'tool-starting':
    case 'permission-asked':
    case 'permission-denied':
      return event.call.id === null
        ? byContent(event, knows)
        : byId(event, event.call.id, callContent(event.call), knows);
    case 'prompt-submitted':
      return event.prompt === null ? byContent(event, knows) : byId(event, event.prompt, short(event.text), knows);
    default:
      return byContent(event, knows);
  }
}

function idOf(event: HookEvent, name: string, key: string, count: number): string {
  const id = `${event.session}/${event.agent ?? ''}/${name}/${key}`;
  return count === 1 ? id : `${id}/${count}`;
}

function howTold({ source }: HookEvent, told: Told | null): Identified['how'] {
  if (told === null) return 'new';
  return told.sources.includes(source) ? 'again' : 'other';
}

function byId(event: HookEvent, key: string, content: string, knows: Knows): Identified {
  const name = hookNameOf(event);
  for (let count = 1; count < MOST; count += 1) {
    const id = idOf(event, name, key, count);
    const told = knows(id);
    if (told === null || told.content === content) return { id, count, how: howTold(event, told), content };
  }
  return byContent(event, knows);
}

/** The end of a call counts as its beginning did; one whose beginning nobody told counts for itself. */
function ended(event: HookEventOf<'tool-ended'>, key: string, knows: Knows): Identified {
  const content = callContent(event.call);
  for (let count = 1; count < MOST; count += 1) {
    const begun = knows(idOf(event, 'PreToolUse', key, count));
    if (begun === null) break;
    if (begun.content !== content) continue;
    const id = idOf(event, hookNameOf(event), key, count);
    return { id, count, how: howTold(event, knows(id)), content };
  }
  return byId(event, key, content, knows);
}

/** Events without an id: as often as one hook tells of some content, so often it happened. */
function byContent(event: HookEvent, knows: Knows): Identified {
  const { source: _source, transcript: _transcript, ...told } = event;
  const content = short(told);
  for (let count = 1; ; count += 1) {
    const id = idOf(event, hookNameOf(event), content, count);
    const how = howTold(event, knows(id));
    if (how !== 'again') return { id, count, how, content };
  }
}

const contents = new WeakMap<HookCall, string>();

/** What makes a call this one, whatever its id; looked at once, since arguments may be large. */
export function callContent(call: HookCall): string {
  const known = contents.get(call);
  if (known !== undefined) return known;
  const content = short([call.tool, call.arguments]);
  contents.set(call, content);
  return content;
}

function short(value: unknown): string {
  return digestOf(value).slice('sha256:'.length, 'sha256:'.length + 20);
}

/** The SDK may leave members undefined, which JSON has not: only then is the value, which may be large, copied without them. */
function digestOf(value: unknown): string {
  try {
    return digest(value as Json);
  } catch (error) {
    if (!isWarrantError(error, 'JSON_INVALID')) throw error;
    return digest(JSON.parse(JSON.stringify(value)) as Json);
  }
}
