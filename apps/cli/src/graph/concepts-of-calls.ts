import { readCall, type ToolRule } from '@warrant/adapter-claude-agent';
import { shellOptions, shellWords, type Workspace } from '@warrant/workspace';
import { workspaceToolRules } from './tool-rules.ts';

type NamedCalls = {
  readonly directory: string;
  readonly line: string | undefined;
  readonly tool: string | undefined;
};

/** What a command line and a tool are about, as the workspace's hook would read them. */
export async function conceptsOfCalls(
  workspace: Workspace,
  { directory, line, tool }: NamedCalls,
): Promise<readonly string[]> {
  const words = await shellWords(workspace.graph, workspace.config);
  const options = {
    shell: await shellOptions(workspace.paths, workspace.config),
    tools: (await workspaceToolRules(workspace)) as readonly ToolRule[],
    ...(line === undefined ? {} : { mapping: await words(line) }),
  };
  const calls = [
    ...(line === undefined ? [] : [{ tool: 'Bash', arguments: { command: line }, directory }]),
    ...(tool === undefined ? [] : [{ tool, arguments: {}, directory }]),
  ];
  return calls.flatMap((call) => readCall(call, options).concepts);
}
