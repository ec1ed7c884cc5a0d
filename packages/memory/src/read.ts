import type { MemoryRecord, Reason } from '@warrant/core';
import type { Actor } from './actor.ts';
import { currentOf, type Moment } from './current.ts';
import { fault } from './errors.ts';
import { decideAccess } from './permissions.ts';
import { frozen, type Setup } from './setup.ts';
import { mayRead, withKnownConflicts } from './shown.ts';
import { canonicalTime } from './times.ts';

/** What was found under a key. */
export type ReadResult =
  | {
      readonly type: 'found';
      readonly record: MemoryRecord;
      /** True for text that came from a tool or the web: data, never instructions. */
      readonly untrusted: boolean;
    }
  | { readonly type: 'none' }
  | { readonly type: 'refused'; readonly reasons: readonly Reason[] };

/** @throws MEMORY_INVALID_ARGUMENT for what is no time */
export function momentOf(setup: Setup, asked: Partial<Moment>): Moment {
  const now = setup.now();
  const at = (field: keyof Moment): string => {
    const text = asked[field];
    if (text === undefined) return now;
    const time = canonicalTime(text);
    if (time === undefined)
      throw fault('MEMORY_INVALID_ARGUMENT', `${field} is an ISO-8601 time with a zone`, { field });
    return time;
  };
  return { validAt: at('validAt'), knownAt: at('knownAt') };
}

/** What was true at one time as far as was known at another; both now by default. */
export async function readKey(setup: Setup, actor: Actor, key: string, asked: Partial<Moment>): Promise<ReadResult> {
  const moment = momentOf(setup, asked);
  const open = decideAccess(setup.permissions, { action: 'read', key, actor, record: null });
  if (!open.allowed) return { type: 'refused', reasons: open.reasons };
  const [head] = await setup.store.heads([key]);
  const rows = (head?.records ?? []).filter((row) => row.key === key);
  const record = currentOf(rows, moment, setup.resolution);
  if (record === undefined || !mayRead(setup, actor, record)) return { type: 'none' };
  const [shown] = (await withKnownConflicts(setup, actor, [record])) as readonly [MemoryRecord];
  return { type: 'found', record: frozen(shown), untrusted: isUntrusted(record) };
}

/** @throws MEMORY_INVALID_ARGUMENT for anything else @internal */
export function text(field: string, value: string): string {
  if (typeof value === 'string') return value;
  throw fault('MEMORY_INVALID_ARGUMENT', `${field} is a text`, { field });
}

/** Text that a tool or the web brought in. */
export function isUntrusted(record: MemoryRecord): boolean {
  return record.label.trust === 'web' || record.label.trust === 'tool';
}

/** Every row of a key that the handle may see, oldest first. */
export async function historyOf(setup: Setup, actor: Actor, key: string): Promise<readonly MemoryRecord[]> {
  const [head] = await setup.store.heads([text('key', key)]);
  const rows = (head?.records ?? []).filter((row) => row.key === key && mayRead(setup, actor, row));
  return (await withKnownConflicts(setup, actor, rows)).map(frozen);
}

/** What is current under each readable key of a subtree, by key. */
export async function listCurrent(setup: Setup, actor: Actor, prefix: string): Promise<readonly MemoryRecord[]> {
  const moment = momentOf(setup, {});
  const rows = new Map<string, MemoryRecord[]>();
  for await (const row of setup.store.scan({ prefix: text('prefix', prefix) })) {
    const known = rows.get(row.key);
    if (known === undefined) rows.set(row.key, [row]);
    else known.push(row);
  }
  const current = [...rows.values()].flatMap((of) => currentOf(of, moment, setup.resolution) ?? []);
  const readable = current.filter((record) => mayRead(setup, actor, record));
  return (await withKnownConflicts(setup, actor, readable)).map(frozen).sort((a, b) => (a.key < b.key ? -1 : 1));
}
