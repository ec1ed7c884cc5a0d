import { resolve } from 'node:path';
import { findOrphans } from '@warrant/policy';
import { loadPolicies } from '@warrant/policy/files';
import { type CommandModule, paint, print } from '../cli/command.ts';
import { exitCodes } from '../cli/exit-codes.ts';
import { withWorkspace } from '../cli/with-workspace.ts';

export const command: CommandModule = {
  configure: (command) => void command.argument('[file]', 'a policy file (default: those that warrant.yaml names)'),
  run: (call) =>
    withWorkspace(call, async ({ policies, graph }) => {
      const [file] = call.words;
      const set =
        file === undefined ? await policies.load() : await loadPolicies(resolve(call.terminal.directory, file));
      const orphans = await findOrphans(set.placements, graph);
      const lines = set.placements.map((placement) => {
        const orphan = orphans.find((one) => one.key === placement.key);
        const mark = orphan === undefined ? paint(call, 'green', 'ok  ') : paint(call, 'red', orphan.type);
        return `${mark} ${placement.key}: ${placement.effect} on ${placement.source} -> ${placement.target} (level ${placement.sourceDepth})`;
      });
      const text =
        lines.length === 0
          ? 'No policies. Name files under policy.files in warrant.yaml.'
          : [...lines, `digest ${set.digest()}`].join('\n');
      print(call, { digest: set.digest(), policies: set.placements.length, orphans }, text);
      return orphans.length === 0 ? exitCodes.ok : exitCodes.no;
    }),
};
