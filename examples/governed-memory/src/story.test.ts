import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tellStory } from './story.ts';

test('a text from the web becomes neither a rule nor a fact, and is forgotten with its person', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'governed-memory-'));
  try {
    expect(await tellStory(folder)).toEqual({
      rule: 'memory.human-zone',
      overwrite: 'memory.outranked',
      recalled: ['memory/org/refunds', 'memory/working/page'],
      trust: 'web',
      lines: 2,
      forgotten: 1,
      afterwards: 1,
      faults: 0,
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
