import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemoryInbox, isoTime, systemClock } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { explain, toolResult } from '@warrant/policy';
import { expect, it } from 'vitest';
import { openDeleteTool } from './delete-tool.ts';

function scratch(...names: readonly string[]): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'guard-one-'));
  mkdirSync(join(folder, 'protected'));
  for (const name of names) writeFileSync(join(folder, name), 'content');
  return (name) => join(folder, name);
}

async function answerNext(inbox: ReturnType<typeof createMemoryInbox>, choice: 'allow' | 'refuse'): Promise<void> {
  for (;;) {
    const [question] = await inbox.pending();
    if (question !== undefined) {
      const { id: questionId, subject } = question;
      await inbox.answer({ questionId, subject, choice, answeredBy: 'kim', answeredAt: isoTime(systemClock) });
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

it('runs, refuses and asks, and the disk agrees', async () => {
  const inbox = createMemoryInbox();
  const journal = createMemoryJournal();
  const { deleteFile, shredFile } = await openDeleteTool({ inbox, journal });
  const path = scratch('a.txt', 'protected/b.txt', 'c.key', 'd.key');

  const allowed = await deleteFile(path('a.txt'));
  expect(allowed).toMatchObject({ type: 'executed', value: `deleted ${path('a.txt')}`, recorded: 'all' });

  const blocked = await deleteFile(path('protected/b.txt'));
  expect(blocked.type === 'blocked' && explain(blocked.verdict).nearest).toEqual([
    'protected-files: the callback "protected-files" passes',
  ]);

  const [confirmed] = await Promise.all([deleteFile(path('c.key')), answerNext(inbox, 'allow')]);
  expect(confirmed.type).toBe('executed');
  const [declined] = await Promise.all([deleteFile(path('d.key')), answerNext(inbox, 'refuse')]);
  expect(declined).toMatchObject({ type: 'declined', answer: { answeredBy: 'kim' } });

  const unknown = await shredFile(path('d.key'));
  expect(unknown.type).toBe('ungrounded');
  expect(toolResult(unknown)).toContain('the concept "shred" is not in the graph');

  const left = ['a.txt', 'protected/b.txt', 'c.key', 'd.key'].filter((name) => existsSync(path(name)));
  expect(left).toEqual(['protected/b.txt', 'd.key']);
  const types: string[] = [];
  for await (const entry of journal.read('guard')) types.push(entry.type);
  expect(types.filter((type) => type === 'guard.verdict')).toHaveLength(5);
  expect(types.filter((type) => type === 'guard.observation')).toHaveLength(2);
});
