import type { ActorKey, JsonObject, Label, MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { fault } from '../errors.ts';
import { listCurrent } from '../read.ts';
import type { Setup } from '../setup.ts';
import { writeAll } from '../write.ts';
import type { WriteResult } from '../write-step.ts';
import { segmentOf } from './session-key.ts';

const HUMAN_PINS = 'config/human/pins/';
const AGENT_PINS = 'memory/working/pins/';

/** Something that must stay in view in every turn, however often the conversation is compacted. */
export type Pin = {
  readonly name: string;
  readonly text: string;
  readonly label: Label;
  readonly recordId: string;
};
export type PinRequest = {
  readonly name: string;
  readonly text: string;
  /** Agents that it holds for; all without any. Only for pins of people. @default [] */
  readonly agents?: readonly ActorKey[];
};

/** A person's pin binds, an agent's own reminds it. */
export async function pin(setup: Setup, actor: Actor, request: PinRequest): Promise<WriteResult> {
  const { name, text, agents = [] } = request;
  if (typeof text !== 'string' || text.trim() === '' || text.length > 4096)
    throw fault('MEMORY_INVALID_ARGUMENT', 'a pin has a text of 1 to 4096 characters', { field: 'text' });
  const value: JsonObject = { type: 'pin', text, agents };
  const [written] = await writeAll(setup, actor, [{ key: pinKey(actor, name), value }]);
  return (written as { readonly result: WriteResult }).result;
}

/** Where a pin of this name lies. */
export function pinKey(actor: Actor, name: string): string {
  return actor.type === 'human' ? `${HUMAN_PINS}${name}` : `${AGENT_PINS}${segmentOf(actor.key)}/${name}`;
}

/** The pins that hold for an agent: those of people first, each group by name. */
export async function pinsFor(setup: Setup, actor: Actor): Promise<readonly Pin[]> {
  const reader: Actor = { type: 'human', key: actor.key };
  const people = await listCurrent(setup, reader, HUMAN_PINS);
  const own = await listCurrent(setup, actor, `${AGENT_PINS}${segmentOf(actor.key)}/`);
  return [
    ...people.flatMap((record) => pinOf(record, HUMAN_PINS, actor.key)),
    ...own.flatMap((record) => pinOf(record, `${AGENT_PINS}${segmentOf(actor.key)}/`, actor.key)),
  ];
}

function pinOf(record: MemoryRecord, prefix: string, agent: ActorKey): readonly Pin[] {
  const value = record.value as JsonObject | null;
  const agents = value?.['agents'];
  if (value?.['type'] !== 'pin' || typeof value['text'] !== 'string' || !Array.isArray(agents)) return [];
  if (agents.length > 0 && !agents.includes(agent)) return [];
  return [{ name: record.key.slice(prefix.length), text: value['text'], label: record.label, recordId: record.id }];
}
