import { type AgentHost, createAgentHost } from '@warrant/decide';
import { readSecretKey, type Workspace } from '@warrant/workspace';
import { loadAgent, loadKit } from './load-agent.ts';

/** A host over the workspace's journal, inbox and review queue for the agent of a chart and a kit file. @throws CHART_INVALID, CLI_USAGE */
export async function openAgent(
  { journal, inbox, clock, ids, reviewer, paths }: Workspace,
  directory: string,
  { chart, kit: file }: { readonly chart: string; readonly kit: string },
): Promise<AgentHost> {
  const { grant, maxAsks, ...kit } = await loadKit(directory, file, { inbox, journal });
  const definition = loadAgent(directory, chart, {
    ...(grant === undefined ? {} : { grant }),
    ...(maxAsks === undefined ? {} : { maxAsks }),
  });
  return createAgentHost({
    ...kit,
    agents: [definition],
    journal,
    snapshots: journal.snapshots,
    inbox,
    clock,
    ids,
    reviewer,
    secretMarks: { key: readSecretKey(paths) },
  });
}
