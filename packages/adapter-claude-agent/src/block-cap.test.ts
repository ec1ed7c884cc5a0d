import { afterEach, expect, it, vi } from 'vitest';
import { blockCapOf } from './block-cap.ts';
import { conversation } from './testing/conversation.ts';
import { type WarrantHooksOptions, warrantHooks } from './warrant-hooks.ts';

const NAME = 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP';

afterEach(() => vi.unstubAllEnvs());

async function refusals(options: WarrantHooksOptions): Promise<number> {
  const talking = conversation(warrantHooks(options));
  await talking.prompt('Change a.ts.');
  await talking.run('Edit', { file_path: 'a.ts', old_string: 'a', new_string: 'b' });
  for (let count = 0; ; count += 1) if ((await talking.stop('I changed a.ts.')).decision !== 'block') return count;
}

it('is a whole number from 1, and anything else is none', () => {
  for (const [text, cap] of [
    ['4', 4],
    ['0', undefined],
    ['-2', undefined],
    ['x', undefined],
    ['', undefined],
  ] as const)
    expect(blockCapOf({ [NAME]: text })).toBe(cap);
  expect(blockCapOf({})).toBeUndefined();
});

it('ends refusals before the client overrides them', async () => {
  vi.stubEnv(NAME, undefined);
  expect(await refusals({})).toBe(3);
  expect(await refusals({ blockCap: 2 })).toBe(1);
  expect(await refusals({ blockCap: 1 })).toBe(0);
  expect(await refusals({ maxBlocks: 2, blockCap: 9 })).toBe(2);
  vi.stubEnv(NAME, '3');
  expect(await refusals({})).toBe(2);
  expect(await refusals({ blockCap: 2 })).toBe(1);
});
