import { foldName } from '@warrant/core';
import { expect, test } from 'vitest';
import { ALWAYS_PROTECTED, checkKey, isUnder } from './keys.ts';
import { matchesPattern } from './patterns.ts';
import type { MemoryPermissions } from './permissions.ts';
import { memoryFor } from './testing/setup.ts';
import { legalKeys, respellings } from './testing/spellings.ts';

const generous: MemoryPermissions = { defaultPolicy: 'allow', protectedPrefixes: ['team/rules'], agents: {} };
const PROTECTED = [...ALWAYS_PROTECTED, 'team/rules'];

test('a thousand respellings of protected prefixes, made without looking at the check, reach nothing', async () => {
  const { memory, store } = memoryFor({ permissions: generous });
  const passed: string[] = [];
  for (const key of respellings(PROTECTED, process.env['WARRANT_SOAK'] === undefined ? 1000 : 20_000, 7)) {
    // Changes may cancel each other out, or lead to a key that is meant for everybody.
    for (const handle of [memory.agent('a'), memory.provider('p')]) {
      const result = await handle.write({ key, value: 'now mine' });
      if (result.type !== 'refused') passed.push(JSON.stringify(key));
    }
  }
  expect([...new Set(passed)]).toEqual([]);
  for await (const record of store.scan())
    expect(PROTECTED.some((prefix) => isUnder(foldName(record.key), prefix))).toBe(false);
});

test('the spellings that fooled the reference are refused', async () => {
  const { memory } = memoryFor({ permissions: generous });
  const fooled = [
    'Skills/x',
    '/skills/x',
    './skills/x',
    'memory/../skills/x',
    ' skills/x',
    'ѕkills/x',
    'memory/working/../../skills/x',
  ];
  for (const key of fooled) expect((await memory.agent('a').write({ key, value: 1 })).type, key).toBe('refused');
});

test('a pattern ends at a segment: what only begins like it is not covered', () => {
  expect(matchesPattern('memory/working/', 'memory/workings/x')).toBe(false);
  expect(isUnder('skillset/x', 'skills')).toBe(false);
  expect(checkKey('skillset/x').type).toBe('canonical');
});

test('a thousand keys as people of fourteen scripts write them pass', () => {
  const refused: unknown[] = [];
  for (const key of legalKeys(1000, 11)) {
    const checked = checkKey(key, ['team/rules']);
    if (checked.type === 'refused') refused.push([key, checked.reasons[0]?.code]);
  }
  expect(refused).toEqual([]);
});
