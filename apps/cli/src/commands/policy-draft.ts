import type { CommandModule } from '../cli/command.ts';
import { draftPolicies } from '../replay/draft-policies.ts';
import { handOutDraft } from '../replay/hand-out-draft.ts';
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
    const { output: _, ...knowledge } = call.options;
    const draft = draftPolicies(await reportOf(call, await readNamedTranscripts(call), knowledge));
    return handOutDraft(call, draft, {
      nothing:
        draft.policies > 0
          ? null
          : `${draft.calls} calls were seen, none changed what is known: there is nothing to draft.`,
      written: (file) => `wrote ${draft.policies} policies to ${file}: go through them, none counts yet`,
    });
  },
};
