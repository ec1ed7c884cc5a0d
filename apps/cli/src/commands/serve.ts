import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { inWorkspace } from '../cli/with-workspace.ts';
import { serveHooks } from '../hook/serve.ts';

export const command: CommandModule = {
  configure: () => {},
  run: (call) =>
    inWorkspace(call, async (directory) => {
      const served = await serveHooks(directory);
      print(call, { path: served.path }, `Answers hooks at ${served.path}; end it with Ctrl-C.`);
      await new Promise<void>((done) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done());
      });
      await served.close();
      return exitCodes.ok;
    }),
};
