import type { Eraser } from '@warrant/core';
import type { Actor } from './actor.ts';
import { auditEntry } from './audit.ts';
import { erasedWith } from './change-record.ts';
import { fault } from './errors.ts';
import { settle } from './note-recall.ts';
import type { Setup } from './setup.ts';

export type Forgotten = {
  readonly subject: string;
  readonly covered: readonly { readonly place: string; readonly count: number }[];
  readonly notCovered: readonly string[];
};

/**
 * Erases everything about somebody: rows of every age, what was made from them, their index entries and vectors, and
 * their words in the context of neighbours. @throws MEMORY_SUBJECT_EMPTY
 */
export async function forget(setup: Setup, actor: Actor, subject: string, eraser: Eraser | null): Promise<Forgotten> {
  if (typeof subject !== 'string' || subject.trim() === '')
    throw fault('MEMORY_SUBJECT_EMPTY', 'forgetting needs a subject: nobody is not everybody');
  await settle(setup);
  const records = [];
  for await (const { id, subject: whose, sources } of setup.store.scan()) records.push({ id, subject: whose, sources });
  const count = erasedWith(subject, records).size;
  const audit = auditEntry(setup.ids, actor, 'memory.erased', { count });
  const committed = await setup.store.commit([{ type: 'erase', subject }], { expected: {}, audit: [audit] });
  const left = committed.type === 'stale' ? [] : (committed.left ?? []);
  const elsewhere = eraser === null ? undefined : await eraser.erase(subject);
  return {
    subject,
    covered: [{ place: 'memory records, with index, vectors and context', count }, ...(elsewhere?.covered ?? [])],
    notCovered: [
      ...left,
      ...(setup.reviewer === null ? [] : ['proposals in the review queue']),
      'plain exports and copies of the file made before, and conversations that were captured to files',
      ...(elsewhere === undefined ? ['audit entries: no eraser was given'] : elsewhere.notCovered),
    ],
  };
}
