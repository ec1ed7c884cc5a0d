import { formatFault } from '@warrant/core/documents';
import { parseToolMapping } from '@warrant/graph/documents';
import { lintPolicies } from '@warrant/policy/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { readNamed } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule<{ readonly tools?: string }> = {
  configure: (command) =>
    void command.option(
      '--tools <file>',
      'which concepts each tool is about (warrant.tools/1): tells also the policies that none of them can meet',
    ),
  run: (call) =>
    withWorkspace(call, async ({ policies, graph }) => {
      const { tools: name } = call.options;
      const parsed =
        name === undefined
          ? undefined
          : parseToolMapping({ file: name, text: await readNamed(call.terminal.directory, name) });
      if (parsed?.type === 'invalid')
        return refuse(call, exitCodes.usage, 'CLI_TOOLS_INVALID', parsed.faults.map(formatFault).join('\n'));
      const tools = parsed && [...parsed.mapping.tools].map(([tool, { concepts }]) => ({ name: tool, concepts }));
      const found = await lintPolicies(await policies.load(), { graph, ...(tools === undefined ? {} : { tools }) });
      const lines = found.map(
        (lint) => `${lint.file ?? 'code'}:${lint.line ?? 1}: ${lint.code}: ${lint.key}: ${lint.message}`,
      );
      print(call, found, lines.length === 0 ? 'Nothing to remark.' : lines.join('\n'));
      return found.length === 0 ? exitCodes.ok : exitCodes.no;
    }),
};
