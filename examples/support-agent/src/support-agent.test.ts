import { createMemoryJournal } from '@warrant/journal';
import { expect, test } from 'vitest';
import { runStory } from './story.ts';

test('runs offline, forks without asking a model, and is read by nobody in particular', async () => {
  const printed: string[] = [];
  const { faults } = await runStory(createMemoryJournal(), (line) => void printed.push(line));
  expect(faults).toEqual([]);
  expect(printed.join('\n')).toContain('models asked since: 0');
  expect(printed[0]).toContain('Your refund for A-17 is on its way.');
});
