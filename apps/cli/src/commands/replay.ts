import { type CommandCall, type CommandModule, print } from '../cli/command.ts';
import { type ExitCode, exitCodes } from '../cli/exit-codes.ts';
import { compareReports } from '../replay/compare.ts';
import type { KnowledgeOptions } from '../replay/knowledge.ts';
import type { Transcript } from '../replay/read-transcripts.ts';
import { renderChanges, renderReport } from '../replay/render.ts';
import type { ReplayReport } from '../replay/report.ts';
import { readNamedTranscripts, reportOf } from '../replay/run-replay.ts';

type Options = KnowledgeOptions & { readonly compare?: string; readonly stopped?: boolean };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<transcript...>', 'Claude Code transcripts, neutral JSONL, or lists of messages')
      .option('--workspace <folder>', 'the graph, policies and programs of this workspace')
      .option('--policy <file>', 'these policies instead')
      .option('--graph <file>', 'this graph document instead of the seeds filesystem, git and shell')
      .option('--compare <policy>', 'only calls whose verdict these policies would change, with both reasons')
      .option('--stopped', 'only calls that would not simply run'),
  run: async (call) => {
    const transcripts = await readNamedTranscripts(call);
    const before = await reportOf(call, transcripts, call.options);
    if (call.options.compare !== undefined) return compare(call, transcripts, before, call.options.compare);
    print(call, before, renderReport(call, before, call.options.stopped === true));
    return before.calls.length === 0 && before.claims === 0 ? exitCodes.missing : exitCodes.ok;
  },
};

async function compare(
  call: CommandCall<Options>,
  transcripts: readonly Transcript[],
  before: ReplayReport,
  policy: string,
): Promise<ExitCode> {
  const after = await reportOf(call, transcripts, { ...call.options, policy });
  const changes = compareReports(before, after);
  print(call, { calls: before.calls.length, changes }, renderChanges(call, changes, before.calls.length));
  return exitCodes.ok;
}
