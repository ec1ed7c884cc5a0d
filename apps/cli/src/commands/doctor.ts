import { openWorkspace, type Workspace, workspacePaths } from '@warrant/workspace';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { inWorkspace } from '../cli/with-workspace.ts';
import { type Finding, findingOf } from '../doctor/finding.ts';
import { filesFindings } from '../doctor/look-at-files.ts';
import { workspaceFindings } from '../doctor/look-inside.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    inWorkspace(call, async (directory) => {
      const findings = await findingsOf(directory);
      const lines = findings.map(
        ({ name, ok, message }) =>
          `${ok ? paint(call, 'green', 'ok  ') : paint(call, 'red', 'look')} ${name.padEnd(10)} ${message}`,
      );
      print(call, findings, lines.join('\n'));
      return findings.every((finding) => finding.ok) ? exitCodes.ok : exitCodes.no;
    }),
};

/** What can be told without opening the workspace comes first: it may be why it does not open. */
async function findingsOf(directory: string): Promise<readonly Finding[]> {
  const paths = workspacePaths(directory);
  const findings = await filesFindings(paths);
  let workspace: Workspace | undefined;
  const opened = await findingOf('open', async () => {
    workspace = await openWorkspace({ directory, create: false });
    return 'the workspace opens';
  });
  if (workspace === undefined) return [...findings, opened];
  try {
    return [...findings, ...(await workspaceFindings(workspace))];
  } finally {
    await workspace.close();
  }
}
