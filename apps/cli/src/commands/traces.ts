import { gapText, type LevelConfidence, type TraceRecord, withConfidence } from '@warrant/grounding';
import { confidenceIn } from '@warrant/grounding/experience';
import { readTraces } from '@warrant/grounding/files';
import { readExperiences } from '@warrant/workspace';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { visibleLine } from '../cli/visible.ts';
import { wholeNumber } from '../cli/whole-number.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

type Options = { readonly last: number; readonly gaps?: boolean; readonly confidence: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .option('-n, --last <count>', 'how many', wholeNumber(1), 20)
      .option('--gaps', 'only checks that were not grounded')
      .option('--no-confidence', 'leave out how well each level has served so far'),
  run: (call) =>
    withWorkspace(call, async (workspace) => {
      const { paths } = workspace;
      const { last } = call.options;
      const kept: TraceRecord[] = [];
      for await (const trace of readTraces(paths.traces)) {
        if (call.options.gaps === true && trace.grounded) continue;
        kept.push(trace);
        if (kept.length > last) kept.shift();
      }
      const confidence = call.options.confidence ? confidenceIn(await readExperiences(workspace)) : () => null;
      const shown = kept.map((trace) => withConfidence(trace, confidence));
      const lines = shown.flatMap((trace) => [
        `${trace.at}  ${trace.grounded ? paint(call, 'green', 'grounded    ') : paint(call, 'red', 'not grounded')}  ${visibleLine(trace.concepts.join(' '))}  by ${visibleLine(trace.actor ?? 'nobody')}`,
        ...trace.gaps.map((gap) => `    ${gapText(gap)}`),
        ...(trace.confidence.length === 0 ? [] : [paint(call, 'dim', `    ${servedText(trace.confidence)}`)]),
      ]);
      print(call, call.options.confidence ? shown : kept, lines.length === 0 ? 'No traces.' : lines.join('\n'));
      return exitCodes.ok;
    }),
};

/** Such as `served so far: delete D3 66 %, file D2 83 %`. */
function servedText(confidence: readonly LevelConfidence[]): string {
  const parts = confidence.map(
    (one) => `${visibleLine(one.concept)} D${one.level} ${Math.round(100 * one.confidence)} %`,
  );
  return `served so far: ${parts.join(', ')}`;
}
