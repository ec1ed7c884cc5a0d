import { resolve } from 'node:path';
import { writeFileAtomic } from '@warrant/core/files';
import { exportGraph } from '@warrant/graph/documents';
import { Option } from 'commander';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly name: string; readonly format: 'yaml' | 'json'; readonly output?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('--name <name>', "the document's name", 'graph')
      .addOption(
        new Option('--format <format>', 'yaml or json (with --json always json)')
          .choices(['yaml', 'json'])
          .default('yaml'),
      )
      .option('-o, --output <file>', 'write to a file instead of printing'),
  run: (call) =>
    withWorkspace(call, async ({ graph }) => {
      const printed = call.options.output === undefined && call.options.json === true;
      const format = printed ? 'json' : call.options.format;
      const text = await exportGraph(graph.primitives(), { name: call.options.name, format });
      if (call.options.output === undefined) {
        call.terminal.write(text);
        return exitCodes.ok;
      }
      const file = resolve(call.terminal.directory, call.options.output);
      await writeFileAtomic(file, text);
      print(call, { file, bytes: Buffer.byteLength(text) }, `wrote ${file}`);
      return exitCodes.ok;
    }),
};
