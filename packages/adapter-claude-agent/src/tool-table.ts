import type { ToolRule } from './tool-rule.ts';

const FILE = ['/file_path', '/path', '/notebook_path'] as const;

function each(names: string, rule: Omit<ToolRule, 'match'>): readonly ToolRule[] {
  return names.split(' ').map((match) => ({ match, ...rule }));
}

/**
 * The tools that Claude Code brings, for the seeds `filesystem`, `git` and `shell`. What is in no table, and no rule of
 * one's own, is a concept under its own name: nothing is known about it until somebody says so.
 */
export const DEFAULT_TOOLS: readonly ToolRule[] = [
  ...each('Read NotebookRead', { concepts: ['read', 'file'], effect: 'read', targets: FILE }),
  ...each('Grep', { concepts: ['read', 'file'], effect: 'read', targets: ['/path'] }),
  ...each('Glob LS', { concepts: ['list', 'directory'], effect: 'read', targets: ['/path'] }),
  ...each('Write', { concepts: ['write', 'file'], effect: 'write', targets: FILE }),
  ...each('Edit MultiEdit NotebookEdit', { concepts: ['modify', 'file'], effect: 'write', targets: FILE }),
  ...each('Bash', { concepts: [], effect: 'shell' }),
  ...each('WebFetch', { concepts: ['read', 'network'], effect: 'read', targets: ['/url'], trust: 'web' }),
  ...each('WebSearch', { concepts: ['read', 'network'], effect: 'read', targets: ['/query'], trust: 'web' }),
  ...each('KillShell KillBash TaskStop', { concepts: ['kill', 'process'], effect: 'internal' }),
  ...each('TodoWrite TodoRead TaskCreate TaskGet TaskList TaskUpdate', { concepts: [], effect: 'internal' }),
  // What others say through them comes from outside all the same.
  ...each('Task Agent TaskOutput BashOutput AgentOutputTool', { concepts: [], effect: 'internal', trust: 'tool' }),
  ...each('EnterPlanMode ExitPlanMode AskUserQuestion ToolSearch StructuredOutput', {
    concepts: [],
    effect: 'internal',
  }),
  ...each('Skill SlashCommand', { concepts: [], effect: 'internal', trust: 'tool' }),
];
