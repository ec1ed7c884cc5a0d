import type { Proposal } from '@warrant/core';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { type MemoryOptions, withMemory, withMemoryOptions } from '../memory/with-memory.ts';
import { type VoteResult, vote, voteLine, worst } from '../review/votes.ts';

type Options = MemoryOptions & {
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
  readonly reason?: string;
};

export const command: CommandModule<Options> = {
  configure: (command) =>
    void withMemoryOptions(command)
      .option('--approve <id...>', 'let these happen')
      .option('--reject <id...>', 'let these not happen')
      .option('--reason <text>', 'why they are rejected'),
  run: (call) =>
    withMemory(
      call,
      async ({ workspace, person }) => {
        if (workspace === undefined)
          return refuse(
            call,
            exitCodes.missing,
            'CLI_NO_WORKSPACE',
            "Proposals wait in a workspace; 'warrant init' makes one.",
          );
        const { approve = [], reject = [], reason } = call.options;
        const desk = { gate: workspace.reviewer, person, agent: workspace.config.agent };
        const results: VoteResult[] = [];
        for (const id of approve) results.push(await vote(desk, id, { choice: 'approve' }));
        for (const id of reject)
          results.push(await vote(desk, id, { choice: 'reject', ...(reason !== undefined && { reason }) }));
        if (results.length > 0) {
          print(call, results, results.map((result) => voteLine(call, result)).join('\n'));
          return worst(results);
        }
        const waiting: Proposal[] = [];
        for await (const { proposal } of workspace.reviewer.list({ type: 'queued' }))
          if (proposal.kind.startsWith('memory.')) waiting.push(proposal);
        const lines = waiting.map(
          ({ id, kind, proposedBy, payload }) => `${id}  ${kind}  by ${proposedBy}\n  ${JSON.stringify(payload)}`,
        );
        print(call, waiting, lines.length === 0 ? 'Nothing waits.' : lines.join('\n'));
        return exitCodes.ok;
      },
      { review: true },
    ),
};
