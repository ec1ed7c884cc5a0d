import { resolve } from 'node:path';
import { writeFileAtomic } from '@warrant/core/files';
import { readTraces } from '@warrant/grounding/files';
import { type CommandModule, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';
import { draftGraph, type SeenCheck } from '../graph/draft.ts';

type Options = { readonly output?: string };

export const command: CommandModule<Options> = {
  configure: (command) => void command.option('-o, --output <file>', 'write to a file instead of printing'),
  run: (call) =>
    withWorkspace(call, async ({ paths }) => {
      const checks: SeenCheck[] = [];
      for await (const trace of readTraces(paths.traces)) checks.push(trace);
      const draft = draftGraph(checks);
      if (draft.concepts === 0) {
        print(call, draft, `${draft.checks} checks were seen, none had a gap: there is nothing to draft.`);
        return exitCodes.missing;
      }
      if (call.options.output === undefined) {
        if (call.options.json === true) print(call, draft, '');
        else call.terminal.write(draft.text);
        return exitCodes.ok;
      }
      const file = resolve(call.terminal.directory, call.options.output);
      await writeFileAtomic(file, draft.text);
      print(
        call,
        { ...draft, file },
        `wrote ${draft.concepts} concepts to ${file}: edit it, then \`warrant graph import ${call.options.output}\``,
      );
      return exitCodes.ok;
    }),
};
