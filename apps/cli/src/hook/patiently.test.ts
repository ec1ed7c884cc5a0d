import { WarrantError } from '@warrant/core';
import { expect, it } from 'vitest';
import { patiently } from './patiently.ts';

const busy = () => new WarrantError('SQLITE_BUSY', 'held by others', { retryable: true });

function held(times: number, error: () => Error = busy) {
  let calls = 0;
  const work = async (): Promise<string> => {
    calls += 1;
    if (calls <= times) throw error();
    return 'done';
  };
  return { work, calls: () => calls };
}

it('a database that others hold is waited for, not for ever, and not where it is only watched', async () => {
  for (const times of [0, 1, 5]) expect(await patiently('enforce', held(times).work)).toBe('done');
  const ever = held(1000);
  await expect(patiently('ask', ever.work)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
  expect(ever.calls()).toBe(6);
  await expect(patiently('observe', held(1).work)).rejects.toMatchObject({ code: 'SQLITE_BUSY' });
});

it('nothing else is tried again', async () => {
  const broken = held(1, () => new Error('disk full'));
  await expect(patiently('enforce', broken.work)).rejects.toThrow('disk full');
  expect(broken.calls()).toBe(1);
});
