import { lintPolicies } from '@warrant/policy/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    withWorkspace(call, async ({ policies, graph }) => {
      const found = await lintPolicies(await policies.load(), { graph });
      const lines = found.map(
        (lint) => `${lint.file ?? 'code'}:${lint.line ?? 1}: ${lint.code}: ${lint.key}: ${lint.message}`,
      );
      print(call, found, lines.length === 0 ? 'Nothing to remark.' : lines.join('\n'));
      return found.length === 0 ? exitCodes.ok : exitCodes.no;
    }),
};
