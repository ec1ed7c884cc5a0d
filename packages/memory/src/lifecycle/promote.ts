import type { MemoryRecord } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { fault } from '../errors.ts';
import { proposeWrite } from '../propose.ts';
import type { Setup } from '../setup.ts';
import { writeAll } from '../write.ts';
import { checkWrite, type MemoryWrite } from '../write-request.ts';
import type { WriteResult } from '../write-step.ts';

export type Promotion = {
  /** Where it is to lie. @default where it lies */
  readonly key?: string;
  /** The person takes the text as their own word. Without it, it stays labelled by where it came from. @default false */
  readonly vouch?: boolean;
};

/** Makes what an agent or a provider remembered a person's, on behalf of whose it was. A record of people is only moved. */
export async function promote(
  setup: Setup,
  actor: Actor,
  id: string,
  { key, vouch = false }: Promotion = {},
): Promise<WriteResult> {
  const record = await living(setup, id);
  const person: Actor = { ...actor, onBehalfOf: record.agent };
  const origin = vouch ? { label: { trust: 'human', sources: [`record:${id}`] } as const } : { sources: [id] };
  const [written] = await writeAll(setup, person, [{ ...sameAs(record), key: key ?? record.key, ...origin }]);
  const { result } = written as { readonly result: WriteResult };
  if (result.type === 'stored') {
    const data = { from: id, to: result.record.id, key: result.record.key, vouch };
    await setup.store.commit([], { expected: {}, audit: [auditEntry(setup.ids, person, 'memory.promoted', data)] });
  }
  return result;
}

/** Asks people to make a record of the agent's own a person's. */
export async function askPromotion(setup: Setup, actor: Actor, id: string): Promise<WriteResult> {
  const record = await living(setup, id);
  const reasons = [{ code: 'memory.promotion', message: 'only people promote', data: { record: id } }];
  if (setup.reviewer === null || record.agent !== actor.key) return { type: 'refused', reasons };
  const draft = checkWrite(actor, { ...sameAs(record), sources: [id] }, setup.now());
  return proposeWrite(setup, setup.reviewer, actor, { draft, reasons });
}

async function living(setup: Setup, id: string): Promise<MemoryRecord> {
  const [record] = await setup.store.records([id]);
  if (record === undefined || record.archived || record.closedAt !== null)
    throw fault('MEMORY_INVALID_ARGUMENT', 'only a record in force can be promoted', { id });
  return record;
}

function sameAs(record: MemoryRecord): MemoryWrite {
  const { key, value, confidence, entities, subject, validTo, user, speaker, directories } = record;
  return { key, value, confidence, entities, subject, validTo, user, speaker, directories };
}
