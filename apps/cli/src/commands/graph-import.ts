import type { CommandModule } from '../cli/command.ts';
import { readNamedDocument } from '../cli/read-named.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { type ImportFlags, importDocuments } from '../graph/import-documents.ts';

export const command: CommandModule<ImportFlags> = {
  configure: (command) =>
    void command
      .argument('<file...>', 'graph documents (warrant.graph/1) that belong together')
      .option('--prune', 'also remove what these documents brought in before and no longer hold')
      .option(
        '--remove-learned <name...>',
        'with --prune: concepts that may go although something was learned about them',
      )
      .option('--dry-run', 'only print the plan'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const files = await Promise.all(
        call.words.map(async (file) => ({ file, text: await readNamedDocument(call.terminal.directory, file) })),
      );
      return importDocuments(call, workspace, files);
    }),
};
