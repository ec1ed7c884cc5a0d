import { streamOf } from '@warrant/decide';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { refuse } from '../cli/failure.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { answerLines } from '../inbox/answer-lines.ts';
import { questionLines } from '../inbox/question-lines.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('[actor]', 'only what this agent waits for'),
  run: (call) =>
    withWorkspace(
      call,
      async ({ inbox, journal }) => {
        const [actor] = call.words;
        const all = await inbox.pending({ kind: 'decision' });
        const questions = all.filter(({ id }) => actor === undefined || id.startsWith(`${actor}/decision/`));
        if (questions.length === 0 && actor !== undefined && (await journal.head(streamOf(actor))) === undefined)
          return refuse(call, exitCodes.missing, 'CLI_NO_AGENT', `no run of ${actor} is in the journal`);
        const lines = questions.flatMap((question) => [
          `${question.id}  ${question.title}`,
          ...questionLines(question),
          ...answerLines(question),
        ]);
        print(call, questions, lines.length === 0 ? 'No agent waits for a person.' : lines.join('\n'));
        return exitCodes.ok;
      },
      { readOnly: true },
    ),
};
