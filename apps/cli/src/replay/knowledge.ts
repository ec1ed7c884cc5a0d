import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { ReadingOptions, ToolRule } from '@warrant/adapter-claude-agent';
import type { DepthLevel, GraphStore, Grounder } from '@warrant/core';
import { createGrounder } from '@warrant/grounding';
import { combinePolicies, type PolicySet } from '@warrant/policy';
import { loadPolicies } from '@warrant/policy/files';
import type { AnalyzeOptions } from '@warrant/shell';
import { openWorkspace, type ShellWords, shellOptions, shellWords, type Workspace } from '@warrant/workspace';
import { graphOfFiles, readGraphFile } from '../graph/load-graph.ts';
import { seedFiles } from '../graph/seeds.ts';
import { workspaceToolRules } from '../graph/tool-rules.ts';

/** What calls are held against. */
export type Knowledge = {
  readonly from: string;
  readonly grounder: Grounder;
  readonly policies: PolicySet;
  readonly minDepth: DepthLevel | undefined;
  readonly shell: Omit<AnalyzeOptions, 'directory'>;
  /** What tools mean beside those that are known by name. */
  readonly tools: Pick<ReadingOptions, 'tools' | 'readOnlyTools' | 'mutatingTools'>;
  readonly words: ShellWords;
  readonly close: () => Promise<void>;
};

export type KnowledgeOptions = { readonly workspace?: string; readonly policy?: string; readonly graph?: string };

const SEEDS = ['filesystem', 'git', 'shell'] as const;

/** The graph and policies of a workspace or of files; without either, the seeds that come with Warrant. Nothing is written. */
export async function loadKnowledge(directory: string, options: KnowledgeOptions): Promise<Knowledge> {
  const workspace =
    options.workspace === undefined
      ? undefined
      : await openWorkspace({ directory: resolve(directory, options.workspace), readOnly: true });
  try {
    return await gather(directory, options, workspace);
  } catch (error) {
    await workspace?.close();
    throw error;
  }
}

async function gather(
  directory: string,
  options: KnowledgeOptions,
  workspace: Workspace | undefined,
): Promise<Knowledge> {
  const { graph, from } = await graphFor(directory, options, workspace);
  const policies =
    options.policy === undefined
      ? ((await workspace?.policies.load()) ?? combinePolicies())
      : await loadPolicies(resolve(directory, options.policy));
  const shell = workspace === undefined ? { home: homedir() } : await shellOptions(workspace.paths, workspace.config);
  const config = workspace?.config ?? { shell: { domains: 'auto' as const } };
  return {
    from,
    tools: workspace === undefined ? {} : await toolsOf(workspace),
    words: await shellWords(graph, config),
    grounder: createGrounder({ graph, metrics: false }),
    policies,
    minDepth: workspace?.config.grounding.minDepth as DepthLevel | undefined,
    shell,
    close: async () => {
      if (graph !== workspace?.graph) await graph.close();
      await workspace?.close();
    },
  };
}

async function toolsOf(workspace: Workspace): Promise<Knowledge['tools']> {
  const { readOnlyTools, mutatingTools } = workspace.config.claude;
  return { tools: (await workspaceToolRules(workspace)) as readonly ToolRule[], readOnlyTools, mutatingTools };
}

async function graphFor(
  directory: string,
  options: KnowledgeOptions,
  workspace: Workspace | undefined,
): Promise<{ readonly graph: GraphStore; readonly from: string }> {
  if (options.graph !== undefined) {
    return { graph: await graphOfFiles([await readGraphFile(directory, options.graph)]), from: options.graph };
  }
  if (workspace !== undefined) return { graph: workspace.graph, from: workspace.paths.directory };
  return { graph: await graphOfFiles(seedFiles([...SEEDS])), from: 'the seeds filesystem, git and shell' };
}
