import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { BUILT_IN_PROFILES } from '../config/profiles.ts';
import { memoryFor } from '../testing/setup.ts';
import { createCapture } from './capture.ts';

const folders: string[] = [];
const folder = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'capture-'));
  folders.push(made);
  return made;
};
afterEach(() => {
  for (const one of folders.splice(0)) rmSync(one, { recursive: true, force: true });
});

const secrets = { key: 'k'.repeat(32) };
const line = {
  session: 's/1',
  at: '2026-01-01T00:00:00.000Z',
  role: 'user',
  text: 'my key is AKIAIOSFODNN7EXAMPLE',
} as const;

test('nothing is captured without being asked', async () => {
  const place = folder();
  const memory = memoryFor().memory.agent('a');
  for (const { capture } of Object.values(BUILT_IN_PROFILES)) {
    const off = createCapture({ capture, memory, folder: place, secrets });
    expect(await off.line(line)).toBeNull();
    expect(await off.snapshot()).toEqual([]);
  }
  expect(readdirSync(place)).toEqual([]);
  expect(await memory.list()).toEqual([]);
});

test('conversations are written without their secrets', async () => {
  const place = join(folder(), 'conversations');
  const capture = { ...BUILT_IN_PROFILES.research.capture, conversationJsonl: true };
  const on = createCapture({ capture, memory: memoryFor().memory.agent('a'), folder: place, secrets });
  const path = (await on.line(line)) ?? '';
  await on.line({ ...line, role: 'assistant', text: 'a\nb' });
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  expect(lines.map((one) => (JSON.parse(one) as { role: string }).role)).toEqual(['user', 'assistant']);
  expect(lines[0]).not.toContain('AKIAIOSFODNN7EXAMPLE');
  expect(lines[0]).toContain('[secret:');
});

test('a snapshot keeps to its limit, follows no link, and is never put before a model', async () => {
  const root = folder();
  mkdirSync(join(root, 'src'));
  for (const name of ['b.ts', 'a.ts', 'c.ts']) writeFileSync(join(root, 'src', name), 'crane');
  symlinkSync('/', join(root, 'src', '0-link'));
  const { memory, clock } = memoryFor();
  const agent = memory.agent('a');
  const capture = {
    ...BUILT_IN_PROFILES.research.capture,
    trackedDirectories: ['src'],
    trackingMaxFilesPerDirectory: 2,
  };
  const on = createCapture({ capture, memory: agent, folder: root, root, secrets });
  const [first] = await on.snapshot();
  expect(first?.result).toMatchObject({
    type: 'stored',
    record: {
      value: {
        files: [
          { path: 'a.ts', bytes: 5 },
          { path: 'b.ts', bytes: 5 },
        ],
        more: true,
      },
      label: { trust: 'tool' },
    },
  });
  clock.advance(1000);
  expect((await on.snapshot())[0]?.result.type).toBe('confirmed');
  expect((await agent.retrieve({ query: 'directory files src' })).items).toHaveLength(1);
  expect((await agent.prepareTurn({ session: 's', query: 'directory files src' })).text).toBe('');
});
