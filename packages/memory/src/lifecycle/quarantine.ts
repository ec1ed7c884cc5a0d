import type { MemoryChange, MemoryRecord, Reason } from '@warrant/core';
import type { Actor } from '../actor.ts';
import { auditEntry } from '../audit.ts';
import { fault } from '../errors.ts';
import { settle } from '../note-recall.ts';
import { decideAccess } from '../permissions.ts';
import type { DeleteResult } from '../remove.ts';
import { frozen, type Setup } from '../setup.ts';
import { mayRead } from '../shown.ts';

const QUARANTINED = 'quarantined/';

/** Takes one record out of use until a person looks at it. Whoever may delete it may do so. */
export async function quarantine(setup: Setup, actor: Actor, id: string, why: string): Promise<DeleteResult> {
  if (typeof why !== 'string' || why.trim() === '' || why.length > 1024)
    throw fault('MEMORY_INVALID_ARGUMENT', 'a quarantine has a reason of 1 to 1024 characters', { field: 'why' });
  await settle(setup);
  const [record] = await setup.store.records([id]);
  if (record === undefined || record.archived || record.closedAt !== null) return { type: 'none' };
  const verdict = decideAccess(setup.permissions, { action: 'delete', key: record.key, actor, record });
  if (!verdict.allowed) {
    const data = {
      action: 'quarantine',
      record: id,
      codes: verdict.reasons.map(({ code }) => code),
      rule: verdict.rule,
    };
    await setup.store.commit([], { expected: {}, audit: [auditEntry(setup.ids, actor, 'memory.refused', data)] });
    const isKnown = mayRead(setup, actor, record);
    return { type: 'refused', reasons: isKnown ? verdict.reasons : verdict.reasons.map(withoutKey) };
  }
  const at = setup.now();
  await setup.store.commit(
    [
      { type: 'archive', id, at },
      { type: 'count', name: `${QUARANTINED}${id}`, by: 1, at },
    ],
    {
      expected: {},
      audit: [auditEntry(setup.ids, actor, 'memory.quarantined', { record: id, why }, record.subject)],
    },
  );
  return { type: 'deleted', records: [id] };
}

/** Whoever may not read a record does not learn from its id where it lies. */
function withoutKey({ code, message, data: { key: _key, rule: _rule, ...data } }: Reason): Reason {
  return { code, message, data };
}

/** Records that wait for somebody to look at them. */
export async function quarantined(setup: Setup): Promise<readonly MemoryRecord[]> {
  const counters = await setup.store.counters(QUARANTINED);
  const ids = counters.filter(({ value }) => value > 0).map(({ name }) => name.slice(QUARANTINED.length));
  return (await setup.store.records(ids)).filter(({ archived }) => archived).map(frozen);
}

/** Brings an archived record back, out of quarantine too. @throws MEMORY_INVALID_ARGUMENT for one that is not archived */
export async function restore(setup: Setup, actor: Actor, id: string): Promise<MemoryRecord> {
  await settle(setup);
  const [record] = await setup.store.records([id]);
  if (record === undefined || !record.archived)
    throw fault('MEMORY_INVALID_ARGUMENT', 'only an archived record can be restored', { id });
  const at = setup.now();
  const name = `${QUARANTINED}${id}`;
  const held = (await setup.store.counters(name)).find((counter) => counter.name === name)?.value ?? 0;
  const changes: readonly MemoryChange[] = [
    { type: 'restore', id, at },
    ...(held === 0 ? [] : [{ type: 'count', name, by: -held, at } as const]),
  ];
  const audit = auditEntry(setup.ids, actor, 'memory.restored', { record: id });
  await setup.store.commit(changes, { expected: {}, audit: [audit] });
  return frozen((await setup.store.records([id]))[0] as MemoryRecord);
}
