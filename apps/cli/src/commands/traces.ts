import { gapText, type TraceRecord } from '@warrant/grounding';
import { readTraces } from '@warrant/grounding/files';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly last: number; readonly gaps?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('-n, --last <count>', 'how many', wholeNumber(1), 20)
      .option('--gaps', 'only checks that were not grounded'),
  run: (call) =>
    withWorkspace(call, async ({ paths }) => {
      const { last } = call.options;
      const kept: TraceRecord[] = [];
      for await (const trace of readTraces(paths.traces)) {
        if (call.options.gaps === true && trace.grounded) continue;
        kept.push(trace);
        if (kept.length > last) kept.shift();
      }
      const lines = kept.flatMap((trace) => [
        `${trace.at}  ${trace.grounded ? paint(call, 'green', 'grounded    ') : paint(call, 'red', 'not grounded')}  ${trace.concepts.join(' ')}  by ${trace.actor ?? 'nobody'}`,
        ...trace.gaps.map((gap) => `    ${gapText(gap)}`),
      ]);
      print(call, kept, lines.length === 0 ? 'No traces.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};
