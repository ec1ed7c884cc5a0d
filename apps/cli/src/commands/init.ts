import { existsSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { createWorkspace, openWorkspace, workspacePaths } from '@warrant/workspace';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

type Options = { readonly observe?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command.option('--observe', 'refuse nothing at first: record what would have been refused'),
  run: async (call) => {
    const directory = resolve(call.terminal.directory, call.options.directory ?? '.');
    const before = workspacePaths(directory);
    const missing = [before.secretKey, before.database].filter((file) => !existsSync(file));
    const { paths, created } = await createWorkspace({ directory, enforce: call.options.observe !== true });
    const workspace = await openWorkspace({ directory });
    await workspace.close();
    const folder = relative(call.terminal.directory, paths.folder) || paths.folder;
    const text = [
      created ? `${paint(call, 'green', 'made')} ${folder}` : `${folder} is there already; ${kept(missing)}`,
      ...(call.options.observe === true && workspace.config.enforce
        ? [`Its warrant.yaml says \`enforce: true\`; change that to observe only.`]
        : []),
      '',
      'Next:',
      '  warrant graph seed filesystem   knowledge to start from (also: git, shell, database)',
      '  warrant check delete file       does the agent know enough to delete a file?',
      '  warrant policy check            the policies of warrant.yaml',
    ];
    print(call, { directory, folder: paths.folder, created, enforce: workspace.config.enforce }, text.join('\n'));
    return exitCodes.ok;
  },
};

function kept(missing: readonly string[]): string {
  return missing.length === 0
    ? 'nothing was changed'
    : `made what was missing: ${missing.map((file) => basename(file)).join(', ')}`;
}
