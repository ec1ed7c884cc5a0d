import type { MemoryChange, MemoryRecord } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { profileFor } from './config/profiles.ts';
import { fault } from './errors.ts';
import { settle } from './note-recall.ts';
import type { Setup } from './setup.ts';
import { confidence } from './write-request.ts';

const UP = 0.05;
const DOWN = 0.02;
const REINFORCED = 0.1;
/** No session of a host is called so: uses that belong to none are counted under it. */
const NO_SESSION = '';

/** The confidence after a session went so well, from 0 to 1. What people approved stays; what was ingested never rises. */
export function confidenceAfter(record: Pick<MemoryRecord, 'origin' | 'confidence'>, value: number): number {
  if (record.origin === 'human-approved') return record.confidence;
  if (value < 0.5) return rounded(record.confidence - DOWN * (1 - value));
  return record.origin === 'agent-inferred' ? rounded(record.confidence + UP * value) : record.confidence;
}

function rounded(value: number): number {
  return Math.min(1, Math.max(0, Math.round(value * 1e10) / 1e10));
}

/**
 * Moves the confidence of the agent's own records that the session was given, each once a session: saying it twice moves
 * nothing more. Returns the ids of those that moved.
 */
export async function recordOutcome(
  setup: Setup,
  actor: Actor,
  outcome: { readonly session: string; readonly value: number },
): Promise<readonly string[]> {
  const { session } = outcome;
  const value = confidence(outcome.value, 'value');
  if (typeof session !== 'string' || session === NO_SESSION)
    throw fault('MEMORY_INVALID_ARGUMENT', 'an outcome is of a session', { field: 'session' });
  await settle(setup);
  return setup.locks.hold([`outcome ${session}`], () => moveOnce(setup, actor, session, value));
}

async function moveOnce(setup: Setup, actor: Actor, session: string, value: number): Promise<readonly string[]> {
  const name = `outcome/${actor.key}/${session}`;
  const used = (await setup.store.counters(name)).find((counter) => counter.name === name)?.value ?? 0;
  const given = await setup.store.handedOut(session);
  const records = await setup.store.records(given.slice(used));
  const at = setup.now();
  const changes = records
    .filter((record) => record.agent === actor.key && !record.archived && record.closedAt === null)
    .flatMap((record): readonly MemoryChange[] => {
      const after = confidenceAfter(record, value);
      return after === record.confidence ? [] : [{ type: 'adjust', id: record.id, confidence: after, at }];
    });
  const counted = ['outcomes/all', ...(value >= 0.5 ? ['outcomes/positive'] : [])].map(
    (counter): MemoryChange => ({ type: 'count', name: counter, by: 1, at }),
  );
  const seen: MemoryChange = { type: 'count', name, by: Math.max(0, given.length - used), at };
  const moved = changes.flatMap((change) => (change.type === 'adjust' ? [change.id] : []));
  const audit = auditEntry(setup.ids, actor, 'memory.adjusted', { session, value, records: moved });
  await setup.store.commit([...changes, ...counted, seen], { expected: {}, audit: [audit] });
  return moved;
}

/** Raises the confidence of one own record and counts as a use of it. @throws MEMORY_INVALID_ARGUMENT when it is not the caller's to raise */
export async function reinforce(setup: Setup, actor: Actor, id: string): Promise<number> {
  const [record] = await setup.store.records([id]);
  if (record === undefined || record.agent !== actor.key || record.origin !== 'agent-inferred' || record.archived)
    throw fault('MEMORY_INVALID_ARGUMENT', 'only a living record of the agent itself can be reinforced', { id });
  const rate = setup.config === null ? REINFORCED : profileFor(setup.config, actor.key).lifecycle.reinforceRate;
  const raised = rounded(record.confidence + rate);
  const at = setup.now();
  const audit = auditEntry(setup.ids, actor, 'memory.adjusted', { records: [id], reinforced: true });
  const changes: readonly MemoryChange[] = [
    { type: 'adjust', id, confidence: raised, at },
    { type: 'retrieved', ids: [id], session: NO_SESSION, at },
  ];
  await setup.store.commit(changes, { expected: {}, audit: [audit] });
  return raised;
}
