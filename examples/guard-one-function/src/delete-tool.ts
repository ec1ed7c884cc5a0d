import { rm } from 'node:fs/promises';
import type { Inbox, Journal } from '@warrant/core';
import { createPolicyRegistry, guard, preparePolicies } from '@warrant/policy';
import { openFilesystem } from './filesystem.ts';

async function deleteFile(path: string): Promise<string> {
  await rm(path);
  return `deleted ${path}`;
}

/** What may not be deleted, and what has to be asked about, on the edge from `delete` to `file`. */
function deletionPolicies() {
  const registry = createPolicyRegistry();
  const edge = { source: 'delete', target: 'file', sourceDepth: 3 } as const;
  registry.register(
    { ...edge, key: 'protected-files', requiresConfirmation: false, confirmationMessage: 'Protected files stay.' },
    ({ call }) => ({ passed: !(call.arguments['path'] as string).includes('/protected/') }),
  );
  registry.register({ ...edge, key: 'keys', confirmationMessage: 'This looks like a key. Delete it?' }, ({ call }) => ({
    passed: !(call.arguments['path'] as string).endsWith('.key'),
  }));
  return registry;
}

/** The same function, with the same parameter, that says what became of each call. */
export async function openDeleteTool(options: { readonly inbox: Inbox; readonly journal: Pick<Journal, 'append'> }) {
  const { graph, grounder } = await openFilesystem();
  const policies = await preparePolicies([deletionPolicies()], { graph, expectPolicies: 2 });
  const shared = { grounder, policies, actor: 'file-agent', dormant: 'report', ...options } as const;
  return {
    deleteFile: guard(deleteFile, {
      ...shared,
      parameters: ['path'],
      concepts: ['delete', 'file'],
      cardinality: 'single',
    }),
    /** Written for a concept that nobody has taught the graph yet. */
    shredFile: guard(deleteFile, { ...shared, name: 'shredFile', parameters: ['path'], concepts: ['shred', 'file'] }),
  };
}
