import { createMemoryInbox } from '@warrant/core';
import { createSqliteInbox, openSqlite } from '@warrant/core/sqlite';
import { createMemoryJournal } from '@warrant/journal';
import { createSqliteJournal } from '@warrant/journal/sqlite';
import { expect, test } from 'vitest';
import { runStory } from './story.ts';

test('pays within the limit, asks people above it, and is read by nobody in particular', async () => {
  const printed: string[] = [];
  expect(await runStory(createMemoryJournal(), createMemoryInbox(), (line) => void printed.push(line))).toEqual({
    faults: [],
  });
  expect(printed).toContain('ann: answered; ann again: forbidden');
});

test('does the same in a file', async () => {
  const file = openSqlite(':memory:');
  expect(await runStory(createSqliteJournal(file), createSqliteInbox(file), () => undefined)).toEqual({ faults: [] });
  file.close();
});
