import { relative, resolve } from 'node:path';
import { createWorkspace, openWorkspace } from '@warrant/workspace';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly observe?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command.option('--observe', 'refuse nothing at first: record what would have been refused'),
  run: async (call) => {
    const directory = resolve(call.terminal.directory, call.options.directory ?? '.');
    const { paths, created } = await createWorkspace({ directory, enforce: call.options.observe !== true });
    const workspace = await openWorkspace({ directory });
    await workspace.close();
    const folder = relative(call.terminal.directory, paths.folder) || paths.folder;
    const text = [
      created ? `${paint(call, 'green', 'made')} ${folder}` : `${folder} is there already; nothing was changed`,
      '',
      'Next:',
      '  warrant graph seed filesystem   knowledge to start from (also: git, shell, database)',
      '  warrant check delete file       does the agent know enough to delete a file?',
      '  warrant policy check            the policies of warrant.yaml',
    ];
    print(call, { directory, folder: paths.folder, created }, text.join('\n'));
    return exitCodes.ok;
  },
};
