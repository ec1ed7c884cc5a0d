import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyBase } from '../../test/folders.ts';
import { createFolderLock } from './folder-lock.ts';

function heldBy(owner: object): { readonly path: string; remove(): void } {
  const base = emptyBase();
  mkdirSync(join(base.root, 'proposed/.warrant'));
  const path = join(base.root, 'proposed/.warrant/lock');
  writeFileSync(path, JSON.stringify(owner));
  return { path, remove: () => base.remove() };
}

const owners: readonly (readonly [string, object])[] = [
  ['a living process', { pid: process.ppid, host: hostname(), started: '' }],
  ['a process of another machine', { pid: 1, host: 'elsewhere', started: '1' }],
];

it.each(owners)('%s keeps its lock', async (_, owner) => {
  const held = heldBy(owner);
  let ran = false;
  const work = (): void => {
    ran = true;
  };
  await expect(createFolderLock(held.path, { waitMs: 30 }).hold(work)).rejects.toMatchObject({
    code: 'REVIEW_LOCKED',
    retryable: true,
  });
  expect(ran).toBe(false);
  expect(JSON.parse(readFileSync(held.path, 'utf8'))).toEqual(owner);
  held.remove();
});

it('the lock of a dead process is taken over, also when its number is in use again', async () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid;
  for (const owner of [
    { pid: dead, host: hostname(), started: '' },
    // Only some systems tell when a process started.
    ...(existsSync('/proc/self/stat') ? [{ pid: process.ppid, host: hostname(), started: '1' }] : []),
  ]) {
    const held = heldBy(owner);
    expect(await createFolderLock(held.path, { waitMs: 1000 }).hold(() => 'done')).toBe('done');
    expect(existsSync(held.path)).toBe(false);
    held.remove();
  }
});
