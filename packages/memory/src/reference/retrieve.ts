import { createIdSource, type MemoryRecord, type MemoryStore, systemClock } from '@warrant/core';
import { auditEntry } from '../audit.ts';
import { isLive } from '../current.ts';
import { type ReferenceCall, type ReferenceRecall, referenceRecall } from './recall.ts';
import type { ReferenceSettings } from './settings.ts';

/** Recall over a store as the reference ranks, of what is in force and not expired; what is returned counts as handed out. */
export async function referenceRetrieve(
  store: MemoryStore,
  call: Omit<ReferenceCall, 'includeConsolidated' | 'isolated' | 'sessionDirectories'>,
  settings: ReferenceSettings,
): Promise<ReferenceRecall> {
  const moment = { validAt: call.now, knownAt: call.now };
  const records: MemoryRecord[] = [];
  for await (const record of store.scan()) if (isLive(record, moment)) records.push(record);
  const whole = { ...call, includeConsolidated: true, isolated: false, sessionDirectories: [] };
  const recall = referenceRecall(records, whole, settings);
  const ids = recall.returned.map(({ id }) => id);
  const actor = { type: 'agent', key: call.agent } as const;
  const audit = auditEntry(createIdSource({ clock: systemClock }), actor, 'memory.recalled', {
    session: call.session,
    records: ids,
  });
  const session = call.session ?? '';
  if (ids.length > 0)
    await store.commit([{ type: 'retrieved', ids, session, at: call.now }], { expected: {}, audit: [audit] });
  return recall;
}
