import type { MemoryChange, MemoryRecord, Reason } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { fault } from './errors.ts';
import { type AccessVerdict, decideAccess } from './permissions.ts';
import type { Setup } from './setup.ts';

/** What became of a deletion. Nothing is erased: the rows are archived and can be restored. */
export type DeleteResult =
  | { readonly type: 'deleted'; readonly records: readonly string[] }
  | { readonly type: 'none' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

const MAX_ATTEMPTS = 50;

/** Archives every living row of a key, or none when one of them is not the caller's to delete. */
export async function deleteKey(setup: Setup, actor: Actor, key: string): Promise<DeleteResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const open = decideAccess(setup.permissions, { action: 'delete', key, actor, record: null });
    if (!open.allowed) return refused(setup, actor, key, open);
    const [head] = await setup.store.heads([key]);
    const rows = (head?.records ?? []).filter((row) => row.key === key && !row.archived && row.closedAt === null);
    if (rows.length === 0) return { type: 'none' };
    const verdicts = rows.map((record) => decideAccess(setup.permissions, { action: 'delete', key, actor, record }));
    const denied = verdicts.find(({ allowed }) => !allowed);
    if (denied !== undefined) return refused(setup, actor, key, denied);
    const committed = await archive(setup, actor, rows, { [key]: head?.revision ?? 0 });
    if (committed) return { type: 'deleted', records: rows.map(({ id }) => id) };
  }
  throw fault('MEMORY_BUSY', 'other writers kept changing the key', { attempts: MAX_ATTEMPTS });
}

async function archive(
  setup: Setup,
  actor: Actor,
  rows: readonly MemoryRecord[],
  expected: { readonly [key: string]: number },
): Promise<boolean> {
  const at = setup.now();
  const changes = rows.map(({ id }): MemoryChange => ({ type: 'archive', id, at }));
  const audit = auditEntry(setup.ids, actor, 'memory.deleted', {
    key: rows[0]?.key ?? '',
    records: rows.map(({ id }) => id),
  });
  const committed = await setup.store.commit(changes, { expected, audit: [audit] });
  return committed.type !== 'stale';
}

async function refused(setup: Setup, actor: Actor, key: string, verdict: AccessVerdict): Promise<DeleteResult> {
  const { reasons, rule, permissions } = verdict;
  const audit = auditEntry(setup.ids, actor, 'memory.refused', {
    action: 'delete',
    key,
    codes: reasons.map(({ code }) => code),
    rule,
    permissions,
  });
  await setup.store.commit([], { expected: {}, audit: [audit] });
  return { type: 'refused', reasons };
}
