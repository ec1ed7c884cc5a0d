import { resolve } from 'node:path';
import { writeFileAtomic } from '@warrant/core/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { draftPolicies } from '../replay/draft-policies.ts';
import type { KnowledgeOptions } from '../replay/knowledge.ts';
import { readNamedTranscripts, reportOf } from '../replay/run-replay.ts';

type Options = Pick<KnowledgeOptions, 'workspace' | 'graph'> & { readonly output?: string };

export const command: CommandModule<Options> = {
  configure: (command) =>
    void command
      .argument('<transcript...>', 'Claude Code transcripts, neutral JSONL, or lists of messages')
      .option('--workspace <folder>', 'the graph and programs of this workspace')
      .option('--graph <file>', 'this graph document instead of the seeds filesystem, git and shell')
      .option('-o, --output <file>', 'write to a file instead of printing'),
  run: async (call) => {
    const { output, ...knowledge } = call.options;
    const draft = draftPolicies(await reportOf(call, await readNamedTranscripts(call), knowledge));
    if (draft.policies === 0) {
      print(call, draft, `${draft.calls} calls were seen, none changed what is known: there is nothing to draft.`);
      return exitCodes.missing;
    }
    if (output === undefined) {
      if (call.options.json === true) print(call, draft, '');
      else call.terminal.write(draft.text);
      return exitCodes.ok;
    }
    const file = resolve(call.terminal.directory, output);
    await writeFileAtomic(file, draft.text);
    print(call, { ...draft, file }, `wrote ${draft.policies} policies to ${file}: go through them, none counts yet`);
    return exitCodes.ok;
  },
};
