import { resolve } from 'node:path';
import type { GraphStore } from '@warrant/core';
import { combinePolicies, type PolicySet, preparePolicies } from '@warrant/policy';

/** The policies that the settings name, in order. */
export type WorkspacePolicies = {
  /** As the files say, without asking the graph. @throws POLICY_FILE_UNREADABLE, POLICY_FILE_INVALID, POLICY_DUPLICATE_KEY */
  readonly load: () => Promise<PolicySet>;
  /** Loaded once and held to the graph: what a guard enforces. @throws the same, and POLICY_ORPHANED */
  readonly enforced: () => Promise<PolicySet>;
};

export function workspacePolicies(
  folder: string,
  files: readonly string[],
  graph: Pick<GraphStore, 'view'>,
): WorkspacePolicies {
  const load = async () => {
    if (files.length === 0) return combinePolicies();
    const { loadPolicies } = await import('@warrant/policy/files');
    return combinePolicies(...(await Promise.all(files.map((file) => loadPolicies(resolve(folder, file))))));
  };
  let enforced: Promise<PolicySet> | undefined;
  return {
    load,
    enforced: () => {
      enforced ??= load().then((policies) => preparePolicies([policies], { graph }));
      enforced.catch(() => {
        enforced = undefined;
      });
      return enforced;
    },
  };
}
