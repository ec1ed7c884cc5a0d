import type { Question } from '@warrant/core';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { answerLines } from '../inbox/answer-lines.ts';
import { questionLines } from '../inbox/question-lines.ts';

type Options = { readonly kind?: Question['kind'] };

export const command: CommandModule<Options> = {
  configure: (command) => void command.option('--kind <kind>', 'only confirmation, review or decision'),
  run: (call) =>
    withWorkspace(call, async ({ inbox }) => {
      const { kind } = call.options;
      const questions = await inbox.pending(kind === undefined ? {} : { kind });
      const lines = questions.flatMap((question) => [
        `${paint(call, 'bold', question.id)}  ${question.kind}  asked by ${question.askedBy}${question.expiresAt === null ? '' : `, until ${question.expiresAt}`}`,
        ...questionLines(question),
        ...answerLines(question),
      ]);
      print(call, questions, lines.length === 0 ? 'No open questions.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};
