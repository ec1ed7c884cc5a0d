import type { GuardOutcome } from '@warrant/core';
import { createMemoryJournal } from '@warrant/journal';
import { createPolicyRegistry, guard } from '@warrant/policy';
import { expect, it } from 'vitest';
import { openFilesystem } from './filesystem.ts';
import { logging, retrying } from './wrappers.ts';

it('decides once, asks once and records once, however often the work is tried', async () => {
  const { grounder } = await openFilesystem();
  const registry = createPolicyRegistry();
  registry.register({ key: 'ask', source: 'delete', target: 'file', sourceDepth: 3 }, () => ({ passed: false }));
  const journal = createMemoryJournal();
  const log: string[] = [];
  let attempts = 0;
  const deleteFile = async (path: string): Promise<string> => {
    attempts += 1;
    log.push(`attempt ${attempts}`);
    if (attempts < 3) throw new Error('the share is away');
    return `deleted ${path}`;
  };
  const guarded = guard(retrying(deleteFile, 5), {
    name: 'deleteFile',
    parameters: ['path'],
    concepts: ['delete', 'file'],
    grounder,
    policies: registry.freeze(),
    dormant: 'report',
    journal,
    onPolicy: () => {
      log.push('asked');
      return true;
    },
  });
  const tool = logging<[string], GuardOutcome<string>>(guarded, (line) => log.push(line));

  expect(await tool('/srv/a')).toMatchObject({ type: 'executed', value: 'deleted /srv/a', recorded: 'all' });
  expect(log).toEqual(['begins', 'asked', 'attempt 1', 'attempt 2', 'attempt 3', 'ends']);
  const types: string[] = [];
  for await (const entry of journal.read('guard')) types.push(entry.type);
  expect(types.filter((type) => /verdict|observation/.test(type))).toEqual(['guard.verdict', 'guard.observation']);
});

it('refuses to guard what is guarded', async () => {
  const { grounder } = await openFilesystem();
  const once = guard(async (path: string) => path, { name: 't', parameters: ['path'], concepts: ['read'], grounder });
  expect(() => guard(once, { parameters: ['path'], concepts: ['read'], grounder })).toThrow(
    expect.objectContaining({ code: 'POLICY_ALREADY_GUARDED' }),
  );
});
