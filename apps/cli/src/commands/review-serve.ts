import { isoTime, systemClock } from '@warrant/core';
import { serveJsonl } from '@warrant/review-policy';
import type { CommandModule } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { atDesk, type DeskOptions, withDeskOptions } from '../review/desk.ts';

type Options = DeskOptions & { readonly jsonl?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withDeskOptions(command).option(
      '--jsonl',
      'requests on standard input, answers on standard output, one a line',
    ),
  run: (call) => {
    if (call.options.jsonl !== true) {
      const message = "Say --jsonl. MCP is served by 'warrant-mcp' of @warrant/mcp-server.";
      return refuse(call, exitCodes.usage, 'CLI_USAGE', message);
    }
    return atDesk(call, async ({ gate, agent }) => {
      await serveJsonl(
        gate,
        process.stdin,
        { write: call.terminal.write },
        { actor: agent, now: () => isoTime(systemClock) },
      );
      return exitCodes.ok;
    });
  },
};
