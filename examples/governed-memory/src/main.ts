import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tellStory } from './story.ts';

const folder = mkdtempSync(join(tmpdir(), 'governed-memory-'));
console.log(await tellStory(folder));
rmSync(folder, { recursive: true });
