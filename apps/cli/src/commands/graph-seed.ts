import { SEED_NAMES, type SeedName } from '@warrant/graph/documents';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { type ImportFlags, importDocuments } from '../graph/import-documents.ts';
import { seedFiles } from '../graph/seeds.ts';

export const command: CommandModule<ImportFlags> = {
  configure: (command) =>
    void command
      .argument('[seed...]', `domains to start from: ${SEED_NAMES.join(', ')}`)
      .option('--dry-run', 'only print the plan'),
  run: (call) => {
    const unknown = call.words.filter((name) => !(SEED_NAMES as readonly string[]).includes(name));
    if (unknown.length > 0) {
      const message = `There is no seed ${unknown.join(', ')}; there are ${SEED_NAMES.join(', ')}.`;
      return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
    }
    if (call.words.length === 0) {
      print(call, SEED_NAMES, SEED_NAMES.join('\n'));
      return exitCodes.ok;
    }
    return withWorkspace(call, (workspace) => importDocuments(call, workspace, seedFiles(call.words as SeedName[])));
  },
};
