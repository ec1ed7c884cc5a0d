import { describe, expect, test } from 'vitest';
import { memoryFor } from './testing/setup.ts';
import type { MemoryWrite } from './write-request.ts';

const INVALID = { code: 'MEMORY_INVALID_ARGUMENT' };

describe('what is no write is refused with a code', () => {
  test.each([
    ['nothing', null],
    ['no key', { value: 1 }],
    ['a number as key', { key: 5, value: 1 }],
    ['a label of nothing', { key: 'memory/k', value: 1, label: null }],
    ['a 30th of February', { key: 'memory/k', value: 1, validFrom: '2026-02-30T00:00:00Z' }],
    ['a 29th of February of a common year', { key: 'memory/k', value: 1, validTo: '2027-02-29T00:00:00+02:00' }],
    ['a folder that is not absolute', { key: 'memory/k', value: 1, directories: ['../x'] }],
  ])('%s', async (_name, write) => {
    const agent = memoryFor().memory.agent('a');
    await expect(agent.write(write as unknown as MemoryWrite)).rejects.toMatchObject(INVALID);
  });

  test('a leap day is a day', async () => {
    const agent = memoryFor().memory.agent('a');
    const written = await agent.write({ key: 'memory/k', value: 1, validFrom: '2024-02-29T23:30:00+02:00' });
    expect(written).toMatchObject({ type: 'stored', record: { validFrom: '2024-02-29T21:30:00.000Z' } });
  });
});

test('what is no text is refused wherever a text is asked for', async () => {
  const agent = memoryFor().memory.agent('a');
  const none = null as unknown as string;
  for (const ask of [
    () => agent.history(none),
    () => agent.list(none),
    () => agent.grep(none),
    () => agent.glob(none),
    () => agent.skills.search(none),
  ])
    await expect(ask()).rejects.toMatchObject(INVALID);
});

test('a call on paths that no record can be tagged with is prepared all the same', async () => {
  const agent = memoryFor().memory.agent('a');
  await agent.write({ key: 'memory/k', value: 'careful', entities: ['a.sql'] });
  const effects = { reads: ['x'.repeat(2000), '\ud800', 'a.sql'], writes: [], deletes: [] } as never;
  const context = await agent.beforeTool({ session: 's', tool: 'Bash', arguments: {}, effects });
  expect(context.entities).toEqual(['a.sql', 'a']);
  expect(context.recall?.items).toHaveLength(1);
});
