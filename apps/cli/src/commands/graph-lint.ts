import { lintGraph } from '@warrant/graph';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    withWorkspace(
      call,
      async ({ graph }) => {
        const findings = await lintGraph(graph.primitives());
        const lines = findings.map((finding) => `${finding.code}: ${finding.message}`);
        print(call, findings, lines.length === 0 ? 'Nothing to remark.' : lines.join('\n'));
        return findings.length === 0 ? exitCodes.ok : exitCodes.no;
      },
      { readOnly: true },
    ),
};
