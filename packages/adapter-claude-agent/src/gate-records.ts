import { canonicalJson, digest, type Entry, type JsonObject } from '@warrant/core';
import type { GateEvent, GateRecord, GateState } from '@warrant/submit-gate';
import type { SessionKey } from './session-store.ts';

/** Arguments up to so many characters stand in the step's own entry. */
const INLINE = 1_000;

/** Entries of gate steps. Long arguments are an entry of their own, named by their digest. */
export function gateEntries(event: string, config: string, steps: readonly GateEvent[]): readonly Entry[] {
  return steps.flatMap((step, index): readonly Entry[] => {
    const { data, content } = shortened(step);
    const entry: Entry = {
      id: `${event}/gate/${index + 1}`,
      type: `gate.${step.type}`,
      schemaVersion: 1,
      data: { ...(data as unknown as JsonObject), config },
    };
    return content === null ? [entry] : [content, entry];
  });
}

function shortened(step: GateEvent): { readonly data: GateEvent; readonly content: Entry | null } {
  if (step.type !== 'started') return { data: step, content: null };
  const { call } = step.event;
  if (canonicalJson(call.arguments).length <= INLINE) return { data: step, content: null };
  const content: Entry = { id: digest(call.arguments), type: 'claude.content', schemaVersion: 1, data: call.arguments };
  const event = { ...step.event, call: { ...call, arguments: { $content: content.id } } };
  return { data: { type: 'started', event }, content };
}

const MENDED = 'claude.session-mended';

/** The entry of a state that could not be gone on from and was made anew: what follows goes on from it. */
export function gateMended(id: string, how: string, gate: GateState): Entry {
  return { id, type: MENDED, schemaVersion: 1, data: { how, gate: gate as object as JsonObject } };
}

/**
 * The gate's record of a session, or of one of its agents, from the entries of the stream, to be run again under any config.
 * Entries of other kinds are passed over; null where the stream holds no step of a gate.
 */
export function readGateRecord(entries: readonly Entry[], of: SessionKey): GateRecord | null {
  const own = `${of.session}/${of.agent ?? ''}/`;
  const contents = new Map(
    entries.filter((entry) => entry.type === 'claude.content').map((entry) => [entry.id, entry.data as JsonObject]),
  );
  let config: string | null = null;
  let from: GateState | undefined;
  let events: GateEvent[] = [];
  for (const entry of entries) {
    if (entry.type === MENDED && entry.id.startsWith(own)) {
      from = (entry.data as JsonObject)['gate'] as object as GateState;
      config = from.config;
      events = [];
    }
    if (!entry.type.startsWith('gate.') || !entry.id.startsWith(own)) continue;
    const { config: made, ...data } = entry.data as JsonObject;
    config = made as string;
    events.push(whole(data as unknown as GateEvent, contents));
  }
  if (config === null) return null;
  return { config: config as GateRecord['config'], ...(from === undefined ? {} : { from }), events };
}

/** Where the long arguments of a recorded step stand; null where they stand in it. */
export function contentOf(step: unknown): string | null {
  const { event } = step as { readonly event?: { readonly call?: { readonly arguments?: JsonObject } } };
  const named = event?.call?.arguments?.['$content'];
  return typeof named === 'string' ? named : null;
}

function whole(step: GateEvent, contents: ReadonlyMap<string, JsonObject>): GateEvent {
  const content = contents.get(contentOf(step) ?? '');
  if (step.type !== 'started' || content === undefined) return step;
  return { type: 'started', event: { ...step.event, call: { ...step.event.call, arguments: content } } };
}
