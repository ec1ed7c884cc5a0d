import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) =>
    void command
      .argument('<stream>', 'the stream to fork')
      .argument('<position>', 'the last entry that both share', wholeNumber(1))
      .argument('<target>', 'name of the new stream'),
  run: (call) =>
    withWorkspace(call, async ({ journal }) => {
      const [stream = '', position = '', target = ''] = call.words;
      const forked = await journal.fork(stream, Number(position), target);
      const text = {
        forked: `${target} goes on from ${stream}/${position}`,
        exists: `${target} is there already; nothing was changed`,
        'no-such-position': forked.type === 'no-such-position' ? `${stream} ends at ${forked.head}` : '',
      }[forked.type];
      print(call, forked, text);
      return forked.type === 'forked' ? exitCodes.ok : forked.type === 'exists' ? exitCodes.no : exitCodes.missing;
    }),
};
