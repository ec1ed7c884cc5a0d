import { toolRules, type Workspace, type WorkspaceToolRule } from '@warrant/workspace';
import { seedsBeside } from './seeds-beside.ts';

/** What the settings of a workspace say of tools. */
export function workspaceToolRules({
  paths,
  config,
}: Pick<Workspace, 'paths' | 'config'>): Promise<readonly WorkspaceToolRule[]> {
  const seeds = seedsBeside();
  return toolRules(paths, config, seeds === undefined ? {} : { seeds });
}
