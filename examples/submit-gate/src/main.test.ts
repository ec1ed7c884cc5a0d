import { expect, it } from 'vitest';
import { story } from './main.ts';

it('lets "done" out only once the file really says so', async () => {
  const lines: string[] = [];
  const { outcome, disk } = await story((line) => lines.push(line));
  expect(outcome.type).toBe('accepted');
  expect(disk).toBe('timeout=30');
  expect(lines).toEqual([
    'refused: look at app.cfg with Read {"file_path":"app.cfg"}',
    'refused: make good Write on app.cfg',
    'refused: look at app.cfg with Read {"file_path":"app.cfg"}',
    'accepted after 3 refusals; the disk says timeout=30',
  ]);
});
