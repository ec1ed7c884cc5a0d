import { resolve } from 'node:path';
import { findWorkspace } from '@warrant/workspace';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { serveHooks } from '../hook/serve.ts';

export const command: CommandModule = {
  configure: () => {},
  run: async (call) => {
    const from = resolve(call.terminal.directory, call.options.directory ?? '.');
    const directory = findWorkspace(from);
    if (directory === undefined) {
      const message = `There is no workspace at ${from} or above it; 'warrant init' makes one.`;
      return refuse(call, exitCodes.missing, 'CLI_NO_WORKSPACE', message);
    }
    const served = await serveHooks(directory);
    print(call, { path: served.path }, `Answers hooks at ${served.path}; end it with Ctrl-C.`);
    await new Promise<void>((done) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
    });
    await served.close();
    return exitCodes.ok;
  },
};
