import { createRequire } from 'node:module';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) => {
    const { version } = createRequire(import.meta.url)('warrant/package.json') as { version: string };
    print(call, { version, node: process.version }, version);
    return exitCodes.ok;
  },
};
