import type { Workspace } from '@warrant/workspace';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { claudeStatus, claudeText } from '../hook/status.ts';

/** What is in the workspace now. */
async function statusOf(workspace: Workspace) {
  let concepts = 0;
  let learned = 0;
  for await (const primitive of workspace.graph.primitives()) {
    concepts += 1;
    if (
      primitive.provenance.source === 'learned' ||
      primitive.depths.some((depth) => depth.provenance.source === 'learned')
    )
      learned += 1;
  }
  const policies = await workspace.policies.load();
  return {
    directory: workspace.paths.directory,
    enforce: workspace.config.enforce,
    agent: workspace.config.agent,
    graph: { ...(await workspace.graph.version()), concepts, learned },
    policies: policies.placements.length,
    questions: (await workspace.inbox.pending()).length,
    streams: (await workspace.journal.streams()).length,
    agents: (await workspace.agents.list()).length,
    claude: await claudeStatus(workspace),
  };
}

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    withWorkspace(
      call,
      async (workspace) => {
        const status = await statusOf(workspace);
        const rows = [
          ['workspace', status.directory],
          ['mode', status.enforce ? 'enforce' : 'observe only: nothing is refused'],
          [
            'graph',
            `${status.graph.concepts} concepts (${status.graph.learned} learned), revision ${status.graph.revision}`,
          ],
          ['policies', String(status.policies)],
          ['open questions', String(status.questions)],
          ['journal', `${status.streams} streams`],
          ...(status.claude.sessions.length === 0 ? [] : [['claude', claudeText(status.claude)] as const]),
        ] as const;
        print(call, status, rows.map(([name, value]) => `${name.padEnd(15)} ${value}`).join('\n'));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
